import { pathHere } from "./base.ts";
import { keepCredentials } from "./credentials.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

/** Lets the console see the data as a user does, from the next load on. Only servers on this machine allow it. */
export async function lookAs(name: string): Promise<void> {
  keepCredentials({ token: await tokenOf(name) });
  location.reload();
}

/** An access token of a user, by the name that they sign in with. */
export async function tokenOf(name: string): Promise<string> {
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user: name }),
  };
  return (await askIssuer<{ access_token: string }>("/__oidc/tokens", init)).access_token;
}

export interface SignInUser {
  readonly name: string;
  readonly roles: readonly string[];
}

/** The users whose names contain a text, not all of them where there are many. */
export function findUsers(search: string, signal: AbortSignal): Promise<{ users: SignInUser[]; total: number }> {
  return askIssuer(`/__oidc/tokens?search=${encodeURIComponent(search)}`, { signal });
}

async function askIssuer<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(pathHere(path), init);
  const text = await response.text();
  if (!response.ok) throw refusedBy(response.status, text);
  return JSON.parse(text) as T;
}

/** Errors of the issuer have the form of OAuth. */
function refusedBy(status: number, text: string): Refusal {
  const { error_description: message } = JSON.parse(text) as { error_description?: string };
  return refusalOf(status, message === undefined ? text : JSON.stringify({ error: "Refused", message }));
}

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
  const response = await fetch(pathHere("/__oidc/tokens"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user: name }),
  });
  const text = await response.text();
  if (!response.ok) throw refusedBy(response.status, text);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

/** Errors of the issuer have the form of OAuth. */
function refusedBy(status: number, text: string): Refusal {
  const { error_description: message } = JSON.parse(text) as { error_description?: string };
  return refusalOf(status, message === undefined ? text : JSON.stringify({ error: "Refused", message }));
}

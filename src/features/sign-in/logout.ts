import { decodeJwt, type JWTPayload } from "jose";
import type { Call } from "../../http/call.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { IssuerView } from "./issuer.ts";
import { isListedAddress } from "./redirect-address.ts";
import { browserSession, endedCookie } from "./session-cookie.ts";
import { errorPage, signedOutPage } from "./who-are-you.ts";

/** `/__oidc/logout` (OpenID Connect RP-Initiated Logout): ends the session with its refresh tokens, and goes back. */
export async function logout(call: Call, view: IssuerView): Promise<Reply> {
  const given = new URLSearchParams(call.method === "POST" ? await call.bodyText() : call.target.search);
  const address = given.get("post_logout_redirect_uri");
  const clientId = given.get("client_id") ?? (await clientOfHint(given.get("id_token_hint"), view));
  const client = view.options.clients.find(({ id }) => id === clientId);
  if (address !== null && !(client && isListedAddress(address, client.postLogoutRedirectUris))) {
    const whose = client ? `for the client ${client.id}` : "without a client; send id_token_hint or client_id";
    return errorPage(`post_logout_redirect_uri ${JSON.stringify(address)} is not listed ${whose}.`);
  }
  await endSession(call, view);
  const headers = { "Set-Cookie": endedCookie(call), "Cache-Control": "no-store" };
  if (address === null) {
    const page = signedOutPage();
    return { ...page, headers: { ...page.headers, ...headers } };
  }
  const url = new URL(address);
  const state = given.get("state");
  if (state !== null) url.searchParams.set("state", state);
  return { status: 303, headers: { ...headers, Location: url.href } };
}

async function endSession(call: Call, view: IssuerView): Promise<void> {
  const { realm } = view;
  const found = browserSession(call, view);
  if (!found) return;
  realm.sessions.delete(found.id);
  const permits = [...realm.refreshTokens.values()].filter(({ session }) => session === found.id);
  await realm.revoked.add(permits.map(({ family }) => family));
}

/** An ID token may have expired since, but it must be one of ours. */
async function clientOfHint(hint: string | null, { keys, issuer }: IssuerView): Promise<string | undefined> {
  if (hint === null) return undefined;
  try {
    const { exp = 0 }: JWTPayload = decodeJwt(hint);
    const { aud } = await keys.verify(hint, { issuer, typ: "JWT", currentDate: new Date((exp - 1) * 1000) });
    return [aud].flat()[0];
  } catch {
    return undefined;
  }
}

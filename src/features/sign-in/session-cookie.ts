import type { Call } from "../../http/call.ts";
import type { IssuerView } from "./issuer.ts";
import type { Session } from "./realm.ts";

const COOKIE = "standin-session";
const FOUND = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`);

/** The session that the browser of a request is in. */
export function browserSession(
  call: Call,
  { realm, now }: IssuerView,
): { readonly id: string; readonly session: Session } | undefined {
  const [, id = ""] = FOUND.exec(call.headers.cookie ?? "") ?? [];
  const session = realm.sessions.get(id);
  return session && session.endsAt > now ? { id, session } : undefined;
}

export function sessionCookie(call: Call, id: string): string {
  return cookie(call, id);
}

export function endedCookie(call: Call): string {
  return `${cookie(call, "")}; Max-Age=0`;
}

/** Below the path of a sandbox, it is that sandbox's alone. Frames of other sites get it where that is allowed: over TLS. */
function cookie({ prefix, isEncrypted }: Call, value: string): string {
  const site = isEncrypted ? "SameSite=None; Secure" : "SameSite=Lax";
  return `${COOKIE}=${value}; Path=${prefix}/__oidc; HttpOnly; ${site}`;
}

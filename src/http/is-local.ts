import { digest, isSameSecret } from "../layers/same-secret.ts";
import type { Call } from "./call.ts";
import type { ServiceSettings } from "./settings.ts";

/** Headers by which proxies tell that they pass a request on. */
const FORWARDING = /^(?:x-forwarded(?:-.*)?|forwarded|x-real-ip|via)$/;
const LOOPBACK = /^(::1|(::ffff:)?127(\.\d+){3})$/i;

/** Whether a request comes from this machine, and not through a proxy on it, or brings the token of the server's admin. */
export function isLocal(call: Call, settings: Pick<ServiceSettings, "adminToken">): boolean {
  return isOfThisMachine(call) || isOfAdmin(call, settings);
}

function isOfAdmin({ headers }: Call, { adminToken }: Pick<ServiceSettings, "adminToken">): boolean {
  const [, token] = /^Bearer +(.+)$/i.exec(headers.authorization ?? "") ?? [];
  return !!adminToken && token !== undefined && isSameSecret(digest(token), digest(adminToken));
}

function isOfThisMachine({ remoteAddress, headers, isTrusted }: Call): boolean {
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  // A `Request` has no address: it may come from anywhere, unless a program vouches for it.
  return remoteAddress === undefined ? isTrusted : LOOPBACK.test(remoteAddress);
}

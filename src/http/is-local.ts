import type { Call } from "./call.ts";

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d+){3})$/i;

/** Whether a request comes from this machine, and not through a proxy on it. */
export function isLocal({ remoteAddress, headers, isTrusted }: Call): boolean {
  if (headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined) return false;
  // A `Request` has no address: it may come from anywhere, unless a program vouches for it.
  return remoteAddress === undefined ? isTrusted : LOOPBACK.test(remoteAddress);
}

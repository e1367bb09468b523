import type { Call } from "./call.ts";

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d+){3})$/i;

/** Whether a request comes from this machine, and not through a proxy on it. */
export function isLocal({ remoteAddress, headers }: Call): boolean {
  if (headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined) return false;
  // Without an address, it comes from this process.
  return remoteAddress === undefined || LOOPBACK.test(remoteAddress);
}

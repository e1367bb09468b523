import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Addresses of this machine and of networks that clients may not reach themselves. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv4");
}
PRIVATE.addSubnet("::", 127, "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

/** Whether an address leads to this machine or a private network, by its number or by the name of its host. */
export async function isPrivate(address: string): Promise<boolean> {
  const host = hostOf(address);
  if (isIP(host)) return isPrivateNumber(host);
  if (/(^|\.)localhost\.?$/.test(host)) return true;
  // An unknown name leads nowhere.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some((one) => isPrivateNumber(one.address));
}

/** The name or number of the host, without the brackets of an IPv6 address. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, "");
}

function isPrivateNumber(number: string): boolean {
  return PRIVATE.check(number, isIP(number) === 6 ? "ipv6" : "ipv4");
}

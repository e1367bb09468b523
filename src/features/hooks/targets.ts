import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";

/** Addresses that no webhook has a reason to go to: networks without a name, metadata of clouds, all machines at once. */
const FORBIDDEN = new BlockList();
FORBIDDEN.addSubnet("0.0.0.0", 8, "ipv4");
FORBIDDEN.addSubnet("169.254.0.0", 16, "ipv4");
FORBIDDEN.addSubnet("224.0.0.0", 3, "ipv4");
FORBIDDEN.addAddress("::", "ipv6");
// The same, as networks that translate addresses write them, and the metadata of a cloud.
for (const prefix of ["64:ff9b::", "::"]) FORBIDDEN.addSubnet(`${prefix}169.254.0.0`, 112, "ipv6");
FORBIDDEN.addSubnet("64:ff9b::0.0.0.0", 104, "ipv6");
FORBIDDEN.addSubnet("64:ff9b::224.0.0.0", 99, "ipv6");
FORBIDDEN.addSubnet("2002:a9fe::", 32, "ipv6");
FORBIDDEN.addAddress("fd00:ec2::254", "ipv6");
FORBIDDEN.addSubnet("fe80::", 10, "ipv6");
FORBIDDEN.addSubnet("ff00::", 8, "ipv6");
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Finds the addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A target that no request is sent to. */
export class TargetRefused extends Error {}

/** Resolves the name of a target, and refuses the address where that must not be connected to. */
export function lookupFor(url: URL, ownPort: number | undefined, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const refused = addresses.map(({ address }) => refusalOf(address, url, ownPort)).find(Boolean);
      const [first] = addresses;
      if (refused || !first) return callback(refused ?? new Error(`${hostname} has no address`), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** A literal address is never looked up. */
export function expectReachable(url: URL, ownPort: number | undefined): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const refused = isIP(host) === 0 ? undefined : refusalOf(host, url, ownPort);
  if (refused) throw refused;
}

function refusalOf(address: string, url: URL, ownPort: number | undefined): TargetRefused | undefined {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  // A `BlockList` knows IPv4 addresses in the form of IPv6, too.
  if (FORBIDDEN.check(address, family)) {
    return new TargetRefused(`TARGET_NOT_ALLOWED: ${address} is not an address that webhooks are sent to.`);
  }
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  if (port === ownPort && isOwnAddress(address, family)) {
    return new TargetRefused("TARGET_NOT_ALLOWED: it is the address of this server.");
  }
  return undefined;
}

function isOwnAddress(address: string, family: "ipv4" | "ipv6"): boolean {
  if (LOOPBACK.check(address, family)) return true;
  const own = new BlockList();
  for (const list of Object.values(networkInterfaces())) {
    for (const one of list ?? []) own.addAddress(one.address, one.family === "IPv6" ? "ipv6" : "ipv4");
  }
  return own.check(address, family);
}

import { isIP } from "../base/addresses.ts";
import { StandinError, StartError } from "../base/errors.ts";
import type { Call } from "./call.ts";
import type { ServiceSettings } from "./settings.ts";

type HostSettings = Pick<ServiceSettings, "trustProxy" | "allowedHosts">;

/** A host with or without a port, as it stands in a Host header. */
const AUTHORITY = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::\d*)?$/;
const HOST_NAME = /^[\w-]+(\.[\w-]+)*\.?$/;
const MAX_SHOWN = 100;

/**
 * Refuses a request to one of our own routes under a host name that is not this server's. A page may point its own name
 * at this machine (DNS rebinding) and then counts as the same origin; what it cannot change is the name that it sends.
 */
export function refuseForeignHost(
  call: Call,
  settings: HostSettings,
  refused = "The routes that begin with /__ are",
): void {
  const foreign = foreignHost(call, settings);
  if (foreign === undefined) return;
  const name = hostName(foreign)?.slice(0, MAX_SHOWN);
  throw new StandinError(
    "HOST_FORBIDDEN",
    `${refused} not served for the host ${JSON.stringify(foreign.slice(0, MAX_SHOWN))}. Use localhost or an ` +
      `IP address; if the name is this server's, start it with --allowedHosts ${name && HOST_NAME.test(name) ? name : "<name>"} ` +
      'or list the name under "allowedHosts" in the config file.',
  );
}

/**
 * Refuses a write to one of our own routes from a page of another origin, regardless of the cross-origin rules for the data: no
 * page that a person happens to visit may reset their server.
 */
export function refuseOtherOrigin({ headers, origin, isSafe, isTrusted }: Call): void {
  const from = headers.origin;
  if (isTrusted || isSafe || from === undefined || from === origin) return;
  throw new StandinError("CROSS_ORIGIN", `A page from ${from} may not write here; only pages of ${origin} may.`);
}

/** Refuses any request from a page of another origin, also one that reads. */
export function refuseOtherReaders({ headers, origin, isTrusted }: Call): void {
  const from = headers.origin;
  if (isTrusted || from === undefined || from === origin) return;
  throw new StandinError("CROSS_ORIGIN", `A page from ${from} may not read this; only pages of ${origin} may.`);
}

/** Whether a request comes under another host name, or from a page of another origin. */
export function isOutsider(call: Call, settings: HostSettings): boolean {
  const { origin } = call.headers;
  return (origin !== undefined && origin !== call.origin) || foreignHost(call, settings) !== undefined;
}

/** The first host that a request names and that is not ours: a page can add the header of a proxy, but not change its own. */
function foreignHost({ headers, isTrusted }: Call, { trustProxy, allowedHosts }: HostSettings): string | undefined {
  if (isTrusted) return undefined;
  const { host, "x-forwarded-host": forwarded = [] } = headers;
  const hosts = trustProxy ? [forwarded].flat().flatMap((one) => one.split(/[,\s]+/).filter(Boolean)) : [];
  // HTTP/1.0 may go without one, which no browser does.
  if (host !== undefined) hosts.push(host);
  return hosts.find((one) => !isOwnHost(hostName(one), allowedHosts));
}

/** The names that our own routes are served for beside local ones: the host to listen on, and those configured. */
export function readAllowedHosts(host: string, configured: readonly string[] = []): string[] {
  const names = configured.flatMap((entry) => entry.split(",").map((name) => name.trim()));
  const wrong = names.find((name) => isIP(name) === 0 && !HOST_NAME.test(name));
  if (wrong !== undefined) {
    throw new StartError(
      `"allowedHosts": ${JSON.stringify(wrong)} is not a host name. Write it without scheme, port and path, such as shop.test.`,
    );
  }
  return [host, ...names].map(plainName);
}

function isOwnHost(name: string | undefined, allowedHosts: readonly string[]): boolean {
  if (name === undefined || name === "") return false;
  // Neither can be anyone else's: RFC 6761 reserves the name, and no lookup stands between a page and an IP address.
  if (name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0) return true;
  return allowedHosts.includes(name);
}

function hostName(host: string): string | undefined {
  const [, address, name] = AUTHORITY.exec(host) ?? [];
  const found = address ?? name;
  return found === undefined ? undefined : plainName(found);
}

/** Case does not count, nor does the dot that ends a full name. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

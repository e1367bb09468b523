import type { IncomingMessage } from "node:http";
import type { Call } from "../../../http/call.ts";
import { FROM_HEADER } from "../../../http/from-header.ts";
import { ownCookie } from "./cookies.ts";
import { endToEnd, fieldsIn } from "./hop-by-hop.ts";
import type { Upstream } from "./upstream.ts";

/** Headers about the upstream's own connection and origin: ours take their place. */
const REPLACED = /^(?:access-control-.*|strict-transport-security|alt-svc|x-standin-from)$/;
/** Headers that every response of ours has: under the same name, the upstream's value takes the place of ours. */
const COMMON: Readonly<Record<string, string>> = { vary: "Vary", "cache-control": "Cache-Control" };

/** The headers of an upstream's response as this server sends them. Duplicates stay duplicates. */
export function ownHeaders(
  call: Call,
  response: IncomingMessage,
  upstream: Upstream,
): Record<string, string | string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of endToEnd(fieldsIn(response.rawHeaders))) {
    const lower = name.toLowerCase();
    if (REPLACED.test(lower)) continue;
    const key = COMMON[lower] ?? name;
    found.set(key, [...(found.get(key) ?? []), ownValue(lower, value, { call, upstream })]);
  }
  found.set(FROM_HEADER, ["upstream"]);
  // A page of another origin reads only headers that are listed.
  if (call.headers.origin !== undefined) found.set("Access-Control-Expose-Headers", [[...found.keys()].join(", ")]);
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

interface Ends {
  readonly call: Call;
  readonly upstream: Upstream;
}

function ownValue(name: string, value: string, ends: Ends): string {
  switch (name) {
    case "location":
      return ownAddress(value, ends);
    case "link":
      return value.replace(/(?<=<)[^>]*/g, (address) => ownAddress(address, ends));
    case "set-cookie": {
      const { call, upstream } = ends;
      const isSecure = call.origin.startsWith("https:");
      return ownCookie(value, { isSecure, upstreamBase: upstream.base, ownBase: call.prefix });
    }
    default:
      return value;
  }
}

/** An address of the upstream as one of this server; any other as it is. */
function ownAddress(address: string, { call, upstream }: Ends): string {
  const isAbsolute = /^(?:https?:)?\/\//i.test(address);
  if (!isAbsolute && !address.startsWith("/")) return address;
  if (!URL.canParse(address, upstream.origin)) return address;
  const { host } = new URL(address, upstream.origin);
  if (isAbsolute && host !== upstream.host) return address;
  const path = isAbsolute ? address.replace(/^(?:https?:)?\/\/[^/?#]*/i, "") : address;
  const isBelow = path === upstream.base || /^[/?#]/.test(path.slice(upstream.base.length));
  const rest = isBelow && path.startsWith(upstream.base) ? path.slice(upstream.base.length) : path;
  return `${isAbsolute ? call.origin : ""}${call.prefix}${rest.startsWith("/") ? "" : "/"}${rest}`;
}

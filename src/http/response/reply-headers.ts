import { crossOriginHeaders, exposedNames } from "../../cross-origin.ts";
import type { Exchange } from "../exchange.ts";
import type { ServiceSettings } from "../settings.ts";
import type { Reply } from "./reply.ts";

/** The headers of every response to a request with this `Origin`: names and values in turn. */
export function commonHeaders(origin: string | undefined, { cors, compression }: ServiceSettings): string[] {
  const vary = [...(cors ? ["Origin"] : []), ...(compression ? ["Accept-Encoding"] : [])].join(", ");
  const list = cors ? crossOriginHeaders(origin, vary) : vary === "" ? [] : ["Vary", vary];
  list.push("Cache-Control", "no-cache");
  return list;
}

/** Adds the headers of a reply that do not depend on how its body is sent. */
export function addReplyHeaders(headers: string[], { req }: Exchange, { headers: given, etag }: Reply): string[] {
  const exposed = exposedNames(given, etag !== undefined && req.headers.origin !== undefined);
  if (exposed !== "") headers.push("Access-Control-Expose-Headers", exposed);
  for (const name in given) {
    const value = given[name]!;
    if (name === "Cache-Control") replaceDefault(headers, name, String(value));
    else if (typeof value === "string") headers.push(name, value);
    else for (const one of value) headers.push(name, one);
  }
  return headers;
}

function replaceDefault(headers: string[], name: string, value: string): void {
  const position = headers.indexOf(name);
  if (position === -1) headers.push(name, value);
  else headers[position + 1] = value;
}

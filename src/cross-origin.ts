import type { IncomingHttpHeaders } from "node:http";

/** Cross-origin headers (CORS). Lists hold names and values in turn. */

/** Response headers that a page of another origin can read only when `Access-Control-Expose-Headers` names them. */
export const EXPOSED_HEADERS: ReadonlySet<string> = new Set(["X-Total-Count", "Link", "Content-Range", "Location"]);

/** Echoes the origin and allows credentials, as 0.17 does. `vary` is the value of `Vary`. */
export function crossOriginHeaders(origin: string | undefined, vary = "Origin"): string[] {
  const list = ["Vary", vary, "Access-Control-Allow-Credentials", "true"];
  if (origin !== undefined) list.push("Access-Control-Allow-Origin", origin);
  return list;
}

/** Allows everything that a preflight asks for, as 0.17 does. */
export function preflightHeaders({
  origin,
  "access-control-request-headers": requested,
}: IncomingHttpHeaders): string[] {
  const list = crossOriginHeaders(origin, "Origin, Access-Control-Request-Headers");
  list.push("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE");
  if (requested !== undefined) list.push("Access-Control-Allow-Headers", requested);
  return list;
}

/** Allows pages of every origin, without credentials: the headers of the cors layer. */
export function anyOriginHeaders(methods: string, headers: string): string[] {
  return [
    ...["Access-Control-Allow-Origin", "*"],
    ...["Access-Control-Allow-Methods", methods],
    ...["Access-Control-Allow-Headers", headers],
  ];
}

import type { IncomingHttpHeaders } from "node:http";

/** Cross-origin headers (CORS). Lists hold names and values in turn. */

/** Response headers that a page of another origin can read only when `Access-Control-Expose-Headers` names them. */
export const EXPOSED_HEADERS: ReadonlySet<string> = new Set([
  "X-Total-Count",
  "Link",
  "Content-Range",
  "Location",
  "Idempotency-Replayed",
  "X-Standin-Code",
  "X-Standin-History",
  "X-Standin-At",
]);

/** Echoes the origin and allows credentials, as 0.17 does. `vary` is the value of `Vary`. */
export function crossOriginHeaders(origin: string | undefined, vary = "Origin"): string[] {
  const list = ["Vary", vary, "Access-Control-Allow-Credentials", "true"];
  if (origin !== undefined) list.push("Access-Control-Allow-Origin", origin);
  return list;
}

/** Allows everything that a preflight asks for, as 0.17 does; it names QUERY, which 0.17 does not know, only if asked. */
export function preflightHeaders(request: IncomingHttpHeaders): string[] {
  const { origin, "access-control-request-headers": requested } = request;
  const list = crossOriginHeaders(origin, "Origin, Access-Control-Request-Headers");
  const query = asksForQuery(request) ? ",QUERY" : "";
  list.push("Access-Control-Allow-Methods", `GET,HEAD,PUT,PATCH,POST,DELETE${query}`);
  if (requested !== undefined) list.push("Access-Control-Allow-Headers", requested);
  return list;
}

/** Whether a preflight asks for the method QUERY. */
export function asksForQuery({ "access-control-request-method": method }: IncomingHttpHeaders): boolean {
  return method === "QUERY";
}

/** Allows pages of every origin, without credentials: the headers of the cors layer. */
export function anyOriginHeaders(methods: string, headers: string): string[] {
  return [
    ...["Access-Control-Allow-Origin", "*"],
    ...["Access-Control-Allow-Methods", methods],
    ...["Access-Control-Allow-Headers", headers],
  ];
}

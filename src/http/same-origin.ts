import { StandinError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Refuses a write to one of our own routes from a page of another origin, whatever cross-origin rules say of the data: no
 * page that a person happens to visit may reset their server.
 */
export function refuseOtherOrigin({ req, origin, isRead, method }: Exchange): void {
  const from = req.headers.origin;
  if (isRead || method === "OPTIONS" || from === undefined || from === origin) return;
  throw new StandinError("CROSS_ORIGIN", `A page from ${from} may not write here; only pages of ${origin} may.`);
}

import { StandinError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";

/** Refuses what would change data. Saving a snapshot changes none. */
export function refuseWrite({ method, isRead, target }: Exchange): void {
  if (isRead || method === "OPTIONS") return;
  if (method === "POST" && /^\/__snapshots__\/?$/.test(target.path)) return;
  throw new StandinError(
    "READ_ONLY",
    `${method} is refused: this server is read-only. Start it without --read-only to write.`,
  );
}

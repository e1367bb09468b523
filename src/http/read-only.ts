import { StandinError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";

/** What is written to, and changes no data all the same. */
const HARMLESS: Readonly<Record<string, string>> = {
  "/__snapshots__": "POST",
  "/__rewrite": "POST",
  "/__requests": "DELETE",
};

/** Refuses what would change data. */
export function refuseWrite({ method, isRead, target }: Exchange): void {
  if (isRead || method === "OPTIONS") return;
  if (HARMLESS[target.path.replace(/\/$/, "")] === method) return;
  throw new StandinError(
    "READ_ONLY",
    `${method} is refused: this server is read-only. Start it without --read-only to write.`,
  );
}

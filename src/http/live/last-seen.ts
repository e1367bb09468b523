import { StandinError } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";

/** The number after which a reader wants to go on: `Last-Event-ID`, which browsers send by themselves, or `after=`. */
export function lastSeen({ req, parameters }: Exchange): number | undefined {
  const header = req.headers["last-event-id"];
  if (header !== undefined && header !== "") return wholeNumber("Last-Event-ID", String(header));
  const given = parameters.get("after")?.[0];
  return given === undefined ? undefined : wholeNumber("after", given);
}

function wholeNumber(name: string, given: string): number {
  const number = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(number)) return number;
  throw new StandinError(
    "QUERY_INVALID",
    `${name}: "${given}" is no id that was given out here; ids are whole numbers.`,
  );
}

import { parseDuration } from "../../base/duration.ts";
import { StandinError } from "../../base/errors.ts";
import type { StoreHistory } from "../../store/history.ts";

const VERSION = /^\d{1,15}$/;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;
/** A plus sign in a query means a space. */
const SPACE_FOR_PLUS = / (?=\d\d:\d\d$)/;

/** A moment as people write it: a version, or a time. */
export type NamedMoment = { readonly version: number } | { readonly time: number };

/** Reads a version (1230), a time (2026-11-16T10:00:00Z) or an age (-5m). `name` is where it stands, for messages. */
export function readMoment(text: string, name: string, now: number): NamedMoment {
  if (VERSION.test(text)) return { version: Number(text) };
  const age = text.startsWith("-") ? parseDuration(text.slice(1)) : undefined;
  if (age !== undefined) return { time: now - age };
  const written = text.replace(SPACE_FOR_PLUS, "+");
  const time = TIME.test(written) ? Date.parse(written) : Number.NaN;
  if (!Number.isNaN(time)) return { time };
  throw invalid(
    `${name}=${text}: expected is a version (1230), a time (2026-11-16T10:00:00Z) or an age (-90s, -5m, -2h, -1d).`,
  );
}

/** The version of a moment. Throws for one in the future; one that is no longer kept is refused when it is read. */
export async function versionOf(moment: NamedMoment, history: StoreHistory<unknown>, now: number): Promise<number> {
  if ("version" in moment) {
    if (moment.version <= history.latest) return moment.version;
    throw invalid(`Version ${moment.version} is in the future: the latest one is ${history.latest}.`);
  }
  if (moment.time <= now) return history.versionAt(moment.time);
  throw invalid(`${new Date(moment.time).toISOString()} is in the future: it is ${new Date(now).toISOString()} here.`);
}

export function invalid(message: string): StandinError {
  return new StandinError("HISTORY_INVALID", message);
}

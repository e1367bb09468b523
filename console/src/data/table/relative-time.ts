import { formatDate } from "../../ui/format.ts";

const WORDS = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** From each of these distances on, the unit is used. */
const UNITS: readonly [atLeastMs: number, unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  [7 * DAY, "week", 7 * DAY],
  [22 * 60 * MINUTE, "day", DAY],
  [45 * MINUTE, "hour", 60 * MINUTE],
  [45_000, "minute", MINUTE],
];

/** Farther times are read as dates. */
const FARTHEST = 30 * DAY;
const DATES = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const DATES_WITHOUT_ZONE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** A time or a date as its distance from now ("3 days ago"), a far one as its date; undefined if it is none. */
export function relativeTime(text: string, kind: "date" | "date-time", now: number): string | undefined {
  if (kind === "date") return relativeDate(text, now);
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  return Math.abs(time - now) > FARTHEST ? DATES.format(time) : inWords(time - now, "now");
}

/** Dates have no zone: the one on the calendar here counts. */
function relativeDate(text: string, now: number): string | undefined {
  const date = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date)) return undefined;
  const here = new Date(now);
  const today = Date.UTC(here.getFullYear(), here.getMonth(), here.getDate());
  return Math.abs(date - today) > FARTHEST ? DATES_WITHOUT_ZONE.format(date) : inWords(date - today, "today");
}

function inWords(distance: number, here: string): string {
  const found = UNITS.find(([atLeastMs]) => Math.abs(distance) >= atLeastMs);
  if (!found) return here;
  const [, unit, ms] = found;
  return WORDS.format(Math.round(distance / ms), unit);
}

/** The exact time, as people read it and as it is stored. */
export function exactTime(text: string, kind: "date" | "date-time"): string {
  if (kind === "date") return text;
  return `${formatDate(text)} · ${text}`;
}

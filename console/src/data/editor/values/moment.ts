const DAY = /^(?!0000)\d{4}-\d\d-\d\d$/;
// Controls know neither the year 0 nor the hour 24: they would be empty.
const MOMENT = /^(\d{4}-\d\d-\d\d)([Tt ])((?!24)\d\d:\d\d)(?:(:\d\d)(\.\d{1,3})?)?(Z|z|[+-]\d\d:?\d\d)?$/;

/** A date and time as it is written: what a clock on the wall shows, and the way it is spelt. */
export interface Moment {
  /** For a control: `2026-01-31T09:30:05`. */
  readonly wall: string;
  /** `Z`, `+02:00` or empty. */
  readonly zone: string;
  readonly separator: string;
  readonly hasSeconds: boolean;
  /** Digits of the fraction of a second. */
  readonly digits: number;
}

/** The spelling of a moment that is yet to be chosen. */
const USUAL: Omit<Moment, "wall"> = { zone: "Z", separator: "T", hasSeconds: true, digits: 0 };

/** Whether a text is a day of the calendar: 2026-02-30 is none. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

export function parseMoment(text: string): Moment | undefined {
  const [, day = "", separator = "T", minutes = "", seconds, fraction = "", zone = ""] = MOMENT.exec(text) ?? [];
  if (!isDay(day) || Number.isNaN(Date.parse(`${day}T${minutes}${seconds ?? ":00"}Z`))) return undefined;
  const wall = `${day}T${minutes}${seconds ?? ""}${fraction}`;
  return { wall, zone, separator, hasSeconds: seconds !== undefined, digits: Math.max(0, fraction.length - 1) };
}

/** Writes what a control holds in the spelling of the text before it. */
export function formatMoment(wall: string, before: Moment | undefined): string {
  const { zone, separator, hasSeconds, digits } = before ?? USUAL;
  const [day = "", clock = ""] = wall.split("T");
  const [hours = "00", minutes = "00", rest = "00"] = clock.split(":");
  const [seconds = "00", fraction = ""] = rest.split(".");
  const needsSeconds = hasSeconds || digits > 0 || Number(rest) !== 0;
  const length = Math.max(digits, fraction.replace(/0+$/, "").length);
  const tail = needsSeconds
    ? `:${seconds}${length > 0 ? `.${fraction.padEnd(length, "0").slice(0, length)}` : ""}`
    : "";
  return `${day}${separator}${hours}:${minutes}${tail}${zone}`;
}

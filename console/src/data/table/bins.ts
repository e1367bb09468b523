import type { Json } from "../../api/json.ts";
import type { FieldKind } from "./columns.ts";

/** The borders of bins, the first one included in its bin, the last one excluded; as numbers, and as the data writes them. */
export interface Edges {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
}

const MOST_BINS = 14;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME_STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 91, 182, 365].map((days) => days * DAY),
];

/** Borders at round numbers or times around all values; undefined if they span no range. */
export function binEdges(kind: FieldKind, least: Json, greatest: Json): Edges | undefined {
  if (kind === "number") {
    if (typeof least !== "number" || typeof greatest !== "number") return undefined;
    const numbers = edgesBetween(least, greatest, roundStep((greatest - least) / MOST_BINS));
    return { numbers, texts: numbers.map(String) };
  }
  const [from, to] = [timeOf(least), timeOf(greatest)];
  if (from === undefined || to === undefined) return undefined;
  const wanted = (to - from) / MOST_BINS;
  const steps = kind === "date" ? TIME_STEPS.filter((step) => step >= DAY) : TIME_STEPS;
  const step = steps.find((one) => one >= wanted) ?? 365 * DAY * roundStep(wanted / (365 * DAY));
  const numbers = edgesBetween(from, to, step);
  const length = kind === "date" ? 10 : undefined;
  return { numbers, texts: numbers.map((time) => new Date(time).toISOString().slice(0, length)) };
}

/** The bin that a value belongs to. */
export function binOf({ numbers }: Edges, value: Json): number | undefined {
  const number = typeof value === "number" ? value : timeOf(value);
  if (number === undefined) return undefined;
  const bin = numbers.findLastIndex((edge) => edge <= number);
  return bin === -1 || bin === numbers.length - 1 ? undefined : bin;
}

function edgesBetween(least: number, greatest: number, step: number): number[] {
  const first = Math.floor(least / step);
  // The greatest value must be below the last border.
  const count = Math.floor(greatest / step) - first + 1;
  return Array.from({ length: count + 1 }, (_, at) => Number(((first + at) * step).toPrecision(15)));
}

/** 1, 2, 2.5 or 5, with zeros: the least such number that is at least this one. */
function roundStep(least: number): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power;
}

function timeOf(value: Json): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

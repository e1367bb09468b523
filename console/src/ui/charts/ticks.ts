const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps that people count time in. */
const TIME_STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28, 91, 365].map((days) => days * DAY),
];

/** Round numbers from 0 up to at least `max`, in at most `most` steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(max: number, most: number, isWhole = false): number[] {
  const least = Math.max(max, Number.MIN_VALUE) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const fitting = [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999_999) ?? 10;
  const step = isWhole ? Math.max(1, Math.ceil(fitting * power)) : fitting * power;
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The smallest step that divides a span into at most `most` parts. */
export function timeStep(spanMs: number, most: number): number {
  const step = TIME_STEPS.find((one) => spanMs / one <= most);
  return step ?? Math.ceil(spanMs / most / DAY) * DAY;
}

/** Round times of day within a span, at most `most` of them. */
export function timeTicks(from: number, to: number, most: number): number[] {
  const step = timeStep(to - from, Math.max(1, most));
  // Half past is half past on the clock of the reader.
  const offset = new Date(from).getTimezoneOffset() * MINUTE;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) ticks.push(at);
  return ticks;
}

/** The time of day of a tick, as exactly as the step between ticks needs it; the date where steps are days. */
export function formatTick(time: number, spanMs: number): string {
  const date = new Date(time);
  if (spanMs >= 2 * DAY) return `${date.getDate()} ${date.toLocaleString("en-GB", { month: "short" })}`;
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return spanMs >= 30 * MINUTE ? clock : `${clock}:${two(date.getSeconds())}`;
}

/** A round duration: "0", "200 ms", "2 s". */
export function formatDurationTick(ms: number): string {
  if (ms === 0) return "0";
  return ms >= SECOND ? `${ms / SECOND} s` : `${ms} ms`;
}

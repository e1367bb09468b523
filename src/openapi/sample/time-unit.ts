import type { Json } from "../../base/json/json.ts";
import { spacedWords } from "../../schema/inference/field-names.ts";

/** The milliseconds in a unit of time. */
export const SECONDS = 1000;
export const MILLISECONDS = 1;
export type TimeUnit = typeof SECONDS | typeof MILLISECONDS;

export interface ToldTime {
  readonly name: string;
  readonly formats: readonly string[];
  readonly examples: readonly Json[];
  readonly description: string | undefined;
}

const OF_FORMAT = /^(?:unix|epoch)|timestamp/i;
const OF_NAME = /(^| )(?:unix|epoch)( |$)|(^| )timestamp$| at$/;
const OF_TIMES = /(^| )(?:at|on|date|time|timestamp|seen|created|updated|modified|expires|expiry)( |$)/;
const OF_DESCRIPTION = /\b(?:unix|epoch|posix)\b/i;
/** Numbers of the years 2001 to 2065 in seconds, and in milliseconds. */
export const FIRST_SECOND = 1e9;
const LAST_SECOND = 3e9;
/** Smaller times since 1970 are in seconds. */
export const FIRST_MILLISECOND = 1e11;

/** The unit in which a number counts the time since 1970; undefined where nothing says that it does. */
export function timeUnitOf({ name, formats, examples, description = "" }: ToldTime): TimeUnit | undefined {
  const words = spacedWords(name);
  const isTold = OF_DESCRIPTION.test(description);
  const example = examples.find((one) => typeof one === "number");
  if (example !== undefined && (isTold || OF_TIMES.test(words) || formats.some((one) => OF_FORMAT.test(one)))) {
    if (example >= FIRST_SECOND && example <= LAST_SECOND) return SECONDS;
    if (example >= FIRST_SECOND * SECONDS && example <= LAST_SECOND * SECONDS) return MILLISECONDS;
  }
  const isTime = isTold || formats.some((one) => OF_FORMAT.test(one)) || OF_NAME.test(words);
  const isNamed = isTime || OF_TIMES.test(words);
  if (isNamed && /\bmilli-?seconds?\b|\bms\b/i.test(description)) return isTime ? MILLISECONDS : undefined;
  if (!isTime || example !== undefined) return undefined;
  return !isTold && formats.includes("int64") ? MILLISECONDS : SECONDS;
}

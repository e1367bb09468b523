import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { FIRST_MILLISECOND, FIRST_SECOND } from "../../../openapi/sample/time-unit.ts";
import { spacedWords } from "../../../schema/inference/field-names.ts";
import { OF_CREATION } from "./time-fields.ts";

const DAY_MS = 86_400_000;
/** A made record ends that long after it was made, where nothing says when. */
const LIFE_MS = 30 * DAY_MS;
const OF_ENDS = /(^| )(?:expiry|expires?|expiration|valid until|valid to|valid till|not after|due)( |$)/;
const OF_LATER = /^(?:last|latest) |(^| )(?:updated|update|modified|modification|changed|edited)( |$)/;
/** When nothing tells of a creation. */
const OF_POSTING = /^(?:posted|submitted)_?(?:at|on|date|time)$/i;
const OF_STARTS = /(?:^|_)(?:start|begin|from|since)|(?:Start|Begin|From|Since)/;

/** Lets the times of a made object and of its parts fit together: nothing is changed or ends before it is made. */
export function withTimesInOrder(record: JsonObject, madeAt?: number): JsonObject {
  const isTimed = ([name, held]: [string, Json], of: RegExp): boolean => of.test(name) && timeIn(held) !== undefined;
  const times = Object.entries(record);
  const created = times.find((one) => isTimed(one, OF_CREATION)) ?? times.find((one) => isTimed(one, OF_POSTING));
  const base = (created && timeIn(created[1])) ?? madeAt;
  const value: JsonObject = { ...record };
  for (const [name, held] of Object.entries(record)) {
    value[name] = isJsonObject(held) || Array.isArray(held) ? withTimesInside(held, base) : later(name, held, base);
  }
  for (const name of Object.keys(value)) swapEnds(value, name);
  return value;
}

function withTimesInside(part: Json, base: number | undefined): Json {
  if (Array.isArray(part)) return part.map((one) => withTimesInside(one, base));
  return isJsonObject(part) ? withTimesInOrder(part, base) : part;
}

function later(name: string, held: Json, base: number | undefined): Json {
  const time = timeIn(held);
  if (time === undefined || base === undefined || time >= base) return held;
  const words = spacedWords(name);
  if (OF_ENDS.test(words)) return inFormOf(held, base + LIFE_MS);
  return OF_LATER.test(words) ? inFormOf(held, base) : held;
}

/** `start_time` and `end_time`, `startsAt` and `endsAt`, `fromDate` and `toDate`. */
function swapEnds(value: JsonObject, name: string): void {
  if (!OF_STARTS.test(name)) return;
  const end = name
    .replace(/start|begin/, "end")
    .replace(/Start|Begin/, "End")
    .replace(/from/, "to")
    .replace(/From/, "To")
    .replace(/since/, "until")
    .replace(/Since/, "Until");
  const [first, last] = [value[name], value[end]];
  const [from, to] = [timeIn(first), timeIn(last)];
  if (first === undefined || last === undefined || typeof first !== typeof last) return;
  if (from === undefined || to === undefined || to >= from) return;
  value[name] = last;
  value[end] = first;
}

function timeIn(value: Json | undefined): number | undefined {
  if (typeof value === "number") {
    return value < FIRST_SECOND ? undefined : value < FIRST_MILLISECOND ? value * 1000 : value;
  }
  const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d|$)/.test(value);
  const time = isTime ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function inFormOf(held: Json, ms: number): Json {
  if (typeof held === "number") return held < FIRST_MILLISECOND ? Math.floor(ms / 1000) : ms;
  const iso = new Date(ms).toISOString();
  return String(held).length === 10 ? iso.slice(0, 10) : iso.replace(".000Z", "Z");
}

import type { Json, JsonObject } from "../../json.ts";

type Random = () => number;

const WORDS = [
  "amber",
  "birch",
  "cedar",
  "delta",
  "ember",
  "fjord",
  "grove",
  "harbor",
  "iris",
  "juniper",
  "lumen",
  "maple",
];
/** Upper bound for generated text. */
const MAX_LENGTH = 10_000;
const DAY_MS = 86_400_000;
/** The days of generated dates: the years 2020 to 2029. */
const FIRST_DAY_MS = Date.UTC(2020, 0, 1);
const DAYS = 3653;

/** Texts by format. Hosts and addresses are those that are set aside for examples (RFC 2606, 5737, 3849). */
const FORMATS: Readonly<Record<string, (random: Random) => string>> = {
  date: (random) => dateTime(random).slice(0, 10),
  "date-time": dateTime,
  time: (random) => dateTime(random).slice(11),
  duration: (random) => `PT${1 + Math.floor(random() * 59)}M`,
  uuid: (random) => {
    const digits = hex(random, 32);
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `a${digits.slice(17, 20)}`,
      digits.slice(20),
    ].join("-");
  },
  email: (random) => `${word(random)}@example.com`,
  hostname: (random) => `${word(random)}.example.com`,
  ipv4: (random) => `192.0.2.${1 + Math.floor(random() * 254)}`,
  ipv6: (random) => `2001:db8::${hex(random, 4)}`,
  uri: (random) => `https://example.com/${word(random)}`,
  url: (random) => `https://example.com/${word(random)}`,
  "uri-reference": (random) => `/${word(random)}`,
  byte: (random) => Buffer.from(word(random)).toString("base64"),
  binary: word,
  password: (random) => `${word(random)}-${hex(random, 6)}`,
};

export function sampleText({ format, minLength, maxLength }: JsonObject, random: Random): string {
  const made = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format]!(random) : words(random);
  const least = Math.min(numberOr(minLength, 0), MAX_LENGTH);
  const most = numberOr(maxLength, Number.POSITIVE_INFINITY);
  const long = made.length < least ? made.repeat(Math.ceil(least / made.length)).slice(0, least) : made;
  return long.slice(0, most);
}

/** Within the bounds, and a multiple where one is required; whole or with two decimals. */
export function sampleNumber(schema: JsonObject, isWhole: boolean, random: Random): number {
  const step = numberOr(schema.multipleOf, isWhole ? 1 : 0.01);
  // Exclusive bounds are numbers in 3.1, and in 3.0 switches beside the inclusive ones.
  const isOpenBelow = schema.exclusiveMinimum === true || typeof schema.exclusiveMinimum === "number";
  const isOpenAbove = schema.exclusiveMaximum === true || typeof schema.exclusiveMaximum === "number";
  const given = {
    min: bound(schema.exclusiveMinimum, schema.minimum),
    max: bound(schema.exclusiveMaximum, schema.maximum),
  };
  const min = given.min ?? (given.max === undefined ? 1 : Math.min(1, given.max - 100));
  const max = given.max ?? Math.max(1000, min + 1000);
  const first = Math.ceil(min / step) + (isOpenBelow && Math.ceil(min / step) * step === min ? 1 : 0);
  const last = Math.floor(max / step) - (isOpenAbove && Math.floor(max / step) * step === max ? 1 : 0);
  const steps = first + Math.floor(random() * Math.max(1, last - first + 1));
  return Number((steps * step).toFixed(10));
}

function bound(exclusive: Json | undefined, inclusive: Json | undefined): number | undefined {
  if (typeof exclusive === "number") return exclusive;
  return typeof inclusive === "number" ? inclusive : undefined;
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : otherwise;
}

function dateTime(random: Random): string {
  const day = FIRST_DAY_MS + Math.floor(random() * DAYS) * DAY_MS;
  return new Date(day + Math.floor(random() * 86_400) * 1000).toISOString().replace(".000", "");
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
}

function word(random: Random): string {
  return WORDS[Math.floor(random() * WORDS.length)]!;
}

function words(random: Random): string {
  return `${word(random)} ${word(random)}`;
}

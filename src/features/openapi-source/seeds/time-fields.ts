import type { Json, JsonObject } from "../../../base/json/json.ts";
import { MAIL_TIME } from "../../../openapi/bind/query/fitting-filters.ts";
import { wordsIn } from "../../../openapi/bind/words.ts";
import { MILLISECONDS, SECONDS, type TimeUnit, timeUnitOf } from "../../../openapi/sample/time-unit.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { isNullable, keyword, recordFieldsOf, typesOf } from "../schema-fields.ts";

/** Writes a time as a schema wants it: as a text, a date, or seconds or milliseconds since 1970. */
export type WriteTime = (ms: number) => Json;

export function timeWriter(references: References, schema: Placed): WriteTime | undefined {
  const types = typesOf(references, schema);
  const format = keyword(references, schema, "format");
  if (types.includes("string")) {
    if (format === "date" || format === "date-only") return (ms) => new Date(ms).toISOString().slice(0, 10);
    if (MAIL_TIME.test(String(format))) return mailTime;
    if (format === "int64") return secondsText;
    // Some documents write `dateTime`.
    return /^date-?time$/i.test(String(format)) ? isoTime : undefined;
  }
  if (!types.includes("integer") && !types.includes("number")) return undefined;
  const unit = toldUnit(references, schema) ?? (format === "int64" ? MILLISECONDS : SECONDS);
  return (ms) => Math.floor(ms / unit);
}

/** The unit that the document tells of a number that is a time. */
function toldUnit(references: References, schema: Placed): TimeUnit | undefined {
  const format = keyword(references, schema, "format");
  const description = keyword(references, schema, "description");
  const examples = keyword(references, schema, "examples");
  return timeUnitOf({
    name: "time",
    formats: typeof format === "string" ? [format] : [],
    examples: [keyword(references, schema, "example") ?? null, ...(Array.isArray(examples) ? examples : [])],
    description: typeof description === "string" ? description : undefined,
  });
}

/** The same for a field whose name says that it is a time: a text of no format is one too. */
export function namedTimeWriter(references: References, schema: Placed, name: string): WriteTime | undefined {
  const known = timeWriter(references, schema);
  const isPlain = ["format", "enum", "pattern", "const"].every((one) => keyword(references, schema, one) === undefined);
  if (known || !isPlain || !typesOf(references, schema).includes("string")) return known;
  const example = keyword(references, schema, "example") ?? "";
  if (/^\w{3}, \d/.test(String(example))) return mailTime;
  if (/^\d{10}$/.test(String(example))) return secondsText;
  if (/^\d{4}-\d\d-\d\d$/.test(String(example))) return (ms) => isoTime(ms).slice(0, 10);
  // As they are made from names alone.
  if (example === "" && ["date", "on"].includes(wordsIn(name).at(-1) ?? "")) return (ms) => isoTime(ms).slice(0, 10);
  return example === "" || /^\d{4}-\d\d-\d\dT/.test(String(example)) ? isoTime : undefined;
}

/** The same for a text whose pattern allows a usual form. */
export function patternedTimeWriter(
  schema: Placed,
  passes: (schema: Placed, value: Json) => boolean,
): WriteTime | undefined {
  const forms: WriteTime[] = [isoTime, (ms) => isoTime(ms).replace(/\.\d+/, ""), (ms) => isoTime(ms).slice(0, 10)];
  return forms.find((write) => passes(schema, write(FIRST_MS)));
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A number that its document describes as a text. */
function secondsText(ms: number): string {
  return String(Math.floor(ms / 1000));
}

/** As mail has it (RFC 2822). */
function mailTime(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}

/** Names of times that change with every write; other times in a record stay. */
export const OF_CHANGES =
  /^(updated|modified|changed|last_?(updated|modified|changed|edited))(_?(at|on|date|time|datetime))?$|^date_?(updated|modified)$|^(update|modification)_?(time|date)$/i;
export const OF_CREATION =
  /^(created|creation|inserted|added)(_?(at|on|date|time|datetime))?$|^(create|creation|created)_?(date|time)$|^date_?created$/i;

/** Names of times at which something has happened: `started_at`, `profileChangedAt`. */
export const OF_PAST = /ed(?:_at|_on|At|On)$/;

/** Names of other times, for numbers. */
const OF_TIMES = /(?:_(?:at|date|timestamp)|[a-z](?:At|Date|Timestamp)|^timestamp)$/;

/** Times and reasons of what has not happened to a new record. */
const NOT_YET =
  /^(?:last_?|date_?)?(?:deleted|deletion|cancell?ed|cancell?ation|archived|closed|removed|ended|revoked|expired|failed|failure|errors?|voided|refunded|suspended|blocked|disabled|completed|finished|paid|disputed)(?:_?(?:at|on|by|date|time|code|message|reason|details))?$/i;

/** Whether a field tells of something that happens to a record later, if at all. */
export function isNotYet(name: string): boolean {
  const spelt = name.replace(/([a-z])([A-Z])/g, "$1_$2");
  return (
    NOT_YET.test(spelt) ||
    /^failure_|^last_(?:used|login|logged|seen|accessed|active|activity|sign|run|sync)/i.test(spelt)
  );
}

const FIRST_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const MAX_DAYS = 700;

/** Flags of records that lists do not have. */
const OF_REMOVAL = /^(?:is_?)?(?:deleted|removed)(?:_?(?:status|flag))?$/i;

/** A made record whose times fit together: it was created before it was changed, and nothing has ended it. */
export function withPlausibleTimes(references: References, schema: Placed, record: JsonObject): JsonObject {
  const fields = recordFieldsOf(references, schema);
  const value = { ...record };
  let created: Json | undefined;
  for (const [name, property] of fields?.properties ?? []) {
    const held = value[name];
    if (held === undefined || held === null) continue;
    if (held === true && OF_REMOVAL.test(name) && keyword(references, property, "enum") === undefined)
      value[name] = false;
    const isTime = timeWriter(references, property) || (typeof held === "string" && /^\d{4}-\d\d-\d\d/.test(held));
    if (isNotYet(name) && isTime) {
      const isLeftOut = isNullable(references, property) || !fields?.required.has(name);
      if (isNullable(references, property)) value[name] = null;
      else if (isLeftOut) delete value[name];
      if (isLeftOut) continue;
    }
    if (!OF_CREATION.test(name) && !OF_CHANGES.test(name) && !(typeof held === "number" && OF_TIMES.test(name)))
      continue;
    const isFree = keyword(references, property, "maximum") === undefined;
    const write = typeof held === "number" && isFree ? timeWriter(references, property) : undefined;
    // A small number is no time since 1970.
    if (write && Number(held) < FIRST_MS / 1000) value[name] = write(FIRST_MS + (Number(held) % MAX_DAYS) * DAY_MS);
    const isOther =
      typeof held === "string" && keyword(references, property, "format") === "int64" && !/^\d+$/.test(held);
    if (isOther) value[name] = secondsText(Date.parse(held) || FIRST_MS);
    if (OF_CREATION.test(name)) created ??= value[name];
  }
  if (created === undefined) return value;
  for (const name of Object.keys(value)) {
    const held = value[name];
    if (OF_CHANGES.test(name) && typeof held === typeof created && timeOf(held) < timeOf(created))
      value[name] = created;
  }
  return value;
}

function timeOf(value: Json | undefined): number {
  return typeof value === "string" ? Date.parse(value) : Number(value);
}

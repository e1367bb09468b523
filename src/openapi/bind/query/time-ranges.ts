import { isJsonObject } from "../../../base/json/json.ts";
import type { Parameter } from "../../read/api-document.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, insideFilter, nounOf, plainName, singularOf, wordsIn } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { partOf } from "./filters-inside.ts";
import { attributesOf } from "./resource-attributes.ts";
import { areSameWords, eventWords, OF_EPOCHS } from "./worded-ranges.ts";

/** Words for both ends of a range of time, in names such as `from`, `date_from` and `fromOrderDate` of orders. */
const STARTS = ["start", "from", "since", "after", "begin", "min"];
const ENDS = ["end", "to", "until", "before", "max"];
/** The same, run together. */
const RUN_TOGETHER =
  /^(?:(start|from|after|begin)(?:date|time|day)|(?:date|time)(from|after)|(end|to|before|until)(?:date|time|day)|(?:date|time)(to|before))$/;
const TIME_WORDS = ["date", "time", "day", "datetime", "timestamp", "interval", "period", "range", "timeframe"];
const FORMAT = /^(?:date|timestamp|y+-m+-d+)$|(?:^|_|-)date[-_]?time(?:$|_)/i;
const OF_COMPARISON = /\bon(?: or |\/)(?:after|before)\b/i;
const OF_CREATION = /\b(?:creat(?:ed|ion)|added)\b/i;
const OF_CHANGES = /\b(?:updated?|modifi(?:ed|cation)|changed)\b/i;
/** "Videos published after this date", "fees with an event date until this date" */
const HAPPENED =
  /\b((?:[a-z]+ )?[a-z]+) (?:(?:on|at) or |or equal to )?(?:after|before|since|from|until|prior to|later than|earlier than)\b/gi;
/** "Limit results to those starting before a given datetime" */
const OF_START = /\bstart(?:s|ing)? (?:on|before|after|from|in)\b/i;
const OF_STOP = /\bend(?:s|ing)? (?:on|before|after|until|in)\b/i;
/** Times that are yet to come. */
const OF_END = /\b(?:expir\w*|due|deadline|valid)\b/i;
/** Times of what became of a record since its creation. */
const OF_RESULT =
  /\b(?:settled|completed|cancell?ed|closed|deleted|archived|resolved|finished|acknowledged|processed|delivered|approved|rejected|confirmed|failed)\b/;
const INCLUSIVE = /\b(?:on|at|equal|same|since)\b|\binclusive\b/i;
const EXCLUSIVE = /\bnot included\b|\bexclusive\b|\b(?:older|newer|earlier|later) than (?:this|the)\b/i;

interface RangeEnd {
  readonly parameter: Parameter;
  /** The last fixed segment of the path. */
  readonly segment: string;
}

/** Whether a parameter is one end of a range of time: it equals nothing. */
export function isEndOfRange(shapes: Shapes, end: RangeEnd): boolean {
  const { name, schema, description = "" } = end.parameter;
  // `StartTime`: "Only include calls that started on this date", and `StartTime>` says itself how it compares.
  if (/[<>]$/.test(name) || /\bon this (?:date|day)\b/i.test(description)) return false;
  if (endOf(end) === undefined || schema === undefined) return false;
  const shape = shapes.of(schema);
  const isText = shape.types.has("string") && shape.format === undefined;
  return isTimeIn(shape, description) || isSeconds(end) || (isText && /date|time/i.test(name));
}

/** Whether a parameter is a time as a number: "Unix date", `start_time`. */
function isSeconds({ parameter: { name, schema, description = "" } }: RangeEnd): boolean {
  const value = schema?.value;
  const isNumber = isJsonObject(value) && (value.type === "integer" || value.type === "number");
  return isNumber && (OF_EPOCHS.test(description) || (/date|time/i.test(name) && value.format === "unix-time"));
}

/** The word that says which end a name is. */
function endOf({ parameter: { name }, segment }: RangeEnd): string | undefined {
  const together = RUN_TOGETHER.exec(plainName(name))
    ?.slice(1)
    .find((word) => word !== undefined);
  if (together !== undefined) return together;
  const own = nounOf(segment);
  const bare = insideFilter(name);
  const isAside = (one: string): boolean => TIME_WORDS.includes(one) || (singularOf(one) === own && !OF_BOTH.test(one));
  const [word, ...others] = wordsIn(bare).filter((one) => !isAside(one));
  return others.length === 0 && word !== undefined && [...STARTS, ...ENDS].includes(word) ? word : undefined;
}

/**
 * The comparison that an end of a range means: with the time that its description speaks of, else with the only one that
 * records have beside those of their creation and their changes, else with that of their creation. Records with a start
 * and an end lie between both. Undefined where none is known.
 */
export function rangeFilter(shapes: Shapes, record: SchemaShape, end: RangeEnd): NamedFilter | undefined {
  const { name, description = "" } = end.parameter;
  const word = endOf(end) ?? "";
  const isStart = STARTS.includes(word);
  const isOpen = EXCLUSIVE.test(description) || (/^(?:after|before)$/.test(word) && !INCLUSIVE.test(description));
  const operator = comparisonOf({ isStart, isOpen });
  const format = end.parameter.schema && shapes.of(end.parameter.schema).format;
  const texts = timesOf(shapes, record);
  const isNumber = isSeconds(end) || (texts.length === 0 && format === undefined && OF_EPOCHS.test(description));
  const seconds = isNumber ? secondsOf(shapes, record) : [];
  // Seconds are compared with times as texts, too.
  const times = seconds.length > 0 ? seconds : texts;
  const happened = happenedIn(description, times, nounOf(end.segment));
  if (happened !== undefined) return { field: happened, operator };
  const words = description.split(/\W+/);
  // `startDate`: "Filter by on/after startDate" of records with a `startDateTime`.
  const timed = OF_COMPARISON.test(description) ? findAlike(times, `${name}Time`) : undefined;
  const named = findAlike(times, name) ?? timed ?? times.find((key) => /[_A-Z]/.test(key) && words.includes(key));
  if (named !== undefined) return { field: named, operator };
  // A field of that name that is no time is meant.
  if (findAlike(record.properties.keys(), name) !== undefined) return undefined;
  const begins = (key: string): boolean => /^(?:starts?|begins?|first)$/.test(wordsIn(key)[0] ?? "");
  const ends = (key: string): boolean => /^(?:ends?|last)$/.test(wordsIn(key)[0] ?? "") && !isChange(key);
  const told = OF_CREATION.test(description)
    ? times.find(isCreation)
    : OF_CHANGES.test(description)
      ? times.find(isChange)
      : OF_START.test(description)
        ? times.find(begins)
        : OF_STOP.test(description)
          ? times.find(ends)
          : undefined;
  if (told !== undefined) return { field: told, operator };
  const isOfLists = times.some((key) => shapes.property(record, key)?.kind === "array");
  const untold = FORMAT.test(format ?? "") ? "date" : name;
  if (!isDated(description === "" && !isOfLists ? untold : description)) return undefined;
  const plain = times.find((key) => /^(?:event)?(?:date|time|datetime|timestamp)$/.test(plainName(lastOf(key))));
  if (plain !== undefined) return { field: plain, operator };
  const hasCreation = times.some(isCreation);
  const isLater = (key: string): boolean => hasCreation && OF_RESULT.test(wordsIn(key).join(" "));
  const own = times.filter(
    (key) => !isCreation(key) && !isChange(key) && !isLater(key) && !OF_END.test(wordsIn(key).join(" ")),
  );
  const [first, last] = [own.find(begins), own.find(ends)];
  if (own.length === 2 && first !== undefined && last !== undefined) return { field: isStart ? first : last, operator };
  const isOfParts = hasTimesWithin(shapes, record) && !/\breport/i.test(description);
  const isCreated = own.length === 0 && !isOfParts;
  const isOfChange = !hasCreation && /\b(?:changes|updates|history)\b/i.test(description);
  const [only, ...others] = !isCreated ? own : isOfChange ? times : times.filter(isCreation);
  return only === undefined || others.length > 0 ? undefined : { field: only, operator };
}

/** The time of what a description says happened before or after. */
function happenedIn(description: string, times: readonly string[], noun: string): string | undefined {
  for (const [, said = ""] of description.matchAll(HAPPENED)) {
    const words = wordsIn(said);
    const found = [words, words.slice(-1)].flatMap((some) => {
      const asked = eventWords(some);
      // "Transactions from", "transaction from"
      if (singularOf(asked.join("")) === noun) return [];
      return times.find((key) => areSameWords(asked, eventWords(wordsIn(lastOf(key))))) ?? [];
    });
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

const AFTER = ["after", "since", "from", "start", "min"];
const BEFORE = ["before", "until", "to", "end", "max"];

/** `changedSince` and `createdBefore` of records with a `lastUpdatedDateTime` and a `creationDate`. */
export function changeFilter(
  shapes: Shapes,
  record: SchemaShape,
  { name, description = "" }: Pick<Parameter, "name" | "description">,
): NamedFilter | undefined {
  const words = wordsIn(name).filter((one) => !TIME_WORDS.includes(one) && one !== "at" && one !== "last");
  const [word = "", other = ""] = words.toSorted((one) => (OF_BOTH.test(one) ? -1 : 1));
  const isAfter = AFTER.includes(other);
  if (words.length !== 2 || !OF_BOTH.test(word) || !(isAfter || BEFORE.includes(other))) return undefined;
  const field = timesOf(shapes, record).find(OF_CREATION.test(word) ? isCreation : isChange);
  const isOpen = /^(?:after|before)$/.test(other) && !INCLUSIVE.test(description);
  const operator = comparisonOf({ isStart: isAfter, isOpen });
  return field === undefined ? undefined : { field, operator };
}

function comparisonOf({ isStart, isOpen }: { readonly isStart: boolean; readonly isOpen: boolean }): string {
  const bare = isStart ? "gt" : "lt";
  return isOpen ? bare : `${bare}e`;
}

const OF_BOTH = /^(?:created|updated|modified|changed)$/;

function isCreation(key: string): boolean {
  return /\b(?:creat(?:e|ed|ion)|added)\b/.test(wordsIn(key).join(" "));
}

function isChange(key: string): boolean {
  return OF_CHANGES.test(wordsIn(key).join(" "));
}

/** The fields of a record that are times, by their schemas, else by their names. */
function timesOf(shapes: Shapes, record: SchemaShape): string[] {
  const keys = [...record.properties.keys()];
  const attributes = attributesOf(shapes, record);
  if (attributes) return timesOf(shapes, attributes).map((key) => `attributes.${key}`);
  const sure = keys.filter((key) => isTime(shapes, record, key));
  return sure.length > 0 ? sure : keys.filter((key) => isNamedTime(shapes, record, key));
}

/** The fields of a record that are times as numbers, by their format or their names. */
function secondsOf(shapes: Shapes, record: SchemaShape): string[] {
  return [...record.properties.keys()].filter((key) => {
    const { types, format } = shapes.property(record, key) ?? {};
    const isNumber = types?.has("integer") === true || types?.has("number") === true;
    return isNumber && (format === "unix-time" || /(?:date|timestamp|created|updated|modified|_at|At)$/i.test(key));
  });
}

/** "End of a date range to retrieve events for" */
function isDated(description: string): boolean {
  const isOther = OF_CREATION.test(description) || OF_CHANGES.test(description);
  const isOfReport = /\bfor (?:the |a |this )?[\w ]{0,40}\breport\b/i.test(description);
  return !isOther && !isOfReport && /(?:date|time|timestamp|period|range)s?\b|^(?:date|time)/i.test(description);
}

function isTime(shapes: Shapes, record: SchemaShape, key: string): boolean {
  const shape = shapes.property(record, key);
  const held = shape?.kind === "array" ? shape.items && shapes.of(shape.items) : shape;
  return held !== undefined && isTimeIn(held);
}

/** Whether parts of records have times, such as `room: { arrival, departure }`, that a range may be about. */
function hasTimesWithin(shapes: Shapes, record: SchemaShape): boolean {
  return [...record.properties.keys()].some((key) => {
    const part = key === "attributes" ? undefined : partOf(shapes, record, key);
    return part?.kind === "object" && [...part.properties.keys()].some((name) => isTime(shapes, part, name));
  });
}

/** `start_date`, of which the schema says no more than that it is a text. */
function isNamedTime(shapes: Shapes, record: SchemaShape, key: string): boolean {
  const { types, format } = shapes.property(record, key) ?? {};
  return types?.has("string") === true && format === undefined && /^(?:date|time|at)$/.test(wordsIn(key).at(-1) ?? "");
}

const AS_TEXT = /\btimestamp\b|\bISO[- ]?8601\b|\bRFC[- ]?3339\b|\bYYYY-?MM-?DD\b|\b\d{4}-\d\d-\d\d|\bdate-?time\b/i;

/** Whether values are times, by their format or by a description such as "in ISO 8601 format". */
function isTimeIn({ format = "", types, schema: { value } }: SchemaShape, told = ""): boolean {
  if (FORMAT.test(format)) return true;
  const description = isJsonObject(value) ? String(value.description) : "";
  return types.has("string") && format === "" && AS_TEXT.test(told || description);
}

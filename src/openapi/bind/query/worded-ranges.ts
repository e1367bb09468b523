import type { Parameter } from "../../read/api-document.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { insideFilter, singularOf, wordsIn } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { type Leaf, leavesIn, nearestLeaf } from "./leaves.ts";

/** The comparison that a word beside the name of a time means. */
const COMPARISONS = new Map(
  Object.entries({
    after: "gt",
    since: "gte",
    from: "gte",
    start: "gte",
    begin: "gte",
    min: "gte",
    before: "lt",
    until: "lte",
    to: "lte",
    end: "lte",
    max: "lte",
    range: "between",
  }),
);
/** Words that times have whatever happened at them. */
const OF_TIMES = [
  "date",
  "time",
  "datetime",
  "timestamp",
  "day",
  "at",
  "on",
  "when",
  "last",
  "in",
  "utc",
  "ms",
  "moment",
  "or",
];
/** Forms of a word, by one of them. */
const FORMS = new Map(
  Object.entries({
    creation: "created",
    create: "created",
    added: "created",
    update: "updated",
    modified: "updated",
    modify: "updated",
    modification: "updated",
    changed: "updated",
    change: "updated",
    edited: "updated",
    starts: "start",
    started: "start",
    ends: "end",
    ended: "end",
    publish: "published",
    publication: "published",
    pub: "published",
    reported: "report",
    complete: "completed",
    completion: "completed",
    expires: "expiry",
    expired: "expiry",
    expiration: "expiry",
  }),
);
export const OF_EPOCHS = /\b(?:unix|epoch|timestamp|millis(?:econds)?)\b/i;
const NAMED_TIME = /(?:date|time|datetime|timestamp|_at|At|_on|On|_ms|[Cc]reated|[Uu]pdated|[Mm]odified)$/;

/**
 * A range of a time with other words than its field: `content_published_since` for `dateContentPublished`,
 * `fromDateTimeSent` for `dateTimeSent`, `transactionToDate` for `transactionDate`, `created_range` for `createdAt`.
 */
export function wordedRange(
  shapes: Shapes,
  record: SchemaShape,
  {
    parameter: { name, schema, description = "" },
    segment,
  }: { readonly parameter: Parameter; readonly segment: string },
): NamedFilter | undefined {
  const shape = schema && shapes.of(schema);
  if (shape && (shape.kind !== "scalar" || shape.types.has("boolean"))) return undefined;
  const words = wordsIn(insideFilter(name));
  const ends = words.filter((word) => COMPARISONS.has(word));
  // `startDateAfter` compares the start.
  const end = ends.find((word) => word !== "start" && word !== "end") ?? ends[0];
  const nouns = wordsIn(segment).map(singularOf);
  const asked = eventWords(words.filter((_, i) => i !== words.indexOf(end ?? "")));
  if (end === undefined || ends.length > 2 || asked.length === 0) return undefined;
  const isNumber = shape?.types.has("integer") === true && !shape.types.has("string");
  const isSeconds = isNumber && OF_EPOCHS.test(description);
  // Deep in other parts, names repeat.
  const most = record.properties.size <= 8 ? 2 : 1;
  const times = leavesIn(shapes, record).filter(
    (leaf) => leaf.depth <= most && (isTime(leaf, isNumber) || (isSeconds && leaf.shape.types.has("integer"))),
  );
  const found =
    nearestLeaf(times.filter(({ key }) => areSameWords(asked, eventWords(wordsIn(key))))) ??
    nearestLeaf(
      times.filter(({ key }) => areSameWords(without(asked, nouns), without(eventWords(wordsIn(key)), nouns))),
    );
  if (found === undefined) return undefined;
  const operator = COMPARISONS.get(end) ?? "gte";
  const isInclusive = /\binclusive\b|\bon or (?:after|before)\b|\b(?:and|or) equal\b/i.test(description);
  return { field: found, operator: isInclusive ? operator.replace(/^([gl]t)$/, "$1e") : operator };
}

/** "Only mail with an ID lower than the given ID" */
const OF_IDS =
  /\bids? (?:(?:that |which )?(?:is|are) )?(?:(greater|higher|larger|newer)|lower|less|smaller|older) than\b( or equal)?/i;
const OF_ENDS = ["last", "first", "max", "min", "since", "until", "before", "after", "from", "to", "start", "end"];

/** `last_mail_id` of mails, whose description says what ids are below or above it. */
export function idBound(
  { name, description = "" }: Parameter,
  { idKey, segment }: { readonly idKey: string; readonly segment: string },
): NamedFilter | undefined {
  const [told, isMore, isEqual] = OF_IDS.exec(description) ?? [];
  const nouns = wordsIn(segment).map(singularOf);
  const [last, ...words] = wordsIn(name).toReversed();
  const isOwn = words.every((word) => OF_ENDS.includes(word) || nouns.includes(singularOf(word)));
  const isId = last === "id" || last === wordsIn(idKey).at(-1);
  // `since`: "Only orders with an id greater than this"
  const isBare = words.length === 0 && OF_ENDS.includes(last ?? "");
  if (told === undefined || !(isBare || (isOwn && isId && words.length > 0))) return undefined;
  return { field: idKey, operator: `${isMore ? "gt" : "lt"}${isEqual ? "e" : ""}` };
}

/** What words say beside that they are of a time. */
export function eventWords(words: readonly string[]): readonly string[] {
  return words.filter((word) => !OF_TIMES.includes(word)).map((word) => FORMS.get(word) ?? word);
}

function without(words: readonly string[], nouns: readonly string[]): readonly string[] {
  return words.filter((word) => !nouns.includes(singularOf(word)));
}

export function areSameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && some.length === others.length && some.every((word) => others.includes(word));
}

/** Whether a field is a time, as a number where the parameter is one. */
function isTime({ key, shape: { types, format = "" } }: Leaf, isNumber: boolean): boolean {
  if (isNumber)
    return (types.has("integer") || types.has("number")) && (format === "unix-time" || NAMED_TIME.test(key));
  return types.has("string") && (format.startsWith("date") || NAMED_TIME.test(key));
}

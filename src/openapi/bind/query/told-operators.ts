import type { Parameter } from "../../read/api-document.ts";
import type { Shapes } from "../schema-shape.ts";
import type { NamedFilter } from "./filter-names.ts";

const INCLUSIVE: Readonly<Record<string, NamedFilter["operator"]>> = { gt: "gte", lt: "lte" };
/** "Issued before this time. Inclusive." */
const OF_INCLUSIVE =
  /(?<!\bnot |\bnon-)\binclusive(?:ly)?\b|\b(?:at|on) or (?:after|before)\b|\b(?:or|and) equal to\b/i;
const STRICT: Readonly<Record<string, NamedFilter["operator"]>> = { gte: "gt", lte: "lt" };

/** "Full or partial", "the last name or part of it", "containing the given text" */
const PARTIAL =
  /\b(?:partial|infix|sub-?string|or (?:a )?part of(?: (?:it|its|the|their)|$)|(?:text|term|string) somewhere in|search for parts of|(?:contains?|containing|includes?|including) (?:the|this|a) (?:given |specified |provided |search )?(?:value|text|string|term)|part filter)\b/i;

/** "Only exact matches will be returned; substring matches will not be evaluated" */
const EXACT = /\bonly exact match/i;

/** "The start and end dates, separated by `..`" */
const BOTH_ENDS = /\b(?:start|from|min)\b.*\b(?:end|to|max)\b.*separated by [`'"]?(?:\.\.|,|\/)/i;

/** "By a prefix match on the event type", "a name that **starts with** this value" */
const PREFIX =
  /\bprefix (?:match|filter|search)\b|\bby [\w ]{1,40} prefix\b|^a prefix of\b|\b(?:name|value|field|which|that) [*_]*(?:start|begin)s? with\b/i;

/** "Get those updated after the specified time", "greater than this value" */
const COMPARES =
  /\b(?:(after|later than|newer than|greater than|more than)|(before|earlier than|older than|less than)) (?:this|the (?:specified|given|provided)) (?:value|number|amount|date|time|datetime|timestamp)\b/i;

/** "With a start before this date" */
const OF_BEFORE =
  /(?<!\bor )(?<!\bon or )\bbefore (?:this|the (?:given|specified)) (?:date|time|datetime|timestamp)\b/i;

/** "Made in 30 minutes or less" */
const AT_MOST = /\bor (?:less|fewer|lower)\b|(?<!\bbe )\bat most\b/i;
const AT_LEAST = /(?<!\bone )\bor (?:more|higher|greater)\b|(?<!\bbe )\bat least\b/i;

/** `max_id`: "older than this id" is without it, and "full or partial" may be a part. */
export function toldFilter(
  shapes: Shapes,
  filter: NamedFilter,
  { name, schema, description = "" }: Pick<Parameter, "name" | "schema" | "description">,
): NamedFilter {
  const types = schema ? shapes.of(schema).types : new Set<string>();
  const isText = types.size === 0 || types.has("string");
  if (!filter.operator && isText && BOTH_ENDS.test(description)) return { ...filter, operator: "between" };
  // `userNameFilter` of users is about a part, too.
  const isOfPart = (PARTIAL.test(description) && !EXACT.test(description)) || /\wFilter$/.test(name);
  if (!filter.operator && isText && isOfPart) return { ...filter, operator: "contains" };
  if (!filter.operator && isText && PREFIX.test(description)) return { ...filter, operator: "startsWith" };
  const [, isMore, isLess] = (!filter.operator && COMPARES.exec(description)) || [];
  if (isMore ?? isLess) return { ...filter, operator: isMore ? "gt" : "lt" };
  if (!filter.operator && isBoundTold(shapes, schema, description)) {
    return { ...filter, operator: AT_MOST.test(description) ? "lte" : "gte" };
  }
  const inclusive = INCLUSIVE[filter.operator ?? ""];
  if (inclusive !== undefined && OF_INCLUSIVE.test(description)) return { ...filter, operator: inclusive };
  // Those since an id come after it.
  const isStrict =
    /^since_?id$/i.test(name) ||
    /\b(?:older|newer|earlier|later|less|greater|lower|higher) than\b(?! or)/i.test(description);
  const strict = STRICT[filter.operator ?? ""];
  const isBefore = filter.operator === "lte" && OF_BEFORE.test(description);
  return (isStrict || isBefore) && strict !== undefined ? { ...filter, operator: strict } : filter;
}

/** Whether a parameter is a number that others are compared with. */
export function isBoundTold(shapes: Shapes, schema: Parameter["schema"], description: string): boolean {
  const shape = schema && shapes.of(schema);
  const isNumber = shape !== undefined && (shape.types.has("integer") || shape.types.has("number"));
  // "Must be 1 or higher" tells which values there are.
  const told = description.replace(/[^.;]*\b(?:must|has to|should) be\b[^.;]*/gi, "");
  return isNumber && AT_MOST.test(told) !== AT_LEAST.test(told);
}

import { isJsonObject } from "../../base/json/json.ts";
import type { Parameter } from "../read/api-document.ts";
import type { NamedFilter } from "./filter-names.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { findAlike, plainName, wordsIn } from "./words.ts";

/** Names of both ends of a range of time. */
const STARTS = ["start", "from", "since", "after", "startdate", "fromdate", "datefrom", "starttime", "begintime"];
const ENDS = ["end", "to", "until", "before", "enddate", "todate", "dateto", "endtime"];
const FORMATS = ["date", "date-time"];
const OF_COMPARISON = /\bon(?: or |\/)(?:after|before)\b/i;
const OF_CREATION = /\bcreat(?:ed|ion)\b/i;
const OF_CHANGES = /\b(?:updated?|modifi(?:ed|cation)|changed)\b/i;

/** Whether a parameter is one end of a range of time: it equals nothing. */
export function isEndOfRange({ name, schema, description = "" }: Parameter, shapes: Shapes): boolean {
  const isNamed = STARTS.includes(plainName(name)) || ENDS.includes(plainName(name));
  // `StartTime`: "Only include calls that started on this date", and `StartTime>` says itself how it compares.
  if (/[<>]$/.test(name) || /\bon this (?:date|day)\b/i.test(description)) return false;
  return isNamed && schema !== undefined && isTimeIn(shapes.of(schema), description);
}

/**
 * The comparison that an end of a range means: with the time that its description speaks of, else with the only one that
 * records have beside those of their creation and their changes, else in reports with that of their creation. Undefined
 * where none is known.
 */
export function rangeFilter(
  shapes: Shapes,
  record: SchemaShape,
  { name, description = "" }: Parameter,
): NamedFilter | undefined {
  const operator = STARTS.includes(plainName(name)) ? "gte" : "lte";
  const times = [...record.properties.keys()].filter((key) => isTime(shapes, record, key));
  const words = description.split(/\W+/);
  // `startDate`: "Filter by on/after startDate" of records with a `startDateTime`.
  const timed = OF_COMPARISON.test(description) ? findAlike(times, `${name}Time`) : undefined;
  const named = findAlike(times, name) ?? timed ?? times.find((key) => /[_A-Z]/.test(key) && words.includes(key));
  if (named !== undefined) return { field: named, operator };
  const isCreation = (key: string): boolean => OF_CREATION.test(wordsIn(key).join(" "));
  const isChange = (key: string): boolean => OF_CHANGES.test(wordsIn(key).join(" "));
  const told = OF_CREATION.test(description)
    ? times.find(isCreation)
    : OF_CHANGES.test(description)
      ? times.find(isChange)
      : undefined;
  const own = times.filter((key) => !isCreation(key) && !isChange(key));
  const isReport = own.length === 0 && /\breport/i.test(description);
  const [only, ...others] = isReport ? times.filter(isCreation) : own;
  const field = told ?? (others.length === 0 && isDated(description) ? only : undefined);
  return field === undefined ? undefined : { field, operator };
}

/** "End of a date range to retrieve events for" */
function isDated(description: string): boolean {
  const isOther = OF_CREATION.test(description) || OF_CHANGES.test(description);
  return !isOther && /\b(?:date|time|period|range)\b/i.test(description);
}

function isTime(shapes: Shapes, record: SchemaShape, key: string): boolean {
  const shape = shapes.property(record, key);
  const held = shape?.kind === "array" ? shape.items && shapes.of(shape.items) : shape;
  return held !== undefined && isTimeIn(held);
}

/** Whether values are times, by their format or by a description such as "in ISO 8601 format". */
function isTimeIn({ format = "", types, schema: { value } }: SchemaShape, told = ""): boolean {
  if (FORMATS.includes(format)) return true;
  const description = isJsonObject(value) ? String(value.description) : "";
  return types.has("string") && format === "" && /\bISO[- ]?8601\b/i.test(told || description);
}

import { MAIL_TIME } from "../../../openapi/bind/query/fitting-filters.ts";
import { SEPARATED } from "../../../openapi/bind/query/record-filters.ts";
import { nounOf, plainName } from "../../../openapi/bind/words.ts";
import type { Parameter } from "../../../openapi/read/api-document.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { keyword } from "../schema-fields.ts";

/** A date is the end of a range of times with its whole day. */
export function endOfDay(text: string): string {
  return isDate(text) ? `${text}T23:59:59.999Z` : text;
}

/** A date or a time as mail has it, such as `14 Oct 2016`. */
function inMail(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : new Date(ms).toUTCString().slice(5, isDate(text) ? 16 : 25);
}

/** The time of seconds or milliseconds since 1970. */
function timeOfSeconds(text: string): string {
  const number = /^\d{1,14}$/.test(text) ? Number(text) : undefined;
  if (number === undefined) return text;
  return new Date(text.length > SECONDS_LENGTH ? number : number * 1000).toISOString();
}

/** Of the last second before 2286. */
const SECONDS_LENGTH = 10;

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** `types` takes several values of `type`. */
function isManyOf(name: string, field: string): boolean {
  const own = plainName(field.split(".").at(-1) ?? "");
  return plainName(name).endsWith("s") && own !== plainName(name) && nounOf(name).endsWith(own);
}

interface FilterGiven {
  readonly parameter: Parameter | undefined;
  readonly field: string;
  readonly operator: string | undefined;
  readonly values: readonly string[];
  readonly property: Placed | undefined;
}

/** The values of a filter; none where they are words such as `all` that no record can have. */
export function filterValues(
  references: References,
  { parameter, field, operator, values, property }: FilterGiven,
): readonly string[] {
  if (/^!?null$/.test(operator ?? "")) return values.filter((one) => /^(?:true|false)$/.test(one));
  const isList =
    (parameter?.schema && keyword(references, parameter.schema, "type") === "array") ||
    SEPARATED.test(parameter?.description ?? "") ||
    isManyOf(parameter?.name ?? "", field);
  const given = isList ? values.flatMap((value) => value.split(separatorOf(parameter))) : values;
  const known = property && keyword(references, property, "enum");
  // `ACTIVE` is `active`.
  const wanted = given.map((value) => {
    const alike = Array.isArray(known) && !known.includes(value) && plainName(value) !== "" ? known : [];
    return String(alike.find((one) => plainName(String(one)) === plainName(value)) ?? value);
  });
  const isKnown = (value: string): boolean => Array.isArray(known) && known.some((one) => String(one) === value);
  // A word that only the parameter has, such as `upcoming`, is no value of the field.
  const words = parameter?.schema && keyword(references, parameter.schema, "enum");
  const isWord = (value: string): boolean =>
    Array.isArray(known) && Array.isArray(words) && words.some((one) => String(one) === value);
  const format = property && keyword(references, property, "format");
  const isTime =
    format === "date-time" && parameter?.schema && keyword(references, parameter.schema, "type") === "integer";
  if (isTime) return wanted.map(timeOfSeconds);
  const held = wanted.filter((value) => isKnown(value) || !(isWord(value) || /^(all|any|\*)?$/i.test(value)));
  if (operator === "contains" && MAIL_TIME.test(String(format))) return held.map(inMail);
  return operator === "lte" && format === "date-time" ? held.map(endOfDay) : held;
}

function separatorOf({ style, description = "" }: Partial<Pick<Parameter, "style" | "description">> = {}): string {
  if (style === "pipeDelimited" || /\bpipe[- ](?:separated|delim\w+)\b/i.test(description)) return "|";
  if (/\bsemi-?colon[- ](?:separated|delim\w+)\b/i.test(description)) return ";";
  return style === "spaceDelimited" ? " " : ",";
}

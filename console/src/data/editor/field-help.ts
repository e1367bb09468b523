import type { RuledField } from "../../api/overview.ts";
import { capitalise } from "../../ui/format.ts";

const FORMATS: Readonly<Record<string, string>> = {
  // Its control says so.
  date: "",
  "date-time": "a date and time such as 2026-01-31T09:30:00Z",
  time: "a time such as 09:30:00Z",
  email: "an email address",
  uri: "an absolute URI",
  uuid: "a UUID",
};

/** Describes a field to the person who fills it in: the author's own words, then what the rules allow. */
export function helpFor(rule: RuledField): string {
  const allowed = [kindWords(rule), rangeWords(rule), lengthWords(rule), patternWords(rule), keyWords(rule)];
  const limits = allowed.filter((words) => words !== "").join(", ");
  return [rule.title, rule.description, capitalise(limits)]
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (/[.!?]$/.test(part as string) ? part : `${part}.`))
    .join(" ");
}

function kindWords({ type = [], format, multipleOf }: RuledField): string {
  if (format !== undefined) return FORMATS[format] ?? `in the format ${format}`;
  if (multipleOf !== undefined && multipleOf !== 1) return `a multiple of ${multipleOf}`;
  return type.includes("integer") || multipleOf === 1 ? "a whole number" : "";
}

function rangeWords({ minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below }: RuledField): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  const ends = [
    ["at least", minimum],
    ["more than", above],
    ["at most", maximum],
    ["less than", below],
  ];
  return ends.flatMap(([words, limit]) => (limit === undefined ? [] : [`${words} ${limit}`])).join(" and ");
}

function lengthWords({ minLength: least = 0, maxLength: most }: RuledField): string {
  const unit = (most ?? least) === 1 ? "character" : "characters";
  if (most === undefined) return least > 0 ? `at least ${least} ${unit}` : "";
  if (least === most) return `exactly ${most} ${unit}`;
  return least > 0 ? `${least} to ${most} ${unit}` : `at most ${most} ${unit}`;
}

function patternWords({ pattern }: RuledField): string {
  return pattern === undefined ? "" : `matching ${pattern}`;
}

function keyWords({ isUnique, refersTo, type = [] }: RuledField): string {
  const reference = `${type.includes("array") ? "ids of records" : "the id of a record"} in ${refersTo}`;
  return [refersTo === undefined ? "" : reference, isUnique ? "unique" : ""].filter((words) => words !== "").join(", ");
}

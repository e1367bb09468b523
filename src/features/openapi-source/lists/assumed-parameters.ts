import type { BoundParameter } from "../../../openapi/bind/binding.ts";
import type { Operation, Parameter } from "../../../openapi/read/api-document.ts";
import type { Parameters } from "../../../query/parameters.ts";
import type { References } from "../../../schema/references.ts";
import { keyword } from "../schema-fields.ts";
import { DIRECTION } from "./sort-fields.ts";

interface Declared {
  readonly parameters: readonly BoundParameter[];
  readonly declaredAs: (one: BoundParameter) => Parameter | undefined;
  /** Whether records have the field that a list is sorted by. */
  readonly isField: (name: string) => boolean;
}

/** "sorted by creation date, with the most recent charges appearing first" */
const NEWEST_FIRST =
  /\b(?:newest|most recent(?:ly created)?)(?: \w+){0,4} first\b|\breverse[- ]chronological order\b|\bnewest to (?:the )?oldest\b/i;

/** Whether a list says that it begins with the newest records. */
export function isNewestFirst({ summary, description }: Pick<Operation, "summary" | "description">): boolean {
  return NEWEST_FIRST.test(`${summary}. ${description}`);
}

/** Values of filters that take in every record. */
const EVERYTHING = /^(?:all|any|both|\*)$/i;

/**
 * The defaults that decide which records a list has and in which order: `state` is `open` unless a request says
 * otherwise, and the newest come first. A filter counts if another of its values lists everything.
 */
export function assumedParameters(references: References, { parameters, declaredAs, isField }: Declared): Parameters {
  const assumed = new Map<string, readonly string[]>();
  const defaultOf = (one: BoundParameter, key = "default"): unknown => {
    const schema = declaredAs(one)?.schema;
    return schema && keyword(references, schema, key);
  };
  const sort = parameters.find(({ role }) => role === "sort");
  const sorted = sort && defaultOf(sort);
  const hasOtherOrder = typeof sorted === "string" && !isField(sorted);
  for (const one of parameters) {
    if (one.states?.[""]) assumed.set(one.name, [""]);
    const value = defaultOf(one);
    if (typeof value !== "string") continue;
    const listed = defaultOf(one, "enum");
    const isAssumed =
      one.role === "filter"
        ? Array.isArray(listed) && listed.some((text) => EVERYTHING.test(String(text))) && !EVERYTHING.test(value)
        : one === sort
          ? !hasOtherOrder
          : // Records are in the order of their creation anyway.
            one.role === "order" &&
            !hasOtherOrder &&
            DIRECTION.test(value) &&
            (/^desc/i.test(value) || sorted !== undefined);
    if (isAssumed) assumed.set(one.name, [value]);
  }
  return assumed;
}

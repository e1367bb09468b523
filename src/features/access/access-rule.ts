import { messageOf, StartError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import { conditionsIn, conjunctsOf } from "../../query/filter.ts";
import { PARAMETERS } from "../../query/parameters.ts";
import { parseParameters, parseQuery } from "../../query/parse-query.ts";
import type { Condition, Filter } from "../../query/query.ts";
import { isBound, placeholdersIn } from "./bound-values.ts";

/** Who may read or write a record, as the config says it. */
export type AccessRule =
  | { readonly kind: "anyone" | "owner" | "nobody" }
  | { readonly kind: "role"; readonly role: string }
  /** The filters have places for values of the user. */
  | { readonly kind: "filters"; readonly where: readonly Filter[] };

const WORDS = ["owner", "anyone"] as const;
/** The parameters of a rule beside plain filters. */
const COMBINING = ["_or", "_where"];

/** Reads a rule; `fail` adds its place to a message. */
export function parseAccessRule(text: string, fail: (problem: string) => StartError): AccessRule {
  const word = WORDS.find((one) => one === text);
  if (word) return { kind: word };
  if (text.startsWith("role:") && text.length > "role:".length) {
    return { kind: "role", role: text.slice("role:".length) };
  }
  if (!text.includes("=")) {
    throw fail(
      `${JSON.stringify(text)} is no rule; allowed are owner, anyone, role:<name>, ` +
        `or filters such as team={{user.team}}.${didYouMean(text, WORDS)}`,
    );
  }
  return { kind: "filters", where: parseFilters(text, fail) };
}

function parseFilters(text: string, fail: (problem: string) => StartError): readonly Filter[] {
  const parameters = parseParameters(text);
  const other = [...parameters.keys()].find((name) => PARAMETERS.includes(name) && !COMBINING.includes(name));
  if (other !== undefined) throw fail(`${other} does not choose records; allowed are filters, _or and _where.`);
  try {
    const where = parseQuery(parameters).where.flatMap(conjunctsOf);
    if (where.length === 0 || where.some(isEmpty)) throw new StartError("A part of it has no condition.");
    for (const condition of where.flatMap(conditionsIn)) refuseUnsafe(condition);
    return where;
  } catch (thrown) {
    throw fail(messageOf(thrown));
  }
}

/** Whether a combination holds for all records, because it has nothing to combine. */
function isEmpty(filter: Filter): boolean {
  return !filter.comparison && (filter.parts.length === 0 || filter.parts.some(isEmpty));
}

/** Refuses conditions that a missing field, or a user's own text, could make hold for more than was meant. */
function refuseUnsafe({ operator, path, values, isNegated = false }: Condition): void {
  if (placeholdersIn(path.text).length > 0) throw new StartError("A value of the user cannot be the name of a field.");
  if (operator === "null" && values.includes(String(!isNegated))) {
    throw new StartError(`${path.text}:null=true would hold for a misspelt field, too; use a field that records have.`);
  }
  const isPattern = operator === "like" || operator === "near" || operator === "null";
  if (isPattern && values.some(isBound)) {
    throw new StartError(`${path.text}: ${operator} takes no value of the user, which could be a pattern for all.`);
  }
  const unknown = values.flatMap(placeholdersIn).find((name) => !name.startsWith("user."));
  if (unknown !== undefined)
    throw new StartError(`{{${unknown}}} is not known; write {{user.id}} or {{user.<claim>}}.`);
}

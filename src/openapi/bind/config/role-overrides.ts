import type { StartError } from "../../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { didYouMean } from "../../../base/nearest.ts";
import type { BoundParameter, ValueFilter } from "../binding.ts";
import { FILTER_OPERATORS } from "../query/filter-names.ts";
import { ENVELOPE_ROLES, type EnvelopeRole, PARAMETER_ROLES } from "../roles.ts";
import { MEANING } from "./bind-schema.ts";

/** The meaning of a parameter; false for none. */
export type Meaning = Omit<BoundParameter, "name"> | false;

/** Corrections of what the parameters of lists and the fields around them mean. */
export interface RoleOverrides {
  readonly query?: ReadonlyMap<string, Meaning>;
  /** By the names that lead to a field, with dots between them. */
  readonly fields?: ReadonlyMap<string, EnvelopeRole | false>;
}

export const ROLE_SETTINGS = ["query", "fields"] as const;

type Fail = (key: string, problem: string) => StartError;
type Refuse = (problem: string) => StartError;

const NOTHING = "false for nothing";

/** Reads `query` and `fields`; an error names the parameter or the field, and says what is allowed. */
export function readRoleOverrides({ query, fields }: JsonObject, fail: Fail): RoleOverrides {
  const at =
    (...keys: string[]): Refuse =>
    (problem) =>
      fail(keys.join("."), problem);
  return {
    ...(query !== undefined && {
      query: byName(query, at("query"), (value, name) => readMeaning(name, value, at("query", name))),
    }),
    ...(fields !== undefined && {
      fields: byName(fields, at("fields"), (value, name) => readField(value, at("fields", name))),
    }),
  };
}

function byName<T>(given: Json, refuse: Refuse, read: (value: Json, name: string) => T): ReadonlyMap<string, T> {
  if (!isJsonObject(given)) throw refuse("must be an object, by name.");
  return new Map(Object.entries(given).map(([name, value]) => [name, read(value, name)]));
}

function readField(value: Json, refuse: Refuse): EnvelopeRole | false {
  if (value === false) return false;
  const role = ENVELOPE_ROLES.find((one) => one === value);
  if (role) return role;
  throw refuse(`must be one of ${ENVELOPE_ROLES.join(", ")}, or ${NOTHING}.${nearest(value, ENVELOPE_ROLES)}`);
}

function readMeaning(name: string, value: Json, refuse: Refuse): Meaning {
  if (value === false) return false;
  if (isJsonObject(value)) return { role: "filter", states: readStates(value, refuse) };
  const [first = "", ...words] = typeof value === "string" ? value.split(" ") : [];
  const role = PARAMETER_ROLES.find((one) => one === first);
  if (!role) throw refuse(`must be ${MEANING}; or ${NOTHING}.${nearest(first, PARAMETER_ROLES)}`);
  if (words.length > 0 && role !== "filter" && role !== "order") throw refuse(`"${role}" has nothing behind it.`);
  return { role, ...comparison(role === "filter" && words.length === 0 ? [name] : words) };
}

/** `price gte`, where a field may have blanks in its name. */
function comparison(words: readonly string[]): Pick<BoundParameter, "field" | "operator"> {
  const last = words.length > 1 ? words.at(-1)! : "";
  const field = (isOperator(last) ? words.slice(0, -1) : words).join(" ");
  return { ...(field !== "" && { field }), ...(isOperator(last) && last !== "eq" && { operator: last }) };
}

function isOperator(word: string): boolean {
  return FILTER_OPERATORS.has(word.replace(/^!/, ""));
}

function readStates(given: JsonObject, refuse: Refuse): Readonly<Record<string, ValueFilter>> {
  const states = Object.entries(given).map(([value, told]): [string, ValueFilter] => {
    const [, field = "", operator = "", wanted = ""] =
      /^(\S+) (\S+) (.*)$/s.exec(typeof told === "string" ? told : "") ?? [];
    if (!isOperator(operator)) {
      const names = [...FILTER_OPERATORS].join(", ");
      throw refuse(`"${value}" must be a field, an operator (${names}) and a value, such as "status eq open".`);
    }
    return [value, { field, ...(operator !== "eq" && { operator }), value: wanted }];
  });
  return Object.fromEntries(states);
}

function nearest(value: Json, names: readonly string[]): string {
  return typeof value === "string" ? didYouMean(value, names) : "";
}

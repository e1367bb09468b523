import type { Json } from "../../base/json/json.ts";
import type { SignedInUser } from "../../http/signed-in-user.ts";
import { operatorNamed } from "../../query/operator-table.ts";
import { equality } from "../../query/operators/eq.ts";
import { nullness } from "../../query/operators/null.ts";
import { parsePath, valueAt } from "../../query/path.ts";
import type { Condition, Filter } from "../../query/query.ts";

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;
const CLAIMS = "claims.";

/** The filter that no record meets. */
export const NOTHING: Filter = { ...equality(parsePath("id"), []), isFromPath: true };

/** The names between double braces. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

export function isBound(text: string): boolean {
  return text.includes("{{");
}

/** A filter with the values of a user in it, each as one text, whatever it contains. */
export function bindFilter(filter: Filter, user: SignedInUser | undefined): Filter {
  if (!filter.comparison) return { ...filter, parts: filter.parts.map((part) => bindFilter(part, user)) };
  const values = filter.values.map((value) => boundText(value, user));
  if (!values.every((value) => value !== undefined)) return NOTHING;
  const isSame = values.every((value, position) => value === filter.values[position]);
  return strict(isSame ? filter : rebuilt(filter, values));
}

function rebuilt(condition: Condition, values: readonly string[]): Filter {
  const made = operatorNamed(condition.operator)?.create(condition.path, values, condition.path.text);
  return made?.comparison ? { ...made, isNegated: condition.isNegated ?? false } : NOTHING;
}

/** Never ignored, and never met by a record without the field. */
function strict(filter: Filter): Filter {
  if (!filter.comparison) return filter;
  const bound: Condition = { ...filter, isPlain: false, isFromPath: true };
  if (!filter.isNegated) return bound;
  const exists: Condition = { ...nullness(filter.path, ["false"], filter.path.text), isFromPath: true };
  return { operator: "and", parts: [exists, bound] };
}

/** Undefined where a value is missing or empty. */
function boundText(text: string, user: SignedInUser | undefined): string | undefined {
  let isMissing = false;
  const bound = text.replace(PLACEHOLDER, (_, name: string) => {
    const value = user && userText(user, name);
    if (value === undefined || value === "") isMissing = true;
    return value ?? "";
  });
  return isMissing ? undefined : bound;
}

/** A value of a user as text: `user.id`, or a claim by its name; undefined unless it is one value. */
export function userText({ id, claims }: SignedInUser, name: string): string | undefined {
  const path = name.slice("user.".length);
  if (path === "id") return id;
  const claim = path.startsWith(CLAIMS) ? path.slice(CLAIMS.length) : path;
  const value: Json | undefined = valueAt(claims, parsePath(claim));
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? undefined : String(value);
}

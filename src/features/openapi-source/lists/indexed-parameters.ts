import type { JsonObject } from "../../../base/json/json.ts";
import { indexedName } from "../../../openapi/bind/query/indexed-names.ts";
import type { Parameters } from "../../../query/parameters.ts";
import type { FieldOf } from "../filters/filter-expression.ts";
import { combined, conditionOn, operatorMeant } from "../filters/filter-operators.ts";

/** The conditions and orders of a request, read from indexed parameters. */
export interface IndexedRequest {
  readonly where: readonly JsonObject[];
  /** Such as `-name`. */
  readonly sort: readonly string[];
}

/** Reads `filters[0][field]=name&filters[0][value]=Ada`; lists in lists hold alternatives, as Magento's groups do. */
export function readIndexed(given: Parameters, fieldOf: FieldOf): IndexedRequest {
  const entries = new Map<string, { kind: "where" | "sort"; group: string; parts: Map<string, string> }>();
  for (const [name, [value = ""]] of given) {
    const indexed = indexedName(name);
    if (!indexed) continue;
    const { kind, group, entry, part } = indexed;
    const known = entries.get(entry) ?? { kind, group, parts: new Map<string, string>() };
    known.parts.set(part, value);
    entries.set(entry, known);
  }
  const sort: string[] = [];
  const groups = new Map<string, JsonObject[]>();
  for (const { kind, group, parts } of entries.values()) {
    const field = fieldOf(parts.get("field") ?? "");
    if (field === undefined) continue;
    const value = parts.get("value") ?? "";
    if (kind === "sort") {
      sort.push(/^(?:desc|true|-1)/i.test(value) ? `-${field}` : field);
      continue;
    }
    const operator = operatorMeant(parts.get("operator") ?? "eq") ?? "eq";
    const values = operator === "in" || operator === "nin" ? value.split(",") : [value];
    groups.set(group, [...(groups.get(group) ?? []), conditionOn(field, operator, values)]);
  }
  const where = [...groups].flatMap(([group, conditions]) => {
    const isInList = /\.\d+\./.test(group);
    const found = combined(isInList ? "or" : "and", conditions);
    return found ? [found] : [];
  });
  return { where, sort };
}

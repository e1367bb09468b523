import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { PathStep } from "../../../openapi/bind/path-shape.ts";
import { findAlike, singularOf } from "../../../openapi/bind/words.ts";
import { openKey } from "./open-parents.ts";
import { isKeyValue } from "./seen.ts";
import type { SeenCollection } from "./seen-collection.ts";

/** A record that was shown below the values of a path. */
export interface PlacedRecord {
  readonly record: JsonObject;
  readonly values: readonly string[];
}

/**
 * The wildcards before a list that no field of its records has, by position, with the fields that store them. A field that
 * is named like one, but never has its value, is something else: `/feeds/weather/data` may show `feed_id: 5`.
 */
export function findHiddenParents(
  steps: readonly PathStep[],
  shown: readonly PlacedRecord[],
): ReadonlyMap<number, string> {
  const hidden = new Map<number, string>();
  const fields = new Set(shown.flatMap(({ record }) => Object.keys(record)));
  const isScalar = (key: string): boolean =>
    shown.every(({ record }) => !isJsonObject(record[key]) && !Array.isArray(record[key]));
  for (const [position, { name, names }] of wildcardsIn(steps).entries()) {
    const field = names.flatMap((one) => findAlike(fields, one, isScalar) ?? [])[0];
    if (field !== undefined && mayTell(shown, field, position)) continue;
    let stored = name;
    while (fields.has(stored)) stored += "_";
    hidden.set(position, stored);
  }
  return hidden;
}

/** Whether a field has the value of a wildcard in one record at least, or in none any value. */
function mayTell(shown: readonly PlacedRecord[], field: string, position: number): boolean {
  const telling = shown.filter(({ record }) => isKeyValue(record[field]));
  return telling.length === 0 || telling.some(({ record, values }) => String(record[field]) === values[position]);
}

/** The fields of hidden parents, by path and wildcard, where another field is named like it. */
export function storedParents(
  collections: readonly SeenCollection[],
  fieldsOf: (collection: SeenCollection) => Iterable<string>,
): ReadonlyMap<string, string> {
  const stored = new Map<string, string>();
  for (const collection of collections) {
    const { listPath, itemPath, otherLists } = collection;
    const fields = [...fieldsOf(collection)];
    for (const [path, list] of [[listPath, collection], [itemPath, collection], ...otherLists] as const) {
      const wildcards = wildcardsIn(list.listSteps);
      for (const [position, field] of list.hiddenParents) {
        const { name, names } = wildcards[position] ?? { name: "", names: [] };
        const others = fields.filter((one) => one !== field);
        if (names.some((one) => findAlike(others, one) !== undefined)) stored.set(openKey(path, name), field);
      }
    }
  }
  return stored;
}

/** The wildcards of a path, each with the names that a field with its value may have. */
function wildcardsIn(steps: readonly PathStep[]): { readonly name: string; readonly names: readonly string[] }[] {
  return steps.flatMap((step, at) => {
    if (step.kind !== "wildcard") return [];
    const before = steps[at - 1];
    const noun = before?.kind === "fixed" ? singularOf(before.text) : "";
    const { name } = step;
    return [{ name, names: [name, ...(noun === "" ? [] : [`${noun}_${name}`, `${noun}_id`, noun])] }];
  });
}

import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { didYouMean } from "../base/nearest.ts";
import type { DeclaredRelation, DeclaredRelations } from "../store/declared-relations.ts";

const COLLECTION: JsonObject = { type: "string", minLength: 1 };

/** The option `relations` in JSON Schema. */
export const RELATIONS_SCHEMA: JsonObject = {
  additionalProperties: {
    type: "object",
    additionalProperties: {
      description: "The collection that the field refers to; in a list for a field with a list of ids",
      anyOf: [COLLECTION, { type: "array", items: COLLECTION, minItems: 1, maxItems: 1 }],
    },
  },
};

/** Reads `{ "posts": { "authorId": "users", "tags": ["tags"] } }`. */
export function readRelations(relations: JsonObject | undefined, place: string): DeclaredRelations {
  return mapObject(relations ?? {}, (fields, collection) => {
    if (!isJsonObject(fields)) {
      throw new StartError(`${place}: "relations.${collection}" must be an object, such as { "authorId": "users" }.`);
    }
    return mapObject(fields, (target, field) => readTarget(target, `${place}: "relations.${collection}.${field}"`));
  });
}

function readTarget(value: Json, place: string): DeclaredRelation {
  const isList = Array.isArray(value) && value.length === 1;
  const to = isList ? value[0] : value;
  if (typeof to === "string" && to !== "") return { to, isList };
  throw new StartError(`${place} must name a collection: "users", or ["users"] for a list of ids.`);
}

/** Warnings about collections that the data does not have, if a name looks like a typo. */
export function relationMistakes(relations: DeclaredRelations, names: readonly string[]): string[] {
  const targets = Object.values(relations).flatMap((fields) => Object.values(fields).map(({ to }) => to));
  return nameMistakes("relations", [...Object.keys(relations), ...targets], names);
}

/** The same for the names of collections in any option. A name that looks like none is one that may come. */
export function nameMistakes(option: string, used: Iterable<string>, names: readonly string[]): string[] {
  return [...new Set(used)].flatMap((name) => {
    const hint = names.includes(name) ? "" : didYouMean(name, names);
    return hint === "" ? [] : [`"${option}" names "${name}", which the data does not have.${hint}`];
  });
}

/** Adds the relations of the config file, which win, to those of the rules. Once for each version of the rules. */
export function createMerge(declared: DeclaredRelations): (ruled: DeclaredRelations | undefined) => DeclaredRelations {
  let latest: { readonly ruled: DeclaredRelations; readonly merged: DeclaredRelations } | undefined;
  return (ruled) => {
    if (!ruled) return declared;
    if (latest?.ruled !== ruled) {
      const own = mapObject(declared, (fields, collection) => ({ ...ruled[collection], ...fields }));
      latest = { ruled, merged: { ...ruled, ...own } };
    }
    return latest.merged;
  };
}

function mapObject<T, R>(object: Readonly<Record<string, T>>, map: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

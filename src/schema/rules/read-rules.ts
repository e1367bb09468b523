import { StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { readFileSync } from "../../base/platform/files.ts";
import { checkSchema } from "./check-schema.ts";
import { type CollectionRules, ON_DELETE, type OnDelete, type Reference, type Rules } from "./rules.ts";

/** Keys of a rules file that are not collections: the schema of the file itself, and definitions for all collections. */
export const FILE_KEYS: readonly string[] = ["$schema", "$defs", "$comment"];
const REFERENCE_KEYS = ["collection", "onDelete"];
const REFERENCE_FORM = '"companies" or { "collection": "companies", "onDelete": "refuse" }';

/**
 * Reads rules: one JSON Schema for each collection, with `x-unique` and `x-references` beside its keywords. A `StartError`
 * names the file, the key and the allowed values.
 */
export function readRules(value: Json, file: string): Rules {
  if (!isJsonObject(value)) {
    throw new StartError(`${file}: rules must be an object with a JSON Schema for each collection.`);
  }
  const path = Object.keys(value).find((key) => key.startsWith("/"));
  if (path !== undefined) {
    throw new StartError(
      `${file}: ${JSON.stringify(path)} looks like a rewrite rule. Rules are JSON Schemas, one for each collection; ` +
        "rewrite rules belong to the option routes.",
    );
  }
  const shared = value.$defs;
  if (shared !== undefined && !isJsonObject(shared))
    throw new StartError(`${file}: $defs: must be an object of schemas.`);
  if (typeof value.type === "string") {
    throw new StartError(`${file} is one schema; rules have one for each collection: { "products": { ... } }.`);
  }
  const rules = new Map<string, CollectionRules>();
  for (const [name, schema] of Object.entries(value)) {
    if (!FILE_KEYS.includes(name)) rules.set(name, readCollectionRules(schema, { name, file, shared }));
  }
  return rules;
}

interface Place {
  readonly name: string;
  readonly file: string;
  /** Definitions that the schemas of all collections may refer to. */
  readonly shared: JsonObject | undefined;
}

function readCollectionRules(value: Json, { name, file, shared }: Place): CollectionRules {
  const fail = (key: string, problem: string): StartError =>
    new StartError(`${file}: ${[name, ...(key === "" ? [] : [key])].join(".")}: ${problem}`);
  if (!isJsonObject(value)) throw fail("", 'must be a JSON Schema, such as { "required": ["name"] }.');
  const { "x-unique": unique, "x-references": references, ...own } = value;
  const schema = shared ? { ...own, $defs: { ...shared, ...(isJsonObject(own.$defs) ? own.$defs : {}) } } : own;
  return {
    schema,
    ...checkSchema(schema, fail),
    unique: readUnique(unique, fail),
    references: readReferences(references, fail),
  };
}

type Fail = (key: string, problem: string) => StartError;

function readUnique(value: Json | undefined, fail: Fail): readonly string[] {
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.every((field) => typeof field === "string" && field !== "");
  if (!isList) throw fail("x-unique", 'must be a list of fields, such as ["sku"].');
  return [...new Set(value as string[])];
}

function readReferences(value: Json | undefined, fail: Fail): Readonly<Record<string, Reference>> {
  if (value === undefined) return {};
  if (!isJsonObject(value))
    throw fail("x-references", `must be an object of fields, such as { "company_id": ${REFERENCE_FORM} }.`);
  return Object.fromEntries(
    Object.entries(value).map(([field, target]) => {
      const failHere: Fail = (key, problem) => fail(`x-references.${field}${key}`, problem);
      return [field, readReference(target, failHere)];
    }),
  );
}

function readReference(value: Json, fail: Fail): Reference {
  if (typeof value === "string" && value !== "") return { collection: value, onDelete: "allow" };
  if (!isJsonObject(value)) throw fail("", `must be ${REFERENCE_FORM}.`);
  const unknown = Object.keys(value).find((key) => !REFERENCE_KEYS.includes(key));
  if (unknown !== undefined) {
    const known = REFERENCE_KEYS.join(", ");
    throw fail(`.${unknown}`, `is not a setting; allowed are ${known}.${didYouMean(unknown, REFERENCE_KEYS)}`);
  }
  const { collection, onDelete = "allow" } = value;
  if (typeof collection !== "string" || collection === "") throw fail(".collection", "must name a collection.");
  if (!(ON_DELETE as readonly Json[]).includes(onDelete)) {
    throw fail(".onDelete", `is ${JSON.stringify(onDelete)}; allowed values are "allow" and "refuse".`);
  }
  return { collection, onDelete: onDelete as OnDelete };
}

/** Reads the rules of a file, or those of an object; a `StartError` names the file and the key. */
export function loadRules(source: string | JsonObject, place = "rules"): Rules {
  if (typeof source !== "string") return readRules(source, place);
  let content: Json;
  try {
    content = parseJson(readFileSync(source, "utf8"));
  } catch (thrown) {
    throw new StartError(`The rules file ${source} cannot be read: ${fileProblem(thrown)}`);
  }
  return readRules(content, source);
}

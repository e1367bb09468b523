import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import { servesData } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import type { RequestDraft } from "./request-draft.ts";

/** An operation of the API, as far as it helps to write a request. */
export interface KnownOperation {
  readonly method: string;
  /** With wildcards: `/products/{id}`. */
  readonly path: string;
  readonly parameters: readonly KnownParameter[];
  /** The fields of its JSON body. */
  readonly fields: readonly BodyField[];
}

export interface BodyField {
  readonly name: string;
  /** A value to begin with. */
  readonly value: Json;
  /** The values to choose from: its own, or those of its elements. */
  readonly values: readonly Json[];
  /** The fields of an object, or of the objects in a list. */
  parts(): readonly BodyField[];
}

export interface KnownParameter {
  readonly name: string;
  readonly place: string;
  /** The values to choose from. */
  readonly values: readonly string[];
}

/** The operations of the API's description; none where there is no description. */
export function useKnownRequests(): readonly KnownOperation[] {
  const overview = useOverview();
  const [known, setKnown] = useState<readonly KnownOperation[]>([]);
  const names = overview.members.map(({ name }) => name).join(" ");
  const isEmpty = names === "" && servesData(overview);
  useEffect(() => {
    if (isEmpty) return;
    const setRead = (root: JsonObject): void => setKnown(knownOperations(root));
    askJson<JsonObject>("GET", "/__openapi.json").then(setRead, () => undefined);
  }, [names, isEmpty]);
  return known;
}

export function knownOperations(root: JsonObject): KnownOperation[] {
  const base = basePathOf(root);
  return entriesOf(root.paths).flatMap(([path, item]) =>
    entriesOf(item).flatMap(([method, operation]) => {
      if (method === "parameters" || !isJsonObject(operation)) return [];
      const listed = [...listOf((item as JsonObject).parameters), ...listOf(operation.parameters)];
      const parameters = listed.map((one) => parameterOf(followed(root, one)));
      return [{ method: method.toUpperCase(), path: `${base}${path}`, parameters, fields: fieldsOf(root, operation) }];
    }),
  );
}

/** The operations with the method and path of a draft. */
export function operationsFor(known: readonly KnownOperation[], { method, path }: RequestDraft): KnownOperation[] {
  const [address = ""] = path.split("?", 1);
  return known.filter((operation) => operation.method === method && matches(operation.path, address));
}

/** The fields of a body in JSON. Of a choice between schemas, those of the first object. */
function fieldsOf(root: JsonObject, operation: JsonObject): BodyField[] {
  const content = entriesOf(followed(root, operation.requestBody ?? null).content);
  const media = content.find(([type]) => /^application\/([\w.-]+\+)?json/.test(type))?.[1];
  return fieldsIn(root, isJsonObject(media) ? (media.schema ?? null) : null);
}

function fieldsIn(root: JsonObject, schema: Json): BodyField[] {
  return propertiesOf(root, schema).map(([name, given]) => {
    const own = followed(root, given);
    const inside = own.items ?? own;
    // Made when they are asked for: a schema may contain itself.
    const parts = (): readonly BodyField[] => fieldsIn(root, inside);
    return { name, value: firstValue(own), values: valuesOf(root, inside), parts };
  });
}

/** Those that a schema names; of a choice between schemas, those of all. */
function valuesOf(root: JsonObject, given: Json, depth = 0): Json[] {
  const { enum: choices, const: only, type, oneOf, anyOf } = followed(root, given);
  if (only !== undefined) return [only];
  if (Array.isArray(choices)) return choices;
  if ([type].flat().includes("boolean")) return [true, false];
  if (depth > MOST_LEVELS) return [];
  return [...listOf(oneOf), ...listOf(anyOf)].flatMap((one) => valuesOf(root, one, depth + 1));
}

function propertiesOf(root: JsonObject, given: Json, depth = 0): [string, Json][] {
  const schema = followed(root, given);
  const own = entriesOf(schema.properties).filter(([, one]) => followed(root, one).readOnly !== true);
  if (own.length > 0 || depth > MOST_LEVELS) return own;
  const all = listOf(schema.allOf).flatMap((one) => propertiesOf(root, one, depth + 1));
  if (all.length > 0) return all;
  for (const one of [...listOf(schema.oneOf), ...listOf(schema.anyOf)]) {
    const found = propertiesOf(root, one, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** Schemas may refer to themselves. */
const MOST_LEVELS = 5;
const FIRST_VALUES: Readonly<Record<string, Json>> = { number: 0, integer: 0, boolean: false, array: [], object: {} };

function firstValue({ type, enum: choices, example, default: usual }: JsonObject): Json {
  const [kind] = [type ?? "string"].flat();
  return example ?? usual ?? listOf(choices)[0] ?? FIRST_VALUES[String(kind)] ?? "";
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || part.startsWith("{"));
}

function parameterOf(parameter: JsonObject): KnownParameter {
  const { schema, description } = parameter;
  const choices = isJsonObject(schema) ? listOf(schema.enum) : [];
  const name = String(parameter.name ?? "");
  // As the views write filters: `price:gte`.
  const field = /^`([^`]+)` (?:is|matches)/.exec(String(description ?? ""))?.[1];
  const isOldFilter = field !== undefined && name.startsWith(`${field}_`);
  return {
    name: isOldFilter ? `${field}:${name.slice(field.length + 1)}` : name,
    place: String(parameter.in ?? ""),
    values: choices.map(String),
  };
}

function basePathOf({ servers }: JsonObject): string {
  const [first] = listOf(servers);
  const url = isJsonObject(first) ? String(first.url ?? "") : "";
  return url.replace(/^https?:\/\/[^/]*/, "").replace(/\/$/, "");
}

function followed(root: JsonObject, value: Json): JsonObject {
  if (!isJsonObject(value)) return {};
  const { $ref } = value;
  if (typeof $ref !== "string" || !$ref.startsWith("#/")) return value;
  let found: Json | undefined = root;
  for (const step of $ref.slice(2).split("/")) {
    found = isJsonObject(found) ? found[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isJsonObject(found) ? found : {};
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

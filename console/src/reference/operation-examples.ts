import type { Json, JsonObject } from "../api/json.ts";
import { idKeyOf, type Overview } from "../api/overview.ts";
import { type Direction, exampleOf } from "./example.ts";
import type { Content, Operation, Parameter, Reference } from "./reference.ts";
import { resolve } from "./references.ts";
import { bodyText, inputText, keyOf, preferredContent, type Trial } from "./trial.ts";
import type { Samples } from "./use-samples.ts";

/** All that examples of an operation are made of. */
export interface ExampleSources {
  readonly reference: Reference;
  readonly overview: Overview;
  readonly operation: Operation;
  readonly samples: Samples;
}

/** A list to try shows a few records: the response is to be read. */
const FEW = "3";

/** The collections whose records an operation is about: of its group, and of the ids in its path. */
export function collectionsOf({ group, path }: Operation): string[] {
  const segments = path.split("/").filter(Boolean);
  return [...new Set([group, ...segments.filter((_, index) => segments[index + 1]?.startsWith("{"))])];
}

/** The request to begin with: what is required, with values that work where records are known. */
export function firstTrial(sources: ExampleSources): Trial {
  const { reference, operation } = sources;
  const values: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    if (parameter.isRequired && parameter.place !== "cookie")
      values[keyOf(parameter)] = parameterExample(sources, parameter);
    else if (reference.isOwn && operation.method === "GET" && parameter.name === "_limit")
      values[keyOf(parameter)] = FEW;
  }
  const content = preferredContent(operation.bodies);
  return { values, type: content?.type, body: content ? bodyExample(sources, content) : "" };
}

/** The text of an input for a parameter that is added. */
export function parameterExample(sources: ExampleSources, parameter: Parameter): string {
  const { reference, overview, operation, samples } = sources;
  const { name, place, example, schema } = parameter;
  if (place === "path") {
    const segments = operation.path.split("/");
    const collection = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
    const id = samples[collection]?.[idKeyOf(overview, collection)];
    if (id !== undefined) return inputText(parameter, id);
  }
  if (example !== undefined) return inputText(parameter, example);
  if (!parameter.isRequired && schema.example === undefined && schema.default === undefined) return "";
  const made = inputText(parameter, exampleOf(reference.root, schema, "request"));
  return made === "" && place === "path" ? "1" : made;
}

export function bodyExample(sources: ExampleSources, content: Content): string {
  return bodyText(content.type, contentExample(sources, content, "request"));
}

/** The example of the document, or a record of the data, or a value made of the schema. */
export function contentExample(sources: ExampleSources, content: Content, direction: Direction): Json | undefined {
  const { reference } = sources;
  const { example, schema } = content;
  if (example !== undefined) return example;
  return sampleFor(sources, content, direction) ?? exampleOf(reference.root, schema, direction);
}

function sampleFor(
  { reference, overview, operation, samples }: ExampleSources,
  { type, schema }: Content,
  direction: Direction,
): Json | undefined {
  const record = reference.isOwn ? samples[operation.group] : undefined;
  if (!record) return undefined;
  const { [idKeyOf(overview, operation.group)]: _id, ...fields } = record;
  if (direction === "request") {
    const part = operation.method === "PATCH" ? firstField(fields) : fields;
    return type === "application/json-patch+json" ? replacing(part) : part;
  }
  const { value, name } = resolve(reference.root, schema);
  if (value.type === "array" && resolve(reference.root, value.items).name !== "") return [record];
  return name === "" || name === "Error" ? undefined : record;
}

/** A change of one field is an example of a change. */
function firstField(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields);
  const found = entries.find(([, value]) => typeof value === "string" || typeof value === "number") ?? entries[0];
  return found ? { [found[0]]: found[1] } : {};
}

function replacing(part: JsonObject): Json {
  return Object.entries(part).map(([name, value]) => ({ op: "replace", path: `/${name}`, value }));
}

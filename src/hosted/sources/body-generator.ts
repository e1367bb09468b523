import { type Document, mistake, within } from "../../api-document/document.ts";
import type { Placed, References } from "../../api-document/references.ts";
import { createRandom, seedFor } from "../../clock-and-random.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { sampleNumber, sampleText } from "./samples.ts";

/** A schema that leads back into itself ends here: what is optional is left out, what is not is null. */
const MAX_DEPTH = 12;
/** However many branches a schema has, one body stays readable. */
const MAX_VALUES = 2000;

/** One body on its way. */
interface Work {
  readonly random: () => number;
  /** References that lead to where we are. */
  readonly above: readonly string[];
  readonly depth: number;
  readonly budget: { left: number };
}

/** Makes bodies that fit a schema, the same ones for the same seed. */
export class BodyGenerator {
  readonly #document: Pick<Document, "file">;
  readonly #references: References;
  readonly #seed: number;

  constructor(document: Pick<Document, "file">, references: References, seed: number) {
    this.#document = document;
    this.#references = references;
    this.#seed = seed;
  }

  /** A text where the body is not JSON: what a schema says of its inside would be lost. */
  generate(schema: Placed, isJson: boolean): Json | undefined {
    // By its place: a new operation leaves the bodies of the others as they are.
    const random = createRandom(seedFor(this.#seed, schema.place));
    const value = this.#make(schema, { random, above: [], depth: 0, budget: { left: MAX_VALUES } });
    return isJson || typeof value !== "object" ? value : JSON.stringify(value);
  }

  #make(given: Placed, work: Work): Json | undefined {
    const { value: schema, place } = this.#references.resolve(given);
    if (schema === true || schema === undefined) return {};
    if (schema === false) return undefined;
    if (!isJsonObject(schema)) throw mistake(this.#document, place, "must be a schema.");
    work.budget.left--;
    const isCircling = work.above.filter((above) => above === place).length > 1;
    if (work.depth > MAX_DEPTH || work.budget.left < 0 || isCircling) return undefined;
    const inner: Work = { ...work, above: [...work.above, place], depth: work.depth + 1 };
    return this.#makeFrom(this.#merged(schema, place, inner), place, inner);
  }

  #makeFrom(schema: JsonObject, place: string, work: Work): Json | undefined {
    if (schema.example !== undefined) return schema.example;
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
    if (schema.const !== undefined) return schema.const;
    if (schema.default !== undefined) return schema.default;
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return pick(schema.enum, work.random);
    switch (typeOf(schema)) {
      case "object":
        return this.#makeObject(schema, place, work);
      case "array":
        return this.#makeList(schema, place, work);
      case "boolean":
        return work.random() < 0.5;
      case "integer":
        return sampleNumber(schema, true, work.random);
      case "number":
        return sampleNumber(schema, false, work.random);
      case "null":
        return null;
      default:
        return sampleText(schema, work.random);
    }
  }

  #makeObject(schema: JsonObject, place: string, work: Work): JsonObject {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const made: [string, Json][] = [];
    for (const [name, value] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
      const property = { value, place: within(`${place}/properties`, name) };
      const resolved = this.#references.resolve(property).value;
      // A property for requests only is never in a response.
      if (isJsonObject(resolved) && resolved.writeOnly === true) continue;
      const inner = this.#make(property, work);
      if (inner !== undefined) made.push([name, inner]);
      else if (required.includes(name)) made.push([name, null]);
    }
    if (made.length === 0 && isJsonObject(schema.additionalProperties)) {
      const additional = { value: schema.additionalProperties, place: `${place}/additionalProperties` };
      const inner = this.#make(additional, work);
      if (inner !== undefined) made.push(["key", inner]);
    }
    return Object.fromEntries(made);
  }

  #makeList(schema: JsonObject, place: string, work: Work): Json[] {
    const first = Array.isArray(schema.prefixItems)
      ? schema.prefixItems.map((value, position) =>
          this.#make({ value, place: `${place}/prefixItems/${position}` }, work),
        )
      : [];
    const made = first.filter((value) => value !== undefined);
    if (schema.items === undefined || schema.items === false) return made;
    const least = wholeNumber(schema.minItems) ?? 0;
    const most = Math.min(wholeNumber(schema.maxItems) ?? Number.POSITIVE_INFINITY, Math.max(least, 2));
    const seen = new Set<string>();
    for (let tries = 0; made.length < most && tries < most * 3 && work.budget.left > 0; tries++) {
      const value = this.#make({ value: schema.items, place: `${place}/items` }, work);
      if (value === undefined) break;
      const text = JSON.stringify(value);
      if (schema.uniqueItems === true && seen.has(text)) continue;
      seen.add(text);
      made.push(value);
    }
    return made;
  }

  /** `allOf` taken together; of `oneOf` and `anyOf` the first that is not just null. */
  #merged(schema: JsonObject, place: string, work: Work): JsonObject {
    const { allOf, oneOf, anyOf, ...own } = schema;
    let merged: JsonObject = own;
    if (work.budget.left-- < 0) return merged;
    const add = (value: Json, at: string): void => {
      const found = this.#references.resolve({ value, place: at });
      if (!isJsonObject(found.value) || work.above.slice(0, -1).includes(found.place)) return;
      const part = this.#merged(found.value, found.place, { ...work, above: [...work.above, found.place] });
      merged = mergeSchemas(merged, part);
    };
    if (Array.isArray(allOf)) for (const [position, part] of allOf.entries()) add(part, `${place}/allOf/${position}`);
    for (const [name, choices] of [["oneOf", oneOf] as const, ["anyOf", anyOf] as const]) {
      if (!Array.isArray(choices)) continue;
      const position = choices.findIndex((choice) => !isJsonObject(choice) || choice.type !== "null");
      if (position !== -1) add(choices[position]!, `${place}/${name}/${position}`);
    }
    return merged;
  }
}

/** The schema's own keywords win; properties and required names are merged. */
function mergeSchemas(own: JsonObject, part: JsonObject): JsonObject {
  const merged: JsonObject = { ...part, ...own };
  if (isJsonObject(own.properties) && isJsonObject(part.properties)) {
    merged.properties = Object.fromEntries([...Object.entries(part.properties), ...Object.entries(own.properties)]);
  }
  if (Array.isArray(own.required) && Array.isArray(part.required)) {
    merged.required = [...new Set([...part.required, ...own.required])];
  }
  return merged;
}

/** The type a schema names or, where it names none, the one its keywords are made for. */
function typeOf({ type, properties, additionalProperties, items, prefixItems, minimum, maximum }: JsonObject): string {
  if (Array.isArray(type)) return String(type.find((name) => name !== "null") ?? "null");
  if (typeof type === "string") return type;
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  if (items !== undefined || prefixItems !== undefined) return "array";
  return minimum !== undefined || maximum !== undefined ? "number" : "string";
}

function pick(values: readonly Json[], random: () => number): Json {
  return values[Math.floor(random() * values.length)]!;
}

function wholeNumber(value: Json | undefined): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

import { type Json, type JsonObject, setField } from "../../../base/json/json.ts";
import { looksLikeChoice, looksLikeFreeText, looksLikeKey, looksLikeMeasure } from "./field-names.ts";
import type { Observed } from "./observed.ts";

/** How often the texts of a choice must have been met for each different one: less where the name says it is one. */
const SEEN_EACH = 5;
const SEEN_EACH_BY_NAME = 2;

export interface SchemaOptions {
  /** Adds the ranges of numbers, of the lengths of texts and of the sizes of lists. */
  readonly ranges: boolean;
  /** Fields of the records whose values new records must be free to exceed: ids, and references to them. */
  readonly keys: ReadonlySet<string>;
}

/** A JSON Schema (2020-12) that every value met passes. */
export function starterSchema(observed: Observed, options: SchemaOptions): JsonObject {
  return schemaOf(observed, "", options, true);
}

function schemaOf(observed: Observed, name: string, options: SchemaOptions, isRecord = false): JsonObject {
  const types = typesOf(observed, name);
  // Of a field that was always null, nothing is known.
  if (types.every((type) => type === "null")) return {};
  const schema: JsonObject = { type: types.length === 1 ? types[0]! : types };
  const choices = choicesOf(observed, name);
  const { format } = observed;
  if (choices) schema.enum = observed.nulls > 0 ? [...choices, null] : choices;
  else if (format !== undefined) schema.format = format;
  if (options.ranges) Object.assign(schema, rangesOf(observed, choices !== undefined || format !== undefined));
  // Left out at one place and met at another under the same name: its values are known only in part.
  if (observed.isMerged && observed.isPartial) return schema;
  if (observed.items && observed.items.count > 0) schema.items = schemaOf(observed.items, name, options);
  if (observed.values) schema.additionalProperties = schemaOf(observed.values, "", options);
  else if (observed.fields.size > 0) Object.assign(schema, propertiesOf(observed, options, isRecord));
  return schema;
}

function typesOf({ texts, integers, fractions, booleans, objects, arrays, nulls }: Observed, name: string): string[] {
  const isDecimal = fractions > 0 || (integers > 0 && looksLikeMeasure(name));
  const met: readonly [string, boolean][] = [
    ["string", texts > 0],
    ["number", isDecimal],
    ["integer", integers > 0 && !isDecimal],
    ["boolean", booleans > 0],
    ["object", objects > 0],
    ["array", arrays > 0],
    ["null", nulls > 0],
  ];
  return met.flatMap(([type, isMet]) => (isMet ? [type] : []));
}

/** The texts that a field chooses from; undefined where it does not look like a choice. */
function choicesOf({ choices, format, texts, count, nulls }: Observed, name: string): string[] | undefined {
  if (!choices || format !== undefined || texts < count - nulls || choices.size < 2) return undefined;
  if (looksLikeFreeText(name) || looksLikeKey(name)) return undefined;
  const seenEach = looksLikeChoice(name) ? SEEN_EACH_BY_NAME : SEEN_EACH;
  return texts >= seenEach * choices.size ? [...choices.keys()] : undefined;
}

function rangesOf({ numbers, lengths, sizes }: Observed, hasTextRule: boolean): JsonObject {
  return {
    ...(numbers.least <= numbers.greatest && { minimum: numbers.least, maximum: numbers.greatest }),
    ...(lengths.least <= lengths.greatest && !hasTextRule && { minLength: lengths.least, maxLength: lengths.greatest }),
    ...(sizes.least <= sizes.greatest && { minItems: sizes.least, maxItems: sizes.greatest }),
  };
}

function propertiesOf(observed: Observed, options: SchemaOptions, isRecord: boolean): JsonObject {
  const properties: JsonObject = {};
  for (const [name, field] of observed.fields) {
    const isKey = isRecord && options.keys.has(name);
    setField(properties, name, schemaOf(field, name, isKey ? { ...options, ranges: false } : options));
  }
  const required: Json[] = [...observed.fields].flatMap(([name, { count }]) =>
    count === observed.objects ? [name] : [],
  );
  return { ...(required.length > 0 && { required }), properties };
}

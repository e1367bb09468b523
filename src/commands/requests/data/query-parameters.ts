import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { valuesOf, word } from "../../../query/field-samples.ts";
import type { CollectionSamples, FieldSample, Pairs } from "./samples.ts";

/** Records in a page or a slice. */
const FEW = "2";

/** The queries to try with each parameter that is not a filter; the first that finds something is taken. */
const EXAMPLES: Readonly<Record<string, (sample: CollectionSamples) => readonly Pairs[]>> = {
  q: ({ fields }) => fields.flatMap(({ texts }) => texts.slice(0, 1).flatMap(word)).map((text): Pairs => [["q", text]]),
  _or: ({ fields }) => {
    const conditions = fields.flatMap((field) =>
      valuesOf(field)
        .slice(0, 1)
        .map((value): Pairs[number] => ["_or", `${field.path}:eq=${value}`]),
    );
    return conditions.length === 0 ? [] : [conditions.slice(0, 2), conditions.slice(0, 1)];
  },
  _where: ({ fields }) => {
    const conditions = fields.flatMap(conditionOf);
    return [2, 1].map((count): Pairs => [["_where", JSON.stringify({ or: conditions.slice(0, count) })]]);
  },
  _sort: (sample) => onField(sample, (path) => [["_sort", path]]),
  _order: (sample) =>
    onField(sample, (path) => [
      ["_sort", path],
      ["_order", "desc"],
    ]),
  _page: () => [window("_page", "1", "_limit", FEW)],
  _limit: () => [[["_limit", FEW]]],
  _start: () => [window("_start", "0", "_limit", FEW)],
  _end: () => [window("_start", "0", "_end", FEW)],
  _per_page: () => [window("_page", "1", "_per_page", FEW)],
  _after: () => [window("_after", "", "_limit", FEW)],
  _fields: (sample) => onField(sample, (path) => [["_fields", path]]),
  _group: (sample) =>
    onField(sample, (path) => [
      ["_group", path],
      ["_aggregate", "count"],
    ]),
  _aggregate: ({ fields }) => [
    ...fields.flatMap(({ path, numbers }): Pairs[] =>
      numbers.length > 0 ? [[["_aggregate", `count,avg:${path},min:${path},max:${path}`]]] : [],
    ),
    [["_aggregate", "count"]],
  ],
  _having: (sample) =>
    onField(sample, (path) => [
      ["_group", path],
      ["_aggregate", "count"],
      ["_having", "count:gte=1"],
    ]),
  _delay: () => [[["_delay", "100"]]],
  callback: () => [[["callback", "show"]]],
};

/** Examples of a parameter for a collection, also of one that is not known here as far as its description says what it takes. */
export function parameterQueries(sample: CollectionSamples, name: string, parameter: JsonObject): readonly Pairs[] {
  if (Object.hasOwn(EXAMPLES, name)) return EXAMPLES[name]!(sample);
  return describedValues(parameter).map((value): Pairs => [[name, value]]);
}

function describedValues({ schema, example }: JsonObject): string[] {
  const { enum: choices, default: usual, minimum, type, items } = isJsonObject(schema) ? schema : ({} as JsonObject);
  const nested = isJsonObject(items) ? [items.anyOf ?? items].flat() : [];
  const all: readonly Json[] = [
    ...(example === undefined ? [] : [example]),
    ...(Array.isArray(choices) ? choices : []),
    ...nested.flatMap((one) => (isJsonObject(one) && Array.isArray(one.enum) ? one.enum : [])),
    ...(usual === undefined ? [] : [usual]),
    ...(type === "integer" ? [minimum ?? 1] : []),
    ...(type === "boolean" ? [true] : []),
  ];
  return all.filter((one) => typeof one !== "object").map(String);
}

/** One condition in JSON, with a value of the type that the data has. */
function conditionOf({ path, texts, numbers, booleans }: FieldSample): JsonObject[] {
  const [value] = [...texts, ...numbers, ...booleans];
  return value === undefined ? [] : [{ [path]: { eq: value } }];
}

function window(first: string, one: string, second: string, other: string): Pairs {
  return [
    [first, one],
    [second, other],
  ];
}

function onField({ fields }: CollectionSamples, query: (path: string) => Pairs): readonly Pairs[] {
  return fields.map(({ path }) => query(path));
}

import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { valuesOf, word } from "../../../query/field-samples.ts";
import type { Operator } from "../../../query/operator.ts";
import { OPERATORS, operatorNamed } from "../../../query/operator-table.ts";
import { containsOperator } from "../../../query/operators/contains.ts";
import { eqOperator } from "../../../query/operators/eq.ts";
import { PARAMETERS } from "../../../query/parameters.ts";
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
  _page: () => [Object.entries({ _page: "1", _limit: FEW })],
  _limit: () => [[["_limit", FEW]]],
  _start: () => [Object.entries({ _start: "0", _limit: FEW })],
  _end: () => [Object.entries({ _start: "0", _end: FEW })],
  _per_page: () => [Object.entries({ _page: "1", _per_page: FEW })],
  _after: () => [Object.entries({ _after: "", _limit: FEW })],
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

/** A query of one collection, which finds something in it. */
export interface FoundQuery {
  readonly sample: CollectionSamples;
  /** Its purpose: `price is more than 10 (price:gt)`, or the name of a parameter. */
  readonly name: string;
  /** The parts of an identifier. */
  readonly words: readonly string[];
  readonly pairs: Pairs;
}

/** The parameters of the list of a collection, by name, as OpenAPI describes them. */
export interface ListedParameters {
  readonly sample: CollectionSamples;
  readonly parameters: ReadonlyMap<string, JsonObject>;
}

/**
 * One query for every operator and parameter, each on the first collection in which it finds something. Collections with
 * the most fields come first: they show the most. Operators come from the list that filters are read by, and parameters
 * from the description of the API.
 */
export async function findQueries(lists: readonly ListedParameters[]): Promise<FoundQuery[]> {
  const ranked = lists.toSorted((one, other) => other.sample.fields.length - one.sample.fields.length);
  const found: FoundQuery[] = [];
  const addFirst = async (candidates: Iterable<FoundQuery>): Promise<void> => {
    for (const candidate of candidates) {
      if (!(await candidate.sample.finds(candidate.pairs))) continue;
      found.push(candidate);
      return;
    }
  };
  for (const suffix of suffixesOf(ranked)) await addFirst(suffixed(ranked, suffix));
  for (const operator of OPERATORS) await addFirst(byOperator(ranked, operator, false));
  await addFirst(byOperator(ranked, containsOperator, true));
  for (const name of namesOf(ranked)) await addFirst(byParameter(ranked, name));
  return found;
}

function* byOperator(
  lists: readonly ListedParameters[],
  operator: Operator,
  isNegated: boolean,
): Generator<FoundQuery> {
  const sign = isNegated ? `!${operator.name}` : operator.name;
  for (const trial of valuesToTry(lists, operator)) {
    const { sample, path, value } = trial;
    const name = `${path}:${sign}`;
    yield {
      sample,
      name: `${isNegated ? "not: " : ""}${sentence(trial, operator)} (${name})`,
      words: [path, isNegated ? "not" : "", operator.name],
      pairs: [[name, value]],
    };
  }
}

function* suffixed(lists: readonly ListedParameters[], suffix: string): Generator<FoundQuery> {
  const operator = operatorOf(suffix);
  if (operator === undefined) return;
  for (const trial of valuesToTry(lists, operator)) {
    const { sample, path, value, parameters } = trial;
    const name = `${path}${suffix}`;
    if (!parameters.has(name)) continue;
    yield {
      sample,
      name: `${sentence(trial, operator)} (${name})`,
      words: [path, suffix === "" ? "plain" : `suffix${suffix}`],
      pairs: [[name, value]],
    };
  }
}

interface Trial extends ListedParameters {
  readonly path: string;
  readonly value: string;
}

/** Values of the data for an operator, then others. */
function* valuesToTry(lists: readonly ListedParameters[], operator: Operator): Generator<Trial> {
  for (const choose of [operator.samples, operator.otherSamples]) {
    for (const list of lists) {
      for (const field of list.sample.fields) {
        for (const value of choose(field)) yield { ...list, path: field.path, value };
      }
    }
  }
}

function* byParameter(lists: readonly ListedParameters[], name: string): Generator<FoundQuery> {
  for (const { sample, parameters } of lists) {
    const parameter = parameters.get(name);
    if (!parameter) continue;
    for (const pairs of parameterQueries(sample, name, parameter)) {
      yield { sample, name: nameOf(parameter, name), words: ["with", name], pairs };
    }
  }
}

function sentence({ path, value }: Trial, { words, opposite, operand }: Operator): string {
  return operand === "flag" ? `${path} ${value === "true" ? words : opposite}` : `${path} ${words} ${value}`;
}

function nameOf({ description }: JsonObject, name: string): string {
  const [first = ""] = typeof description === "string" ? description.split(/[;:.]( |$)/) : [];
  return first === "" ? name : `${name}: ${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

/** The suffixes of the described filters: none, `_gte` and so on. */
function suffixesOf(lists: readonly ListedParameters[]): string[] {
  const found = lists.flatMap(({ sample, parameters }) =>
    [...parameters.keys()].flatMap((name) => suffixOf(name, sample) ?? []),
  );
  return [...new Set(found)];
}

/** Undefined for a parameter that is no filter of a field. */
function suffixOf(name: string, { member }: CollectionSamples): string | undefined {
  for (const field of member.shape.fields.keys()) {
    if (field === "" || field.startsWith("_") || PARAMETERS.includes(field) || !name.startsWith(field)) continue;
    const suffix = name.slice(field.length);
    if (operatorOf(suffix)) return suffix;
  }
  return undefined;
}

function operatorOf(suffix: string): Operator | undefined {
  if (suffix === "") return eqOperator;
  return suffix.startsWith("_") ? operatorNamed(suffix.slice(1)) : undefined;
}

/** The names of parameters that are not filters of a field. */
function namesOf(lists: readonly ListedParameters[]): string[] {
  const names = lists.flatMap(({ sample, parameters }) =>
    [...parameters.keys()].filter((name) => name !== "filters" && suffixOf(name, sample) === undefined),
  );
  return [...new Set(names)];
}

/** Examples of a parameter for a collection, also of one that is not known here as far as its description says what it takes. */
function parameterQueries(sample: CollectionSamples, name: string, parameter: JsonObject): readonly Pairs[] {
  const examplesFor = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined;
  return examplesFor?.(sample) ?? describedValues(parameter).map((value): Pairs => [[name, value]]);
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

function onField({ fields }: CollectionSamples, query: (path: string) => Pairs): readonly Pairs[] {
  return fields.map(({ path }) => query(path));
}

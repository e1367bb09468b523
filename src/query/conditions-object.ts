import { isDeepStrictEqual } from "../base/json/equality.ts";
import { isJsonObject, type Json } from "../base/json/json.ts";
import { conjunctsOf, meets } from "./filter.ts";
import { FilterReader, type HasPath } from "./filter-reader.ts";
import type { Operator } from "./operator.ts";
import { operatorNamed } from "./operator-table.ts";
import { eqOperator } from "./operators/eq.ts";
import type { Filter } from "./query.ts";

/** Conditions as an object: what a store can look for, and the exact test of what it finds. */
export interface ObjectConditions {
  /** Met by every record that `isMet` accepts, and perhaps by others. */
  readonly filter: Filter;
  readonly isMet: (record: Json) => boolean;
}

/** Everything: the filter where only the test can tell. */
const ANY: Filter = { operator: "and", parts: [] };

/**
 * Reads conditions such as `{ price: { gt: 10 }, name: "Lamp", or: [...] }`. An object is a condition if all its keys are
 * operators; any other value must be equal, types and all. Fields named `or`, `and` or `not` take precedence.
 */
export function readConditions(conditions: object, has: HasPath): ObjectConditions {
  return readAll(conditions, new FilterReader(has));
}

function readAll(conditions: object, reader: FilterReader): ObjectConditions {
  const parts = Object.entries(conditions).map(([key, value]) => readOne(key, value, reader));
  return {
    filter: { operator: "and", parts: parts.flatMap(({ filter }) => conjunctsOf(filter)) },
    isMet: (record) => isJsonObject(record) && parts.every(({ isMet }) => isMet(record)),
  };
}

function readOne(key: string, value: unknown, reader: FilterReader): ObjectConditions {
  const isField = (): boolean => reader.has(key);
  if ((key === "or" || key === "and") && Array.isArray(value) && value.every(isJsonObject) && !isField()) {
    const parts = value.map((part) => readAll(part, reader));
    const isMet = (record: Json): boolean =>
      key === "or" ? parts.some((part) => part.isMet(record)) : parts.every((part) => part.isMet(record));
    return { filter: { operator: key, parts: parts.map(({ filter }) => filter) }, isMet };
  }
  if (key === "not" && isJsonObject(value) && !isField()) {
    const { isMet } = readAll(value, reader);
    // The complement of a filter that keeps too much would keep too little.
    return { filter: ANY, isMet: (record) => !isMet(record) };
  }
  if (isJsonObject(value) && isOperators(value)) return byOperators(key, value, reader);
  const isMet = (record: Json): boolean => isDeepStrictEqual(ownValue(record, key), value);
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  // A bracket would be read as a path.
  const filter = isScalar && !key.includes("[") ? create(reader, { operator: eqOperator, key, operand: value }) : ANY;
  return { filter, isMet };
}

function isOperators(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => operatorNamed(key));
}

function byOperators(key: string, operators: object, reader: FilterReader): ObjectConditions {
  const parts = Object.entries(operators)
    .filter(([, operand]) => operand !== undefined)
    .map(([name, operand]) => create(reader, { operator: operatorNamed(name)!, key, operand }));
  const filter: Filter = { operator: "and", parts };
  return { filter, isMet: (record) => meets(record, filter) };
}

interface OneOperator {
  readonly operator: Operator;
  readonly key: string;
  readonly operand: unknown;
}

function create(reader: FilterReader, { operator, key, operand }: OneOperator): Filter {
  // As a record would hold it: a date is a text in JSON.
  const json = operand instanceof Date ? operand.toJSON() : operand;
  return reader.byOperand({ operator, isNegated: false, path: key, parameter: `${key}.${operator.name}` }, json);
}

function ownValue(record: Json, key: string): Json | undefined {
  return isJsonObject(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}

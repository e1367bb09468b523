import type { JsonObject } from "../../../base/json/json.ts";
import type { Call } from "../../../http/call.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { findAlike } from "../../../openapi/bind/words.ts";
import { readFromPairs, readRawQuery } from "../../../openapi/check/parameter-values.ts";
import { shapeOf } from "../../../openapi/check/text-shape.ts";
import type { Parameter } from "../../../openapi/read/api-document.ts";
import type { References } from "../../../schema/references.ts";
import { recordFieldsOf } from "../schema-fields.ts";

const WRITES: readonly BoundOperation["action"][] = ["create", "replace", "patch"];

/** Parameters of an operation without a body that are fields of the record: `POST /files?name=a.txt`. */
export function fieldParameters(
  references: References,
  { record, idKey }: BoundCollection,
  { operation, action }: BoundOperation,
): Parameter[] {
  if (operation.requestBody || !WRITES.includes(action)) return [];
  const fields = [...(recordFieldsOf(references, record)?.properties.keys() ?? [])];
  return operation.parameters.filter(
    ({ name, in: at }) => at === "query" && name !== idKey && findAlike(fields, name) !== undefined,
  );
}

/** Prepares the record that a request names in its query; undefined where its parameters are no fields. */
export function createQueryFields(
  references: References,
  collection: BoundCollection,
  bound: BoundOperation,
): ((call: Call) => JsonObject) | undefined {
  const parameters = fieldParameters(references, collection, bound).map((parameter) => ({
    parameter,
    shape: shapeOf(parameter.schema, references),
  }));
  if (parameters.length === 0) return undefined;
  return (call) => {
    const pairs = readRawQuery(call.target.search);
    return Object.fromEntries(
      parameters.flatMap(({ parameter, shape }) => {
        const value = readFromPairs(pairs, parameter, shape);
        return value === undefined ? [] : [[parameter.name, value]];
      }),
    );
  };
}

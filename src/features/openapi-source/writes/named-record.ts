import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { randomId } from "../../../store/ids.ts";
import { once } from "../once.ts";
import type { OperationContext } from "../operation-context.ts";
import { canName, idParameters } from "../parents/id-parameters.ts";

/** Prepares that paths can name new records: an id that none can have is left out, and names that none was sent for are made. */
export function createNamed(
  { collections, document: { references }, passes }: OperationContext,
  { name, idKey, operations }: BoundCollection,
): (sent: JsonObject) => JsonObject {
  const parameters = once(() => idParameters(collections, name));
  const keys = operations.flatMap(({ action, keys }) => (action === "read" ? keys.map(({ path }) => path) : []));
  return (sent) => {
    const { [idKey]: id, ...rest } = sent;
    const isId = typeof id === "string" || typeof id === "number";
    const value = isId && !canName(id, parameters(), { references, isValid: passes }) ? rest : sent;
    return keys.reduce(withName, value);
  };
}

/** A name in an object that was sent without it, such as `metadata.name`; it begins with `generateName`, if that was sent. */
function withName(record: JsonObject, [holder = "", field, ...deeper]: readonly string[]): JsonObject {
  const object = record[holder];
  if (!isJsonObject(object) || field === undefined || deeper.length > 0 || object[field] !== undefined) return record;
  const prefix = object[`generate${field.charAt(0).toUpperCase()}${field.slice(1)}`];
  return {
    ...record,
    [holder]: { ...object, [field]: `${typeof prefix === "string" ? prefix : ""}${randomId().toLowerCase()}` },
  };
}

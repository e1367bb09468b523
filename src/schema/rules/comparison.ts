import { isJsonObject, type Json } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { textOf } from "../../query/text.ts";
import { within } from "../pointer.ts";
import { shownValue, type Violation } from "./violation.ts";

/** The value of a field of a record; undefined where it has none. */
export function fieldOf(record: Json, field: string): Json | undefined {
  return isJsonObject(record) && Object.hasOwn(record, field) ? record[field] : undefined;
}

/** The text by which values are compared: 1 and "1" are the same, as for filters and ids. Null, objects and arrays have none. */
export function comparedText(value: Json | undefined): string | undefined {
  return value === undefined || value === null || typeof value === "object" ? undefined : textOf(value);
}

/** A value of a unique field that another record has; `owner` is its id. */
export function duplicate(
  { name, field, value }: { readonly name: string; readonly field: string; readonly value: Json },
  owner: string | number | null | undefined,
): Violation {
  const message = owner === null || owner === undefined ? "" : `; ${name}/${owner} has the same value`;
  return withGiven({ pointer: within("", field), rule: "x-unique", message: `must be unique${message}` }, value);
}

/** A reference to a record that does not exist. */
export function dangling(pointer: string, collection: string, value: Json): Violation {
  return withGiven({ pointer, rule: "x-references", message: `must be the id of a record of ${collection}` }, value);
}

/** A reference to a collection that does not exist. */
export function noCollection(pointer: string, collection: string, known: Iterable<string>): Violation {
  const message = `refers to ${collection}, which the data does not have.${didYouMean(collection, known)}`;
  return { pointer, rule: "x-references", message };
}

function withGiven(violation: Violation, value: Json): Violation {
  const given = shownValue(value);
  return given === undefined ? violation : { ...violation, given };
}

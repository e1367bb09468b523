import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { PathParts } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import type { Id } from "../../../store/ids.ts";
import type { Store } from "../../../store/store.ts";
import { recordNamed } from "./field-lookup.ts";
import { isInteger } from "./id-parameters.ts";

interface GivenParents {
  readonly collections: readonly BoundCollection[];
  readonly parts: PathParts;
  readonly sent: Json | undefined;
  /** The key of a parent in the type that the field has. */
  readonly typed: (field: string, key: Id) => Json;
  /** An object of a new record with all that it must have. */
  readonly whole: (field: string, value: JsonObject) => Json;
}

export function objectIn(value: Json | undefined, name: string): JsonObject | undefined {
  const inner = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(inner) ? inner : undefined;
}

/** The fields of a new record that the path decides. */
export async function fieldsOfParents(
  store: Store,
  { parents }: BoundOperation,
  { collections, parts, sent, typed, whole }: GivenParents,
): Promise<JsonObject> {
  const fields: JsonObject = {};
  for (const { parameter, field, holder, collection } of parents) {
    const text = parts[parameter] ?? "";
    const above = collections.find(({ name }) => name === collection);
    // Fields name a parent by what its path does, not by an id of our own.
    const key = !above ? text : above.ownKey === undefined ? await store.keyFor(above.name, text) : plainKey(text);
    const value = typed(field, key);
    if (holder === undefined) fields[field] = value;
    else fields[holder] = whole(holder, { ...objectIn(sent, holder), ...objectIn(fields, holder), [field]: value });
  }
  return fields;
}

function plainKey(text: string): Id {
  return isInteger(text) && String(Number(text)) === text ? Number(text) : text;
}

/** A sent record without keys of parents that do not exist: those of the path stay. */
export async function withoutUnknownParents(
  store: Store,
  { parents }: BoundOperation,
  { collections, parts, sent }: Omit<GivenParents, "typed" | "whole">,
): Promise<Json | undefined> {
  if (!isJsonObject(sent)) return sent;
  const own = { ...sent };
  for (const { parameter, field, holder, collection, isOfAll } of parents) {
    const part = holder === undefined ? own : objectIn(own, holder);
    const above = collections.find(({ name }) => name === collection);
    if (isOfAll || !above || !part || !Object.hasOwn(part, field)) continue;
    const key = part[field];
    if (key === undefined || String(key) === parts[parameter]) continue;
    if (typeof key !== "object" && (await recordNamed(store, above, { key: String(key) }))) continue;
    const { [field]: _, ...rest } = part;
    if (holder === undefined) delete own[field];
    else own[holder] = rest;
  }
  return own;
}

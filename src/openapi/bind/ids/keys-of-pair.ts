import { isJsonObject } from "../../../base/json/json.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { Placed } from "../../../schema/references.ts";
import type { Operation } from "../../read/api-document.ts";
import { jsonContent, successOf } from "../bodies/bodies.ts";
import { likeness, type RecordSpot, SURELY_ALIKE } from "../bodies/record-spots.ts";
import type { Pair } from "../candidate.ts";
import type { BindOverride } from "../config/overrides.ts";
import { type Group, operationOf } from "../groups.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, wordsIn } from "../words.ts";
import { fieldInMetadata } from "./field-keys.ts";
import { findIdKey, isIdLike, isNameBesideNumber, isSureId, isUuidBesideNumber, type Naming } from "./id-key.ts";
import { fieldInPart, findKeyByType, findKeyByValues, findLooseKey } from "./loose-keys.ts";
import { isOpaqueId, keyQuoted, keyTold } from "./told-key.ts";
import { toldNameKey } from "./told-name-key.ts";

/** Where a list and the path of single records have the record. */
export interface PairSpots {
  readonly list?: RecordSpot | undefined;
  readonly read?: RecordSpot | undefined;
}

export function shapesIn({ read, list }: PairSpots): SchemaShape[] {
  return [read?.shape, list?.shape].filter((shape) => shape !== undefined);
}

interface Keying {
  readonly wanted: BindOverride | undefined;
  /** The id in examples. */
  readonly shownId: () => string | undefined;
}

/** The id that the records of examples have, although their schema may not name it. */
export function idInExamples(
  parameter: string | undefined,
  places: readonly (readonly [Operation | undefined, RecordSpot | undefined])[],
): string | undefined {
  if (wordsIn(parameter ?? "").at(-1) !== "id") return undefined;
  const hasId = places.some(([operation, spot]) => {
    const example = operation && jsonContent(successOf(operation)?.contents)?.examples[0]?.value;
    const found = example === undefined ? undefined : valueAtPointer(example, spot?.at ?? []);
    const record = Array.isArray(found) ? found[0] : found;
    return isJsonObject(record) && (typeof record.id === "number" || typeof record.id === "string");
  });
  return hasId ? "id" : undefined;
}

function withoutProperty(shape: SchemaShape, name: string): SchemaShape {
  return { ...shape, properties: new Map([...shape.properties].filter(([one]) => one !== name)) };
}

/** The key that finds a single record: its id, or else a field in a part of it. */
export function keysOf(
  shapes: Shapes,
  found: PairSpots,
  { wanted, list, item, shownId, ...naming }: Naming & Pick<Pair, "list" | "item"> & Keying,
): { readonly idKey?: string | undefined; readonly keyPath?: readonly string[] | undefined } {
  const records = shapesIn(found);
  const wildcard = schemaOf(naming, item);
  const first = findIdKey(shapes, records, naming);
  const alike =
    first !== undefined && isUuidBesideNumber(shapes, records, { key: first, wildcard })
      ? (findIdKey(
          shapes,
          records.map((record) => withoutProperty(record, first)),
          naming,
        ) ?? first)
      : first;
  const counted = alike === undefined ? undefined : numberNamed(shapes, records, { key: alike, wildcard, naming });
  const idKey =
    wanted?.id ??
    counted ??
    (alike !== undefined && isSureId(alike) ? undefined : keyQuoted(shapes, records, { ...naming, item })) ??
    (alike !== undefined && isNameBesideNumber(shapes, records, { key: alike, wildcard }) ? undefined : alike) ??
    findKeyByValues(shapes, records, wildcard) ??
    findKeyByType(shapes, records, wildcard) ??
    keyTold(shapes, records, { ...naming, item });
  const told =
    wanted?.id === undefined && idKey !== undefined
      ? toldNameKey(shapes, records, { ...naming, idKey, list, item })
      : undefined;
  if (idKey !== undefined) return { idKey: told ?? idKey };
  const keyPath = fieldInMetadata(shapes, records, naming) ?? fieldInPart(shapes, records, naming);
  if (keyPath) return { keyPath };
  const shown = shownId();
  if (shown !== undefined && records.every(({ properties }) => !properties.has(shown))) return { idKey: shown };
  // `/times/{user}` that sends a list filters by the user.
  if (found.read?.isList && !isIdLike(wordsIn(naming.parameter ?? ""))) return {};
  const isOpaque = isOpaqueId({ ...naming, item });
  return { idKey: findLooseKey(shapes, records, { naming, isSure: isSure(found, item), isOpaque, wildcard }) };
}

/** `version`, a number, for a `{version}` that is one, although the path sends a thing with a text as its `id`. */
function numberNamed(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { key, wildcard, naming }: { readonly key: string; readonly wildcard: Placed | undefined; readonly naming: Naming },
): string | undefined {
  const isOnly = (shape: SchemaShape | undefined, type: string): boolean =>
    shape?.types.size === 1 && shape.types.has(type);
  const isText = records.every(
    (record) => !record.properties.has(key) || isOnly(shapes.property(record, key), "string"),
  );
  if (!wildcard || !isOnly(shapes.of(wildcard), "integer") || !isText) return undefined;
  return records.flatMap((record) => {
    const isNumber = (name: string): boolean => isOnly(shapes.property(record, name), "integer");
    return findAlike(record.properties.keys(), naming.parameter ?? "", isNumber) ?? [];
  })[0];
}

/** The schema of the wildcard that names a record. */
function schemaOf({ parameter }: Naming, item: Group | undefined): Placed | undefined {
  const parameters = item?.operations.flatMap((operation) => operation.parameters);
  return parameters?.find(({ name, in: at }) => at === "path" && name === parameter)?.schema;
}

/** Whether a path sends what its list does, or nothing at all, and changes or removes one of these records. */
function isSure({ list, read }: PairSpots, item: Group | undefined): boolean {
  if (!list) return false;
  if (!read) return ["PUT", "PATCH", "DELETE"].some((method) => operationOf(item, method));
  const [one, other] = [list.shape.properties, read.shape.properties];
  if (one.size < 2 && one.size === other.size) return [...one.keys()].every((name) => other.has(name));
  return likeness(list.shape, read.shape) >= SURELY_ALIKE;
}

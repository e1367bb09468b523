import { isJsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import type { Pair } from "../candidate.ts";
import { idParameterOf, operationOf } from "../groups.ts";
import { idNameFor } from "../ids/id-key.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { isBesideRecords, isSamePath, isWrapper, type RecordSpot } from "./record-spots.ts";

const MAX_DEPTH = 2;

/** The bodies of a list and of the path below it. */
interface Bodies {
  readonly body: Placed | undefined;
  readonly below: Placed | undefined;
  readonly reads: readonly RecordSpot[];
}

/**
 * A list of the ids of records that another path sends: `["C", "Java"]`, or `{ "names": ["a"], "has_more": true }`. Where
 * that path sends no record, or there is none to read, the records are nothing but their ids.
 */
export function findIdList(
  shapes: Shapes,
  { segment, list: group, item }: Pair,
  { body, below, reads }: Bodies,
): RecordSpot | undefined {
  const list = body && idsIn(shapes, body, { at: [], segment });
  // The values of a schema are no records, unless they come and go.
  if (!list || (hasFewValues(list.ids) && !operationOf(item, "DELETE"))) return undefined;
  const records = reads.filter(({ isList, shape }) => !isList && shape.properties.size > 0);
  // Both may stand in the same envelope: `{ "metadata": [...], "status": "Success" }`.
  const record = records.find(({ at }) => at.length > 0 && isSamePath(at, list.at)) ?? records[0];
  const spot = { ...list, isList: true, isNamed: true, rank: 0 };
  if (record) return { ...spot, shape: record.shape };
  const parameter = idParameterOf(item);
  // `/zones/{area}` that sends what `/zones` does lists a part of it.
  const isPart = below !== undefined && shapes.of(below).schema.place === shapes.of(body).schema.place;
  const isReplaced = ["PUT", "PATCH"].some((method) => operationOf(group, method));
  if (parameter === undefined || isPart || isReplaced) return undefined;
  return { ...spot, shape: bareRecord(shapes, list.ids, idNameFor({ segment, parameter }) ?? parameter) };
}

/** Whether the records of a list are nothing but their ids. */
export function isBareList(spot: RecordSpot | undefined): boolean {
  return spot?.ids !== undefined && spot.shape.schema.place === barePlace(spot.ids);
}

function bareRecord(shapes: Shapes, ids: Placed, idKey: string): SchemaShape {
  const value = { type: "object", properties: { [idKey]: ids.value ?? {} }, required: [idKey] };
  return shapes.of({ value, place: barePlace(ids) });
}

function barePlace({ place }: Placed): string {
  return `${place}/record`;
}

function hasFewValues({ value }: Placed): boolean {
  return isJsonObject(value) && value.enum !== undefined;
}

/** The only list of a body, with texts or integers in it. */
function idsIn(
  shapes: Shapes,
  schema: Placed,
  { at, segment }: { readonly at: readonly string[]; readonly segment: string },
): { readonly at: readonly string[]; readonly ids: Placed } | undefined {
  const shape = shapes.of(schema);
  if (shape.kind === "array") {
    const element = shape.items && shapes.of(shape.items);
    const isId = element?.kind === "scalar" && (element.types.has("string") || element.types.has("integer"));
    return isId ? { at, ids: element.schema } : undefined;
  }
  if (at.length === MAX_DEPTH || (at.length > 0 && !isWrapper(at.at(-1) ?? "", segment))) return undefined;
  const inner = [...shape.properties].filter(([name, property]) => !isBesideRecords(name) && shapes.isInner(property));
  const [only, other] = inner;
  return only && !other ? idsIn(shapes, only[1], { at: [...at, only[0]], segment }) : undefined;
}

import type { Placed } from "../../schema/references.ts";
import type { RecordSpot } from "./record-spots.ts";
import type { Shapes } from "./schema-shape.ts";

/** A list of the ids of records that another path sends: `["C", "Java"]`, or `{ "names": ["a"], "has_more": true }`. */
export function findIdList(
  shapes: Shapes,
  body: Placed | undefined,
  reads: readonly RecordSpot[],
): RecordSpot | undefined {
  const record = reads.find(({ isList, shape }) => !isList && shape.properties.size > 0);
  if (!body || !record) return undefined;
  const whole = idsIn(shapes, body);
  const inner = [...shapes.of(body).properties].filter(([, property]) => shapes.isInner(property));
  const lists = inner.map(([name, property]) => ({ at: [name], ids: idsIn(shapes, property) }));
  const [only, other] = whole ? [{ at: [], ids: whole }] : lists;
  return only?.ids && !other ? { ...only, isList: true, shape: record.shape, isNamed: true, rank: 0 } : undefined;
}

function idsIn(shapes: Shapes, schema: Placed): Placed | undefined {
  const { items } = shapes.of(schema);
  const element = items && shapes.of(items);
  const isId = element?.kind === "scalar" && (element.types.has("string") || element.types.has("integer"));
  return isId ? element.schema : undefined;
}

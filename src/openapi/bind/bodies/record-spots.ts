import { isJsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { isSameNoun, plainName, singularOf, wordsIn } from "../words.ts";

/** A place in a body where a record, or a list of records, may stand. */
export interface RecordSpot {
  readonly at: readonly string[];
  readonly isList: boolean;
  /** Of the record, or of one element of the list. */
  readonly shape: SchemaShape;
  /** Of a list whose elements hold their records in a property: `{ "edges": [{ "cursor", "node": { ... } }] }`. */
  readonly wrapper?: ElementWrapper | undefined;
  /** Of a list that has the ids of records in their place: the schema of an id. */
  readonly ids?: Placed | undefined;
  /** Whether its name says that it holds the record or the list, or there is nothing else that could. */
  readonly isNamed: boolean;
  /** How well its name and depth speak for it. */
  readonly rank: number;
}

/** The object around each record of a list. */
export interface ElementWrapper {
  /** Property names that lead from an element to its record. */
  readonly at: readonly string[];
  /** The schema of an element. */
  readonly schema: Placed;
}

/** How alike two schemas must be to describe the same record. */
export const ALIKE = 0.5;
/** A list where a record is expected may be one of something else, and so may what an action sends. */
export const SURELY_ALIKE = 0.8;

/** Usual names of lists, the best first. */
export const LIST_NAMES = [
  ["data", "items", "results"],
  ["records", "rows", "values", "entries", "list", "content", "elements", "objects", "collection", "docs", "hits"],
  ["result", "response", "payload", "body", "resources", "embedded", "value", "member", "item", "page"],
];
const RECORD_NAMES = [
  ["data", "item", "result"],
  ["record", "response", "payload", "object", "body", "content", "resource", "entity", "value", "details", "results"],
];
/** Lists that stand beside the records. */
const ASIDE = [
  "errors",
  "warnings",
  "links",
  "messages",
  "included",
  "facets",
  "aggregations",
  "filters",
  "meta",
  "error",
];
/** Fields beside the record in an element of a list that wraps it. */
const BESIDE_RECORD = ["cursor", "uri", "url", "href", "self", "link", "links", "meta", "etag", "type", "kind"];
/** The likeness of a schema with one property to another that has it too. */
const LONE = 0.6;
const MAX_DEPTH = 3;
const MAX_ENVELOPE = 16;
const MAX_INNER_ENVELOPE = 5;

/** Every place where records may stand, best first by name. `segment` is the collection's name in its path. */
export function findSpots(shapes: Shapes, body: Placed, segment: string): readonly RecordSpot[] {
  const spots: RecordSpot[] = [];
  const visit = (
    schema: Placed,
    at: readonly string[],
    { rank, isOnly }: { readonly rank: number; readonly isOnly: boolean },
  ): void => {
    const shape = shapes.of(schema);
    if (shape.kind === "array") {
      const element = shape.items && shapes.of(shape.items);
      if (element && (element.kind === "object" || element.kind === "unknown" || element.kind === "mixed")) {
        const named = nameRank(at, LIST_NAMES, segment);
        const wrapper = wrapperOf(shapes, element, segment);
        const shapeOfRecord = wrapper ? shapes.property(element, wrapper.at[0]!)! : element;
        const list = { at, isList: true, shape: shapeOfRecord, wrapper };
        spots.push({ ...list, isNamed: isNamed(named, isOnly), rank: rank + named });
      }
      return;
    }
    if (shape.kind !== "object" && shape.kind !== "mixed") return;
    const named = nameRank(at, RECORD_NAMES, segment);
    spots.push({ at, isList: false, shape, isNamed: isNamed(named, isOnly), rank: rank + named });
    if (at.length >= MAX_DEPTH) return;
    // Envelopes are small; what has many properties is a record, whose parts are no records.
    const isSmall = shape.properties.size <= (at.length === 0 ? MAX_ENVELOPE : MAX_INNER_ENVELOPE);
    const inner = [...shape.properties].filter(
      ([name, property]) => (isSmall || isWrapper(name, segment)) && shapes.isInner(property),
    );
    const beside = inner.filter(([name]) => !isBesideRecords(name));
    for (const [name, property] of inner) {
      const isOnlyInner = isSmall && beside.length === 1;
      if ((at.length > 0 && !isOnlyInner && !isWrapper(name, segment)) || isMapBeside(shapes, shape, property))
        continue;
      visit(property, [...at, name], {
        rank: isOnlyInner ? rank : rank - 1,
        isOnly: isOnlyInner || isOnlyList(shapes, inner, name),
      });
    }
  };
  visit(body, [], { rank: 0, isOnly: true });
  return spots.sort((a, b) => b.rank - a.rank);
}

/** Whether a property is a map of values beside others: `data: { [key]: text }` of a user is no record, but a part of it. */
function isMapBeside(shapes: Shapes, { properties }: SchemaShape, property: Placed): boolean {
  const { schema, properties: own } = shapes.of(property);
  if (properties.size < 2 || own.size > 0 || !isJsonObject(schema.value)) return false;
  const { additionalProperties: values } = schema.value;
  return isJsonObject(values) && (values.type !== undefined || values.$ref !== undefined);
}

/** An element that is nothing but an envelope: one record, and fields that tell no more than where it is. */
function wrapperOf(shapes: Shapes, element: SchemaShape, segment: string): ElementWrapper | undefined {
  if (element.kind !== "object" || element.branches.length > 0) return undefined;
  const inner = [...element.properties.keys()].filter((name) => !BESIDE_RECORD.includes(plainName(name)));
  const [name] = inner;
  if (name === undefined || inner.length > 1 || !(plainName(name) === "node" || isRecordName(name, segment)))
    return undefined;
  const record = shapes.property(element, name);
  if (record?.kind !== "object" || record.properties.size === 0) return undefined;
  return { at: [name], schema: element.schema };
}

/** Whether a field is known to stand beside records, such as `links` and `errors`. */
export function isBesideRecords(name: string): boolean {
  return ASIDE.includes(plainName(name));
}

/** Whether a field has the record of a collection by its name: `pet`, `data`, `result`. */
export function isRecordName(name: string, segment: string): boolean {
  return isSameNoun(name, segment) || RECORD_NAMES.some((group) => group.includes(plainName(name)));
}

function isNamed(rank: number, isOnly: boolean): boolean {
  return rank > 0 || (isOnly && rank === 0);
}

/** The one array among the properties of an envelope. */
function isOnlyList(shapes: Shapes, inner: readonly [string, Placed][], name: string): boolean {
  const [list, other] = inner.filter(([key, one]) => !isBesideRecords(key) && shapes.of(one).kind === "array");
  return list?.[0] === name && !other;
}

function nameRank(at: readonly string[], names: readonly (readonly string[])[], segment: string): number {
  const name = at.at(-1);
  if (name === undefined) return 4;
  if (isSameNoun(name, segment)) return 4;
  if (isBesideRecords(name)) return -20;
  const found = names.findIndex((group) => group.includes(plainName(name)));
  return found === -1 ? 0 : 3 - found;
}

/** Whether the same names lead to two places. */
export function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, position) => name === other[position]);
}

/** Whether a field has by its name what a body is about. */
export function isWrapper(name: string, segment: string): boolean {
  return isSameNoun(name, segment) || [...LIST_NAMES, ...RECORD_NAMES].some((group) => group.includes(plainName(name)));
}

/** The record that is read, unless that may be something else too (a deleted record) and the list tells which. */
export function recordShapeOf([first, second]: readonly SchemaShape[], idKey: string): SchemaShape {
  const isBranch = second !== undefined && first!.branches.includes(second.schema.place);
  return second && (isBranch || (second.properties.has(idKey) && !first!.properties.has(idKey))) ? second : first!;
}

/** Whether two shapes have the same schema, shared or written twice. */
export function isSameSchema({ schema: one }: SchemaShape, { schema: other }: SchemaShape): boolean {
  return one.place === other.place || JSON.stringify(one.value) === JSON.stringify(other.value);
}

/**
 * How far two schemas describe the same thing, from 0 to 1: the share of the smaller one's properties that the other has
 * too. One property in common, an id mostly, says nothing of schemas whose names differ. A schema that names no properties
 * is compatible with any, but proves nothing.
 */
export function likeness(one: SchemaShape, other: SchemaShape): number {
  if (one.schema.place === other.schema.place) return 1;
  const [small, large] = one.properties.size <= other.properties.size ? [one, other] : [other, one];
  if (small.properties.size === 0) return 0.5;
  const shared = [...small.properties.keys()].filter((name) => large.properties.has(name)).length;
  // `{ "endpoint": { "id", "endpoint" } }` is an envelope of what it has in common with.
  if (small.properties.size === 1) return shared * LONE;
  if (shared === 1 && !hasWordInCommon(small.name, large.name)) return 0;
  const share = shared / small.properties.size;
  return shared > 1 && isSameStem(small.name, large.name) ? Math.max(share, ALIKE) : share;
}

/** Words in names of schemas that tell which form of a thing it is. */
const FORM_WORDS =
  /^(?:list|dto|summary|details?|overview|short|full|brief|basic|simple|minimal|item|response|model|view|info)$/;

/** `OrderListDto` and `OrderDto` are forms of an order. */
function isSameStem(one: string | undefined, other: string | undefined): boolean {
  const [stem, second] = [one, other].map((name) =>
    wordsIn(name ?? "")
      .filter((word) => !FORM_WORDS.test(word))
      .map(singularOf)
      .join(),
  );
  return stem !== "" && stem === second;
}

/** The same for a body that is sent: its names may be spelt differently, as in `FriendlyName` and `friendly_name`. */
export function sentLikeness(sent: SchemaShape, record: SchemaShape): number {
  const exact = likeness(sent, record);
  if (exact >= ALIKE || sent.properties.size < 2) return exact;
  const names = new Set([...record.properties.keys()].map(plainName));
  const shared = [...sent.properties.keys()].filter((name) => names.has(plainName(name))).length;
  return shared < 2 ? exact : Math.max(exact, shared / sent.properties.size);
}

function hasWordInCommon(one: string | undefined, other: string | undefined): boolean {
  const words = wordsIn(one ?? "").map(singularOf);
  return wordsIn(other ?? "").some((word) => words.includes(singularOf(word)));
}

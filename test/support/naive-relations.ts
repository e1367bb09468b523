import fc from "fast-check";
import type { Json, JsonObject } from "../../src/base/json/json.ts";

type Data = Record<string, JsonObject[]>;

const PLURALS: Readonly<Record<string, string>> = {
  company: "companies",
  product: "products",
  tag: "tags",
  review: "reviews",
};
const SINGULARS = Object.fromEntries(Object.entries(PLURALS).map(([one, many]) => [many, one]));
const NAMES = [...Object.keys(PLURALS), ...Object.values(PLURALS)];

const id = fc.constantFrom<Json>(1, 2, 3, "1", "2", "x", "y");
const single = fc.oneof(id, id, fc.constantFrom<Json>(null, 9, "1,2", true));
const many = fc.oneof(fc.array(single, { maxLength: 4 }), fc.constantFrom<Json>(null, 1, "x", [[1]], { id: 1 }));

/** Keys that a collection uses, so that records of one collection resemble each other. */
const keys = fc.subarray(
  Object.keys(PLURALS).flatMap((name) => [`${name}Id`, `${name}_id`, `${name}Ids`, `${name}_ids`]),
  { maxLength: 4 },
);

const collection = keys.chain((fields) => {
  const values = fields.map((field) => [field, field.endsWith("s") ? many : single] as const);
  const record = fc.record({ id, ...Object.fromEntries(values) }, { requiredKeys: ["id"] });
  return fc.uniqueArray(record, { maxLength: 6, selector: (one) => String(one.id) });
});

/** Small data in which nearly everything refers to everything. */
export const relatedData = fc.record({
  companies: collection,
  products: collection,
  tags: collection,
  reviews: collection,
}) as fc.Arbitrary<Data>;

export interface RelationQuery {
  readonly collection: string;
  /** Of the record, or of all. */
  readonly id: Json | undefined;
  readonly embed: readonly string[];
  readonly expand: readonly string[];
}

const path = fc.array(fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...NAMES) }, fc.constant("other")), {
  minLength: 1,
  maxLength: 3,
});
/** No two paths with the same first name. */
const paths = fc
  .uniqueArray(path, { maxLength: 2, selector: ([first]) => first })
  .map((all) => all.map((names) => names.join(".")));

export const relationQuery: fc.Arbitrary<RelationQuery> = fc.record({
  collection: fc.constantFrom(...Object.values(PLURALS)),
  id: fc.option(id, { nil: undefined, freq: 2 }),
  embed: paths,
  expand: paths,
});

export function lineOf({ collection: name, id: one, embed, expand }: RelationQuery): string {
  const record = one === undefined ? "" : `/${one}`;
  return `GET /${name}${record}?_embed=${embed.join(",")}&_expand=${expand.join(",")}`;
}

/** The response to a query, by the plainest means. */
export function naiveResponse(data: Data, { collection: name, id: one, embed, expand }: RelationQuery): Json {
  const respond = (record: JsonObject): JsonObject => {
    let result = record;
    for (const text of embed) result = withPath(data, { record: result, collection: name, parameter: "_embed", text });
    for (const text of expand)
      result = withPath(data, { record: result, collection: name, parameter: "_expand", text });
    return result;
  };
  if (one === undefined) return data[name]!.map(respond);
  const found = data[name]!.find((record) => String(record.id) === String(one));
  return found ? respond(found) : "missing";
}

interface NestedQuery extends Pick<RelationQuery, "collection" | "id"> {
  readonly children: string;
}

/** The response to a request for the children of a record, which need not exist: a filter by all their keys to it. */
export function naiveChildren(data: Data, { collection: name, id: one, children }: NestedQuery): JsonObject[] {
  const singular = SINGULARS[name]!;
  const fields = [held(data, children, singular), held(data, children, singular, "s")];
  return data[children]!.filter((child) =>
    fields.some((field) =>
      [child[field ?? ""] ?? null].flat(9).some((value) => value !== null && String(value) === String(one)),
    ),
  );
}

type Parameter = "_embed" | "_expand";

interface PathRequest {
  readonly record: JsonObject;
  readonly collection: string;
  readonly parameter: Parameter;
  readonly text: string;
}

function withPath(data: Data, { record, collection: name, parameter, text }: PathRequest): JsonObject {
  const names = text.split(".");
  if (!names.every((one) => NAMES.includes(one))) return parameter === "_embed" ? { ...record, [text]: [] } : record;
  return withNames(data, record, { collection: name, parameter, names, isFirst: true });
}

interface Step {
  readonly collection: string;
  readonly parameter: Parameter;
  readonly names: readonly string[];
  readonly isFirst: boolean;
}

function withNames(data: Data, record: JsonObject, step: Step): JsonObject {
  const [name, ...names] = step.names;
  if (name === undefined) return record;
  const found = relationOf(data, record, { ...step, name });
  if (found === undefined) return record;
  const further = { ...step, collection: PLURALS[name] ?? name, names, isFirst: false };
  const added = Array.isArray(found)
    ? found.map((one) => withNames(data, one, further))
    : withNames(data, found, further);
  return { ...record, [name]: added };
}

/** The related records, the related record, or undefined where nothing is added. */
function relationOf(
  data: Data,
  record: JsonObject,
  { collection: name, parameter, isFirst, name: wanted }: Step & { readonly name: string },
): JsonObject[] | JsonObject | undefined {
  const isPlural = wanted in data;
  const singular = SINGULARS[wanted] ?? wanted;
  const childKeys = isPlural
    ? [held(data, wanted, SINGULARS[name]!), held(data, wanted, SINGULARS[name]!, "s")]
    : [undefined, undefined];
  const hasChildren = childKeys.some((key) => key !== undefined);
  const children = () =>
    data[wanted]!.filter(
      (child) =>
        textOfKey(child, childKeys[0]) === String(record.id) ||
        textsOfList(child, childKeys[1]).includes(String(record.id)),
    );
  // A plural is pluralised to itself, so `tagsId` would be its key, which these data never have.
  const parentKey = isPlural ? undefined : held(data, name, wanted);
  const parent = () => data[PLURALS[wanted]!]!.find((one) => String(one.id) === textOfKey(record, parentKey));
  const listKey = isPlural ? held(data, name, singular, "s") : undefined;
  const list = () => {
    if (record[listKey!] === undefined || record[listKey!] === null) return undefined;
    return textsOfList(record, listKey).flatMap((text) => data[wanted]!.filter((one) => String(one.id) === text));
  };
  if (isFirst && parameter === "_embed") return isPlural ? children() : parentKey === undefined ? [] : parent();
  if (parameter === "_embed") {
    if (hasChildren) return children();
    if (listKey !== undefined) return list();
    return parentKey === undefined ? [] : parent();
  }
  if (parentKey !== undefined) return parent();
  if (listKey !== undefined) return list();
  return !isFirst && hasChildren ? children() : undefined;
}

function held(data: Data, name: string, singular: string, ending = ""): string | undefined {
  const fields = [`${singular}Id${ending}`, `${singular}_id${ending}`];
  return fields.find((field) => data[name]!.some((record) => field in record));
}

function textOfKey(record: JsonObject, key: string | undefined): string | undefined {
  const value = key === undefined ? undefined : record[key];
  return value === undefined || value === null ? undefined : String(value);
}

function textsOfList(record: JsonObject, key: string | undefined): string[] {
  const value = key === undefined ? undefined : record[key];
  return [value].flat().flatMap((one) => (one === undefined || typeof one === "object" ? [] : [String(one)]));
}

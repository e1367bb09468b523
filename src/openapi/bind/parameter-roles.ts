import { isJsonObject } from "../../base/json/json.ts";
import type { Operation, Parameter } from "../read/api-document.ts";
import type { BoundParameter, ParameterRole } from "./binding.ts";
import { handleOf } from "./field-keys.ts";
import { type NamedFilter, namedFilter } from "./filter-names.ts";
import { queryNames } from "./query-names.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { findAlike, nounOf, plainName, singularOf } from "./words.ts";

const NAMES: readonly (readonly [ParameterRole, readonly string[]])[] = [
  ["page", ["page", "pagenumber", "pagenum", "pageno", "currentpage", "p"]],
  ["pageIndex", ["pageindex"]],
  [
    "limit",
    [
      "limit",
      "perpage",
      "pagesize",
      "size",
      "itemsperpage",
      "resultsperpage",
      "maxresults",
      "maxcount",
      "maxitems",
      "pagelimit",
      "top",
      "take",
      "count",
      "rows",
      "num",
      "max",
      "pagelength",
      "numresults",
      "maxrecords",
      "itemcount",
    ],
  ],
  ["offset", ["offset", "skip", "start", "startindex", "startat", "from", "pageoffset", "limitstart"]],
  [
    "cursor",
    [
      "cursor",
      "after",
      "startingafter",
      "pagetoken",
      "nexttoken",
      "nextpagetoken",
      "continue",
      "continuation",
      "continuationtoken",
      "marker",
      "startafter",
      "pagecursor",
      "pageafter",
      "next",
      "nextcursor",
      "batchtoken",
    ],
  ],
  ["before", ["before", "endingbefore", "pagebefore", "previous", "prev"]],
  ["sort", ["sort", "sortby", "orderby", "sorting", "sortfield", "sortkey", "sortcolumn", "ordering"]],
  ["order", ["order", "sortorder", "sortdirection", "orderdirection", "direction", "sortdir", "dir"]],
  [
    "search",
    ["q", "query", "search", "searchterm", "searchtext", "keyword", "keywords", "term", "searchquery", "text"],
  ],
  ["fields", ["fields", "select"]],
];
/** Names that a record's field wins over. */
const AMBIGUOUS: readonly ParameterRole[] = ["limit", "offset", "cursor", "before", "order", "search", "sort"];
const ALWAYS = ["limit", "perpage", "pagesize", "offset", "skip", "cursor", "q", "sort", "search", "startingafter"];

/** Names that mean other things as well. */
const WEAK = [
  "count",
  "rows",
  "num",
  "max",
  "top",
  "take",
  "size",
  "text",
  "term",
  "next",
  "previous",
  "p",
  "from",
  "start",
];
/** Names that change the form of a response. */
const SHAPING = ["expand", "include", "embed", "lang", "locale", "format", "view"];
const RANGES = ["start", "end", "from", "to", "since", "until", "before", "after", "startdate", "enddate"];

/** Descriptions that tell what a name leaves open. */
const FROM_ZERO = /\b0\s*\.\.|zero[- ]based|start(?:s|ing)? (?:at|from|with) (?:0|zero)\b/i;
const OF_TIME = /\b(?:time|timestamp|date|epoch)\b/i;
const OF_FIELDS = /\b(?:fields?|columns?|attributes?|propert(?:y|ies)|elements?)\b/i;

interface ListedRecords {
  readonly record: SchemaShape;
  readonly idKey: string;
  /** The last fixed segment of the path. */
  readonly segment?: string;
}

/** The query parameters of a list that mean something, by name. */
export function parameterRoles(
  shapes: Shapes,
  operation: Operation,
  { record, idKey, segment = "" }: ListedRecords,
): readonly BoundParameter[] {
  const isComparable = (key: string): boolean => {
    return shapes.isListOfScalars(record, key) || shapes.isComparable(record, key);
  };
  const find = (name: string) =>
    findAlike(record.properties.keys(), name, isComparable) ?? findInside(shapes, record, name);
  const id = shapes.property(record, idKey);
  const ids = ["ids", `${plainName(idKey)}s`, `${nounOf(segment)}ids`];
  const names = queryNames(shapes, operation).map(({ name }) => bareName(name));
  const found = queryNames(shapes, operation).flatMap((parameter): BoundParameter[] => {
    if (isBound(parameter, shapes) || parameter.role === "ignored") return [];
    const { name, schema } = parameter;
    // Its properties have names of their own.
    if (schema && shapes.of(schema).kind === "object") return [];
    const found = parameter.role === "filter" ? undefined : pagingRole(parameter, shapes, names);
    const role = found && isCursor(found) && isTime(shapes, parameter, id) ? undefined : found;
    const filter =
      SHAPING.includes(plainName(name)) || OF_STARTS.test(parameter.description ?? "")
        ? undefined
        : (filterOf(find, name, { idKey, ids }) ?? (role ? undefined : filterWithin(shapes, record, parameter)));
    const isFilter =
      filter && (!role || (AMBIGUOUS.includes(role) && !ALWAYS.includes(plainName(name)) && !filter.operator));
    if (isFilter) return [{ name, role: "filter", ...toldFilter(filter, parameter.description) }];
    return role ? [{ name, role }] : [];
  });
  return found.filter((one) => one.role === "filter" || isBest(one, found));
}

function isCursor(role: ParameterRole): boolean {
  return role === "cursor" || role === "before";
}

/** Whether `after` and `before` are times: numbers, although ids are none. */
function isTime(shapes: Shapes, { name, schema }: Parameter, id: SchemaShape | undefined): boolean {
  const types = schema ? shapes.of(schema).types : new Set<string>();
  const isNumber = (of: ReadonlySet<string>): boolean => of.has("integer") || of.has("number");
  return RANGES.includes(bareName(name)) && isNumber(types) && !types.has("string") && !(id && isNumber(id.types));
}

/** `tag` for the texts in `tagList`, `tags` for `tags.name` of its objects, and `author` for `author.username`. */
function findInside(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const keys = [...record.properties.keys()];
  for (const list of [`${name}List`, `${name}s`]) {
    const found = findAlike(keys, list, (key) => shapes.isListOfScalars(record, key));
    if (found !== undefined) return found;
  }
  const found = findAlike(keys, name);
  const shape = found === undefined ? undefined : shapes.property(record, found);
  const inner = shape?.kind === "array" ? shape.items && shapes.of(shape.items) : shape;
  const handle = inner?.kind === "object" || inner?.kind === "mixed" ? handleOf(shapes, inner) : undefined;
  // Names are not unique: a record is named by its id, and several labels by their names.
  const id = handle === "name" && shape?.kind === "object" ? idOfPart(shapes, shape) : undefined;
  if (handle !== undefined) return `${found}.${id ?? handle}`;
  const owner = /^(.+?)(?:_id|Id|ID)$/.exec(name)?.[1];
  const part = owner === undefined ? undefined : findAlike(keys, owner);
  const ofPart = part === undefined ? undefined : shapes.property(record, part);
  const key = ofPart?.kind === "object" ? idOfPart(shapes, ofPart) : undefined;
  return key === undefined ? undefined : `${part}.${key}`;
}

function idOfPart(shapes: Shapes, part: SchemaShape): string | undefined {
  return ["id", "gid", "uuid"].find((name) => part.properties.has(name) && shapes.isComparable(part, name));
}

/** Whether a list has a way to turn its pages. */
export function isPaged(shapes: Shapes, operation: Operation): boolean {
  const turns = ["page", "pageIndex", "offset", "cursor"];
  const record = shapes.of({ value: {}, place: "" });
  return parameterRoles(shapes, operation, { record, idKey: "" }).some(({ role }) => turns.includes(role));
}

/** Of several parameters with the same role, those whose names leave no doubt: `limit`, not `count`. */
function isBest({ name, role }: BoundParameter, found: readonly BoundParameter[]): boolean {
  return (
    !WEAK.includes(bareName(name)) || found.every((other) => other.role !== role || WEAK.includes(bareName(other.name)))
  );
}

/** `start` and `end` of a range of time equal nothing. */
function isBound({ name, schema }: Parameter, shapes: Shapes): boolean {
  const { format } = (schema && shapes.of(schema)) ?? {};
  return RANGES.includes(plainName(name)) && (format === "date" || format === "date-time");
}

/** `ids` is a list of ids. */
function filterOf(
  find: (name: string) => string | undefined,
  name: string,
  { idKey, ids }: { readonly idKey: string; readonly ids: readonly string[] },
): NamedFilter | undefined {
  return namedFilter(name, find) ?? (ids.includes(plainName(name)) ? { field: idKey } : undefined);
}

/** `tag` is one of `tagList` or `tags`, and `author` a property of that object that the description names. */
function filterWithin(
  shapes: Shapes,
  record: SchemaShape,
  { name, schema, description = "" }: Parameter,
): NamedFilter | undefined {
  const isList = (key: string): boolean => {
    const { kind, items } = shapes.property(record, key)!;
    return kind === "array" && items !== undefined && shapes.of(items).kind === "scalar";
  };
  const many = [`${name}List`, `${name}s`].flatMap((one) => findAlike(record.properties.keys(), one, isList) ?? []);
  if (many[0] !== undefined) return { field: many[0] };
  // `emails` is several of `email`.
  const isOne = (key: string): boolean => shapes.isComparable(record, key);
  const one = schema && shapes.of(schema).kind === "array" ? singularOf(name) : name;
  const field = one === name ? undefined : findAlike(record.properties.keys(), one, isOne);
  if (field !== undefined) return { field };
  const flag =
    schema && shapes.of(schema).types.has("boolean") ? flagNamed(shapes, record, { name, description }) : undefined;
  if (flag !== undefined) return { field: flag };
  const holder = findAlike(record.properties.keys(), name);
  const inner = holder === undefined ? undefined : shapes.property(record, holder);
  const words = description.split(/\W+/);
  const named =
    inner?.kind === "object"
      ? [...inner.properties.keys()].find((key) => words.includes(key) && shapes.isComparable(inner, key))
      : undefined;
  return named === undefined ? undefined : { field: `${holder}.${named}` };
}

/** `deleted` filters by `isDeleted` or `deletedStatus`, unless it asks for more records. */
function flagNamed(
  shapes: Shapes,
  record: SchemaShape,
  { name, description }: { readonly name: string; readonly description: string },
): string | undefined {
  if (/\binclud/i.test(description)) return undefined;
  const isFlag = (key: string): boolean => shapes.property(record, key)?.types.has("boolean") === true;
  const spelt = [`is_${name}`, `${name}_status`, `${name}_flag`];
  return spelt.flatMap((one) => findAlike(record.properties.keys(), one, isFlag) ?? [])[0];
}

/** "Commit to start listing from" */
const OF_STARTS = /\bto start (?:listing|from)\b|\bstart(?:ing)? point\b/i;

const STRICT: Readonly<Record<string, NamedFilter["operator"]>> = { gte: "gt", lte: "lt" };

/** `max_id`: "older than this id" is without it. */
function toldFilter(filter: NamedFilter, description = ""): NamedFilter {
  const isStrict = /\b(?:older|newer|earlier|later|less|greater|lower|higher) than\b(?! or)/i.test(description);
  const strict = STRICT[filter.operator ?? ""];
  return isStrict && strict !== undefined ? { ...filter, operator: strict } : filter;
}

/** "How many items to return" */
const OF_LIMIT =
  /\bhow many \w+ to return\b|\bnumber of (?:items|results|records|entries|elements) (?:to return|per page|the server should return)\b/i;

function pagingRole(
  { name, schema, description = "" }: Parameter,
  shapes: Shapes,
  names: readonly string[],
): ParameterRole | undefined {
  const bare = bareName(name);
  const shape = schema && shapes.of(schema);
  if (shape?.types.has("integer")) {
    // `first` and `max` are a position and a size; `first` alone is a size.
    if (bare === "first" && names.includes("max")) return "offset";
    if (bare === "amount" && OF_LIMIT.test(description)) return "limit";
  }
  const role = NAMES.find(([, names]) => names.includes(bare))?.[0];
  const value = shape?.schema.value;
  const facts = isJsonObject(value) ? value : {};
  if (facts.format === "date" || facts.format === "date-time") return undefined;
  if (role === "page" && (facts.minimum === 0 || facts.default === 0 || FROM_ZERO.test(description)))
    return "pageIndex";
  if (role === "offset" && OF_TIME.test(description) && ["from", "start"].includes(bare)) return undefined;
  if (role === "page" && shape?.types.size === 1 && shape.types.has("string") && facts.format !== undefined)
    return undefined;
  if (role === "order" || role === "sort") {
    const values = Array.isArray(facts.enum) ? facts.enum.map(String) : [];
    if (values.length === 0) return role === "order" && OF_FIELDS.test(description) ? "sort" : role;
    return values.every((one) => /^-?1$|^(?:asc|desc)(?:ending)?$/i.test(one)) ? "order" : "sort";
  }
  const isNumber =
    shape === undefined || shape.kind === "unknown" || shape.types.has("integer") || shape.types.has("number");
  if ((role === "limit" || role === "offset") && !isNumber && !shape.types.has("string")) return undefined;
  if (["from", "start", "max", "count", "top", "text"].includes(bare) && role !== "search" && !isNumber)
    return undefined;
  return role;
}

/** `$top` -> top, `page[size]` -> pagesize, `pagination.limit` -> limit */
function bareName(name: string): string {
  const [, part] = /^(?:page|paging|pagination|pageable)[[.](\w+)\]?$/i.exec(name) ?? [];
  if (part === undefined) return plainName(name.replace(/^[$_]/, ""));
  return plainName(part) === "number" ? "page" : plainName(part);
}

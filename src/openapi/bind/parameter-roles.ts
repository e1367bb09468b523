import { isJsonObject } from "../../base/json/json.ts";
import type { Operation, Parameter } from "../read/api-document.ts";
import type { BoundParameter, ParameterRole } from "./binding.ts";
import type { Candidate } from "./candidate.ts";
import type { Shapes } from "./schema-shape.ts";
import { findAlike, plainName } from "./words.ts";

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
  ["offset", ["offset", "skip", "start", "startindex", "startat", "from", "pageoffset"]],
  [
    "cursor",
    [
      "cursor",
      "after",
      "startingafter",
      "pagetoken",
      "nexttoken",
      "nextpagetoken",
      "continuation",
      "continuationtoken",
      "marker",
      "startafter",
      "pagecursor",
      "pageafter",
      "next",
      "nextcursor",
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

/** The query parameters of a list that mean something, by name. */
export function parameterRoles(
  shapes: Shapes,
  operation: Operation,
  { record, idKey }: Pick<Candidate, "record" | "idKey">,
): readonly BoundParameter[] {
  const isComparable = (key: string): boolean => {
    const shape = shapes.property(record, key)!;
    if (shape.kind === "array") return shape.items !== undefined && shapes.of(shape.items).kind === "scalar";
    return shapes.isComparable(record, key);
  };
  const find = (name: string) => findAlike(record.properties.keys(), name, isComparable);
  const found = operation.parameters.flatMap((parameter): BoundParameter[] => {
    if (parameter.in !== "query" || isBound(parameter, shapes)) return [];
    const { name } = parameter;
    const field = SHAPING.includes(plainName(name)) ? undefined : fieldOf(find, name, idKey);
    const role = pagingRole(parameter, shapes);
    const isField = field !== undefined && (!role || (AMBIGUOUS.includes(role) && !ALWAYS.includes(plainName(name))));
    if (isField) return [{ name, role: "filter", field }];
    return role ? [{ name, role }] : [];
  });
  return found.filter((one) => one.role === "filter" || isBest(one, found));
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

/** `status`, `filter[status]`, `filter.status`; `ids` is a list of ids. */
function fieldOf(find: (name: string) => string | undefined, name: string, idKey: string): string | undefined {
  const inner = /^(?:filters?|where)(?:\[(.+)\]|[._](.+))$/i.exec(name);
  const bare = inner?.[1] ?? inner?.[2] ?? name.replace(/\[\]$/, "");
  const found = find(bare);
  if (found !== undefined) return found;
  return plainName(bare) === "ids" || plainName(bare) === `${plainName(idKey)}s` ? idKey : undefined;
}

function pagingRole({ name, schema }: Parameter, shapes: Shapes): ParameterRole | undefined {
  const bare = bareName(name);
  const role = NAMES.find(([, names]) => names.includes(bare))?.[0];
  const shape = schema && shapes.of(schema);
  const value = shape?.schema.value;
  const facts = isJsonObject(value) ? value : {};
  if (role === "page" && (facts.minimum === 0 || facts.default === 0)) return "pageIndex";
  if (role === "page" && shape?.types.size === 1 && shape.types.has("string") && facts.format !== undefined)
    return undefined;
  if (role === "order" || role === "sort") {
    const values = Array.isArray(facts.enum) ? facts.enum.map(String) : [];
    if (values.length === 0) return role;
    return values.every((one) => /^-?1$|^(?:asc|desc)(?:ending)?$/i.test(one)) ? "order" : "sort";
  }
  const isNumber =
    shape === undefined || shape.kind === "unknown" || shape.types.has("integer") || shape.types.has("number");
  if ((role === "limit" || role === "offset") && !isNumber && !shape.types.has("string")) return undefined;
  if (["from", "start", "max", "count", "top", "text"].includes(bare) && role !== "search" && !isNumber)
    return undefined;
  return role;
}

/** `$top` -> top, `page[size]` -> pagesize */
function bareName(name: string): string {
  return plainName(name.replace(/^[$_]/, "").replace(/^page\[(\w+)\]$/, (_, part: string) => pagePart(part)));
}

/** JSON:API writes `page[number]`. */
function pagePart(part: string): string {
  return (
    {
      number: "page",
      size: "pagesize",
      limit: "limit",
      offset: "offset",
      after: "after",
      before: "before",
      cursor: "cursor",
    }[part] ?? ""
  );
}

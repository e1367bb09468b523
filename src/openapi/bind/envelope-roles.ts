import type { MediaContent, ResponseHeader } from "../read/api-document.ts";
import type { EnvelopeField, EnvelopeRole } from "./binding.ts";
import { bodySchema } from "./bodies.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { isSameNoun, plainName } from "./words.ts";

const NUMBERS: readonly (readonly [EnvelopeRole, readonly string[]])[] = [
  [
    "total",
    [
      "total",
      "totalcount",
      "totalitems",
      "totalresults",
      "totalrecords",
      "totalelements",
      "totalrows",
      "totalhits",
      "totalsize",
      "totalentries",
      "totalobjects",
      "recordstotal",
      "counttotal",
      "itemcount",
      "itemstotal",
      "found",
      "numfound",
      "resultstotal",
      "resultcount",
      "totalnumber",
      "odatacount",
      "recordcount",
      "rowcount",
      "totalrowcount",
      "totalentities",
    ],
  ],
  [
    "count",
    [
      "count",
      "numberofelements",
      "returned",
      "pagecountitems",
      "currentitemcount",
      "countonpage",
      "numresults",
      "returneditems",
      "results",
    ],
  ],
  ["page", ["page", "currentpage", "pagenumber", "pagenum", "pageno", "curpage", "thispage", "current"]],
  ["pageIndex", ["pageindex", "currentpageindex"]],
  [
    "limit",
    [
      "limit",
      "perpage",
      "pagesize",
      "size",
      "itemsperpage",
      "resultsperpage",
      "recordsperpage",
      "pagelimit",
      "maxresults",
      "pagelength",
      "pagelen",
      "entriesperpage",
      "countperpage",
      "take",
      "maxperpage",
    ],
  ],
  [
    "pages",
    ["pages", "totalpages", "pagecount", "lastpage", "numpages", "numberofpages", "pagestotal", "pagetotal", "maxpage"],
  ],
  ["offset", ["offset", "start", "startindex", "skip", "startat", "from"]],
  ["nextOffset", ["nextoffset", "nextstart", "nextmarker", "nextcursor"]],
  ["end", ["end", "endindex"]],
  ["nextPage", ["next", "nextpage", "nextpagenumber"]],
  ["previousOffset", ["previousoffset", "prevoffset", "previousmarker", "prevmarker", "previouscursor", "prevcursor"]],
  ["previousPage", ["prev", "previous", "prevpage", "previouspage", "previouspagenumber", "prevpagenumber"]],
];
const TEXTS: readonly (readonly [EnvelopeRole, readonly string[]])[] = [
  [
    "nextCursor",
    [
      "nextcursor",
      "nextpagetoken",
      "nexttoken",
      "endcursor",
      "cursor",
      "nextpagecursor",
      "pagetoken",
      "after",
      "continuationtoken",
      "continuation",
      "continue",
      "nextmarker",
      "nextpageid",
      "nextpagekey",
      "nextkey",
    ],
  ],
  [
    "previousCursor",
    ["previouscursor", "prevcursor", "prevpagetoken", "previouspagetoken", "previoustoken", "startcursor", "before"],
  ],
  [
    "nextUrl",
    [
      "next",
      "nexturl",
      "nextlink",
      "nexthref",
      "nextpage",
      "nextpageurl",
      "nextpagelink",
      "nexturi",
      "nextpageuri",
      "nextpath",
      "odatanextlink",
    ],
  ],
  [
    "previousUrl",
    [
      "prev",
      "previous",
      "prevurl",
      "previousurl",
      "prevlink",
      "previouslink",
      "prevpage",
      "previouspage",
      "prevpageurl",
      "previouspageurl",
      "previoushref",
      "previouspageuri",
      "previousuri",
    ],
  ],
  ["firstUrl", ["first", "firstpage", "firstpageurl", "firsturl", "firstlink", "firstpageuri"]],
  ["lastUrl", ["last", "lastpage", "lastpageurl", "lasturl", "lastlink", "lastpageuri"]],
  ["selfUrl", ["self", "selflink", "currentpageurl", "uri", "url"]],
  ["firstId", ["firstid"]],
  ["lastId", ["lastid"]],
];
const FLAGS: readonly (readonly [EnvelopeRole, readonly string[]])[] = [
  [
    "hasMore",
    ["hasmore", "hasnext", "hasnextpage", "more", "moreavailable", "moreresults", "hasmoreitems", "hasmoreresults"],
  ],
  ["hasPrevious", ["hasprevious", "hasprev", "haspreviouspage", "hasprevpage"]],
  ["isFirst", ["first", "isfirst", "isfirstpage", "firstpage"]],
  ["isLast", ["last", "islast", "islastpage", "lastpage"]],
];
/** Objects beside the list that may have such fields. */
const MAX_DEPTH = 3;

/** The fields around a list whose names say what they mean. `at` leads to the list. */
export function envelopeOf(
  shapes: Shapes,
  content: MediaContent | undefined,
  at: readonly string[],
): readonly EnvelopeField[] {
  const body = bodySchema(content);
  if (!body) return [];
  const found: EnvelopeField[] = [];
  const visit = (shape: SchemaShape, path: readonly string[]): void => {
    for (const name of shape.properties.keys()) {
      const property = shapes.property(shape, name);
      const inner = [...path, name];
      if (!property || isSame(inner, at)) continue;
      if (property.properties.size > 0 && inner.length < MAX_DEPTH) visit(property, inner);
      const role = isSpringPage(shape, name)
        ? "pageIndex"
        : isCountOf(at.at(-1), name, property)
          ? "total"
          : roleOf(nameFor(inner), property);
      if (role) found.push({ path: inner, role });
    }
  };
  visit(shapes.of(body), []);
  return settled(found);
}

/** Whether the next page is named by a number: `{ "next_marker": 20 }`. */
export function hasNumberedPages(
  shapes: Shapes,
  content: MediaContent | undefined,
  fields: readonly EnvelopeField[],
): boolean {
  const body = bodySchema(content);
  return fields.some(({ path, role }) => {
    if (!body || role !== "nextOffset") return false;
    let shape: SchemaShape | undefined = shapes.of(body);
    for (const name of path) shape = shape && shapes.property(shape, name);
    return shape !== undefined && (shape.types.has("integer") || shape.types.has("number"));
  });
}

/** Headers such as `X-Total-Count`. */
export function headerRoles(headers: readonly ResponseHeader[]): { name: string; role: EnvelopeRole }[] {
  return headers.flatMap(({ name }) => {
    const bare = plainName(name.replace(/^x-(?:pagination-)?/i, ""));
    const found = [...NUMBERS, ...TEXTS].find(([, names]) => names.includes(bare));
    return found && /^(?:x-|total|pagination)/i.test(name) ? [{ name, role: found[0] }] : [];
  });
}

/** Spring counts pages from 0, and calls the page `number`. */
function isSpringPage({ properties }: SchemaShape, name: string): boolean {
  return name === "number" && (properties.has("totalElements") || properties.has("totalPages"));
}

/** `articlesCount` and `totalArticles` beside `articles`. */
function isCountOf(list: string | undefined, name: string, { types }: SchemaShape): boolean {
  if (list === undefined || !(types.has("integer") || types.has("number"))) return false;
  const [, counted] =
    /^(?:total|numberof|num)(.+)$/.exec(plainName(name)) ??
    /^(?:total)?(.+?)(?:total)?count$/.exec(plainName(name)) ??
    [];
  return counted !== undefined && isSameNoun(counted, list);
}

/** HAL writes `_links.next.href`; what stands in `next_page` belongs to the next one. */
function nameFor(path: readonly string[]): string {
  const [outer = "", last = ""] = path.slice(-2);
  if (path.length < 2) return outer;
  if (plainName(last) === "href") return outer;
  return isOfNext(outer) ? `next_${last}` : last;
}

/** Whether an object describes the next page, and is empty on the last one. */
export function isOfNext(name: string): boolean {
  return NEXT_OBJECTS.has(plainName(name));
}

const NEXT_OBJECTS: ReadonlySet<string> = new Set(["next", "nextpage"]);

function roleOf(name: string, { kind, types, format }: SchemaShape): EnvelopeRole | undefined {
  if (kind !== "scalar" && kind !== "unknown") return undefined;
  const bare = plainName(name.replace(/^@/, ""));
  const find = (rows: typeof NUMBERS): EnvelopeRole | undefined => rows.find(([, names]) => names.includes(bare))?.[0];
  if (types.has("boolean")) return find(FLAGS);
  if (types.has("integer") || types.has("number")) return find(NUMBERS);
  const isUrl = format === "uri" || format === "url" || format === "uri-reference";
  if (isUrl) return find(TEXTS.slice(2));
  if (types.has("string")) return find(TEXTS) ?? find(NUMBERS.slice(0, 8));
  return find(NUMBERS.slice(0, 7)) ?? find(TEXTS) ?? find(FLAGS);
}

/** A count beside no total is the total. An address is that of the list, or an end that of a page, only beside others. */
function settled(fields: readonly EnvelopeField[]): readonly EnvelopeField[] {
  const has = (...roles: readonly EnvelopeRole[]): boolean => fields.some(({ role }) => roles.includes(role));
  return fields.flatMap((field): EnvelopeField[] => {
    if (field.role === "selfUrl" && isUrlAlone(field) && !has("nextUrl", "firstUrl")) return [];
    if (field.role === "end" && !has("offset")) return [];
    return [field.role === "count" && !has("total") ? { ...field, role: "total" } : field];
  });
}

function isUrlAlone({ path }: EnvelopeField): boolean {
  return ["uri", "url"].includes(plainName(path.at(-1) ?? ""));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, position) => name === other[position]);
}

import { isJsonObject } from "../../../base/json/json.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { MediaContent, ResponseHeader } from "../../read/api-document.ts";
import type { EnvelopeField } from "../binding.ts";
import { bodySchema } from "../bodies/bodies.ts";
import type { EnvelopeRole } from "../roles.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { isSameNoun, plainName, wordsIn } from "../words.ts";
import { FLAGS, NUMBERS, type RolesByName, TEXTS } from "./envelope-names.ts";
import { isTold, toldRole } from "./told-envelope.ts";

/** Objects beside the list that may have such fields. */
const MAX_DEPTH = 4;

/** The fields around a list whose names say what they mean. `at` leads to the list. */
export function envelopeOf(
  shapes: Shapes,
  content: MediaContent | undefined,
  at: readonly string[],
): readonly EnvelopeField[] {
  const body = bodySchema(content);
  if (!body) return [];
  const found: FoundField[] = [];
  const visit = (shape: SchemaShape, path: readonly string[]): void => {
    for (const name of shape.properties.keys()) {
      const property = shapes.property(shape, name);
      const inner = [...path, name];
      if (!property || isSame(inner, at)) continue;
      const { kind, items, properties } = property;
      const isAround = isSame(inner, at.slice(0, inner.length));
      // A record of its own, such as the repository of a list of builds, says nothing of pages.
      const isOther = !isAround && properties.has("id") && properties.has("name");
      if (properties.size > 0 && inner.length < MAX_DEPTH && !isOther) visit(property, inner);
      const isOfLinks = kind === "array" && items !== undefined && addressKeyOf(shapes.of(items)) !== undefined;
      if (isOfLinks) found.push({ path: inner, role: "links", isTold: true });
      const shown = shownRole(property);
      if (shown) {
        if (shown !== "fixed") found.push({ path: inner, role: shown, isTold: true });
        continue;
      }
      const told = toldRole(roleAt(inner, property, shape), property, inner);
      const canBeAddress = told === "page" || (told === undefined && property.format === "uri");
      const role = isSpringPage(shape, name)
        ? "pageIndex"
        : isCountOf(at.at(-1), name, property)
          ? "total"
          : canBeAddress && isAddressOfPage(property, { shape, content, path: inner })
            ? "selfUrl"
            : told;
      if (role) found.push({ path: inner, role, isTold: isTold(role, property, { content, path: inner }) });
    }
  };
  visit(shapes.of(body), []);
  return settled(found);
}

interface FoundField extends EnvelopeField {
  /** Whether the document says more for its role than its name does. */
  readonly isTold: boolean;
}

/** The role that traffic has shown, whatever the name says; `fixed` is a value that is always the same. */
function shownRole({ schema: { value } }: SchemaShape): (typeof SHOWN)[number] | undefined {
  const role = isJsonObject(value) ? value["x-standin-role"] : undefined;
  return SHOWN.find((one) => one === role);
}

const SHOWN = ["total", "count", "limit", "selfUrl", "fixed"] as const;

/** Whether the next page is named by a number: `{ "next_marker": 20 }`. */
export function hasNumberedPages(
  shapes: Shapes,
  content: MediaContent | undefined,
  fields: readonly EnvelopeField[],
): boolean {
  const body = bodySchema(content);
  return fields.some(({ path, role }) => {
    if (!body || role !== "nextOffset") return false;
    const shape = shapes.inside(shapes.of(body), path);
    return shape !== undefined && (shape.types.has("integer") || shape.types.has("number"));
  });
}

/** Headers such as `X-Total-Count`. */
export function headerRoles(headers: readonly ResponseHeader[]): { name: string; role: EnvelopeRole }[] {
  const found = headers.flatMap(({ name, schema }): { name: string; role: EnvelopeRole }[] => {
    const bare = plainName(name.replace(/^(?:x-)?(?:pagination-)?/i, ""));
    // `X-Orders-Total-Count`
    const end = /-(total-?(?:count|size|items|records|results))$/i.exec(name)?.[1];
    const own = end === undefined ? bare : plainName(end);
    const found = [...NUMBERS, ...TEXTS, ...FLAGS.slice(0, 2)].find(([, names]) => names.includes(own));
    // Texts at both ends may be times.
    const isOther = isJsonObject(schema?.value) && schema.value.type === "string" && /^(?:start|end)$/.test(bare);
    return found && !isOther && /^(?:x-|total|pagination|nextpage)/i.test(name) ? [{ name, role: found[0] }] : [];
  });
  // `X-Result-Count` beside `X-Total-Count` counts those of the page.
  const isTotal = ({ name }: { readonly name: string }): boolean => /total/i.test(name);
  return found.map((one) =>
    one.role === "total" && !isTotal(one) && found.some(isTotal) ? { ...one, role: "count" } : one,
  );
}

/** Spring counts pages from 0, and calls the page `number`. */
function isSpringPage({ properties }: SchemaShape, name: string): boolean {
  return name === "number" && [...properties.keys()].some((key) => /^total(?:elements|pages)$/.test(plainName(key)));
}

/** A text `current` beside links to other pages, or any page whose example is an address. */
function isAddressOfPage(
  { types, schema: { value } }: SchemaShape,
  {
    shape,
    content,
    path,
  }: { readonly shape: SchemaShape; readonly content: MediaContent | undefined; readonly path: readonly string[] },
): boolean {
  const name = path.at(-1) ?? "";
  if (!types.has("string") || !/^current(?:page)?$/.test(plainName(name)) || /cursor/i.test(path.at(-2) ?? ""))
    return false;
  const examples = (content?.examples ?? []).map((one) => valueAtPointer(one.value, path));
  if ([isJsonObject(value) ? value.example : undefined, ...examples].some(isPathOrUrl)) return true;
  return name === "current" && OF_OTHER_PAGES.filter((key) => shape.properties.has(key)).length > 1;
}

const OF_OTHER_PAGES = ["next", "prev", "previous", "first", "last"];

function isPathOrUrl(value: unknown): boolean {
  return typeof value === "string" && /^(?:https?:\/)?\//.test(value);
}

/** `articlesCount` and `totalArticles` beside `articles` or `articleList`. */
function isCountOf(list: string | undefined, name: string, { types }: SchemaShape): boolean {
  if (list === undefined || !(types.has("integer") || types.has("number"))) return false;
  const [, counted] =
    /^(?:total|numberof|num)(.+)$/.exec(plainName(name)) ??
    /^(?:total)?(.+?)(?:total)?count$/.exec(plainName(name)) ??
    [];
  const words = wordsIn(list);
  const noun =
    words.length > 1 && /^(?:list|array|items)$/.test(words.at(-1) ?? "") ? words.slice(0, -1).join("") : list;
  return counted !== undefined && (isSameNoun(counted, list) || isSameNoun(counted, noun));
}

/** The property of an element that has an address, where a `rel` beside it says which: `{ "rel": "next", "href": "..." }`. */
export function addressKeyOf({ properties }: Pick<SchemaShape, "properties">): string | undefined {
  return properties.has("rel") ? ["href", "uri", "url"].find((key) => properties.has(key)) : undefined;
}

/** An `href` among the fields of a page is the address of that page; others are links that their objects name. */
function roleAt(path: readonly string[], property: SchemaShape, { properties }: SchemaShape): EnvelopeRole | undefined {
  const isLink = path.length > 1 && plainName(path.at(-1) ?? "") === "href";
  if (!isLink) return roleOf(nameFor(path), property);
  const isOfPage = properties.has("next") || properties.has("limit");
  return roleOf(isOfPage ? "href" : nameFor(path), { ...property, format: "uri" });
}

/** HAL writes `_links.next.href`; what stands in `next_page` belongs to the next one. */
function nameFor(path: readonly string[]): string {
  const [outer = "", last = ""] = path.slice(-2);
  if (path.length < 2) return outer;
  // What stands in `self` repeats the request.
  if (plainName(outer) === "self" && plainName(last) === "cursor") return "currentCursor";
  // HAL's link to the page that was asked for.
  if (plainName(last) === "href") return plainName(outer) === "current" ? "self" : outer;
  // Spring's `sort.empty`: there is no order.
  if (plainName(outer) === "sort" && plainName(last) === "empty") return "unsorted";
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
  const find = (rows: RolesByName): EnvelopeRole | undefined => rows.find(([, names]) => names.includes(bare))?.[0];
  if (/^date/.test(format ?? "")) return undefined;
  if (types.has("boolean") && !types.has("string")) return find(FLAGS);
  if (types.has("integer") || types.has("number")) return find(NUMBERS);
  const isUrl = format === "uri" || format === "url" || format === "uri-reference";
  if (isUrl) return find(TEXTS.slice(2));
  if (types.has("string")) return find(TEXTS) ?? find(NUMBERS.slice(0, 8));
  return find(NUMBERS.slice(0, 7)) ?? find(TEXTS) ?? find(FLAGS);
}

/** A count beside no total is the total. An address is that of the list, or an end that of a page, only beside others. */
function settled(fields: readonly FoundField[]): readonly EnvelopeField[] {
  const has = (...roles: readonly EnvelopeRole[]): boolean => fields.some(({ role }) => roles.includes(role));
  return fields.flatMap(({ path, role, isTold }): EnvelopeField[] => {
    if (role === "selfUrl" && !isTold && isUrlAlone(path) && !has("nextUrl", "firstUrl")) return [];
    if (role === "end" && !has("offset", "position")) return [];
    if (role === "end" && has("position")) return [{ path, role: "lastPosition" }];
    const isSize = role === "limit" && path.at(-1) === "size" && !has("total");
    if (
      isSize &&
      fields.some((one) => one.role === "limit" && isBeside(one.path, path) && one.path.at(-1) !== "size")
    ) {
      return [{ path, role: "total" }];
    }
    // `from` and `to` beside a page are the positions of its first and its last record, counted from 1.
    const name = path.at(-1) ?? "";
    const hasPair = fields.some(
      (one) => isBeside(one.path, path) && one.role === "offset" && one.path.at(-1) === "from",
    );
    if (role === "lastPosition" && !(hasPair && has("page"))) return [];
    const isFirst = role === "offset" && name === "from" && has("page") && has("lastPosition");
    if (isFirst) return [{ path, role: "position" }];
    return [{ path, role: role === "count" && !isTold && !has("total") ? "total" : role }];
  });
}

function isBeside(one: readonly string[], other: readonly string[]): boolean {
  return isSame(one.slice(0, -1), other.slice(0, -1));
}

function isUrlAlone(path: readonly string[]): boolean {
  const last = plainName(path.at(-1) ?? "");
  return last === "uri" || last === "url" || (last === "href" && path.length === 1);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, position) => name === other[position]);
}

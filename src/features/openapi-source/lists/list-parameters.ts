import { StandinError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection, BoundOperation, BoundParameter } from "../../../openapi/bind/binding.ts";
import { namedFilter } from "../../../openapi/bind/query/filter-names.ts";
import { findInside } from "../../../openapi/bind/query/filters-inside.ts";
import { indexedName } from "../../../openapi/bind/query/indexed-names.ts";
import { bareName } from "../../../openapi/bind/query/paging-parameters.ts";
import { queryNames } from "../../../openapi/bind/query/query-names.ts";
import { Shapes } from "../../../openapi/bind/schema-shape.ts";
import type { Parameter } from "../../../openapi/read/api-document.ts";
import type { Parameters } from "../../../query/parameters.ts";
import type { References } from "../../../schema/references.ts";
import { readFilterTexts } from "../filters/filter-texts.ts";
import { once } from "../once.ts";
import { keyword, schemaFields, typesOf } from "../schema-fields.ts";
import { assumedParameters, isNewestFirst } from "./assumed-parameters.ts";
import { addFields } from "./chosen-fields.ts";
import { cursorForm, positionOfCursor, type WriteCursor } from "./cursors.ts";
import { readIndexed } from "./indexed-parameters.ts";
import { addFilter } from "./list-filter.ts";
import { asksForAll, pageLimits } from "./page-limits.ts";
import { hasSearchLanguage, readClauses } from "./search-clauses.ts";
import { addSort, BY_TIME, DIRECTION, fieldNamed, leafNamed, sortKeyMeant } from "./sort-fields.ts";

/** The records of a page where neither the request nor the document says how many. */
const DEFAULT_LIMIT = 20;
/** Parameters that ask for a part of a list. */
const WINDOW = ["_page", "_start", "_end", "_limit", "_after", "_per_page"] as const;

/** What addresses of other pages have where the document has no parameter for it. */
const LINKED = { name: "_start", role: "offset" } as const satisfies BoundParameter;

/** A list request in the words of standin. */
export interface ListRequest {
  readonly parameters: Parameters;
  /** Where it starts or ends; resolved where the data is. */
  readonly bounds: Bounds | undefined;
}

/** Ids or cursors. */
export interface Bounds {
  readonly after: string | undefined;
  readonly from: string | undefined;
  readonly before: string | undefined;
}

interface Sought {
  readonly name: string;
  readonly parameter: Parameter | undefined;
}

export interface ListParameters {
  /** The records of a page unless the request says how many; undefined where lists are whole then. */
  readonly defaultLimit: number | undefined;
  /** The parameters that another page may be named by, all of one role; none where the document has no way to. */
  readonly turnings: readonly BoundParameter[];
  readonly writeCursor: WriteCursor;
  /** The parameter that names the order. */
  readonly sorting: BoundParameter | undefined;
  /** The parameter that asks for totals. */
  readonly totals: BoundParameter | undefined;
  /** The meaning of its parameters. */
  readonly roles: ReadonlySet<BoundParameter["role"]>;
  /** The parameter that names the end of a list, if there is one: a cursor back is one for it then. */
  readonly before: BoundParameter | undefined;
  /** Undefined where a request has nothing to translate. */
  read(parameters: Parameters, hasParameters: boolean): ListRequest | undefined;
}

/** Prepares the translation of a list's declared query parameters into those of standin. */
export function createListParameters(
  references: References,
  { operation, parameters, envelope, content, at = [] }: BoundOperation,
  { record, idKey }: Pick<BoundCollection, "record" | "idKey">,
): ListParameters {
  const shapes = new Shapes(references);
  const declared = queryParameters(queryNames(shapes, operation));
  const byName = new Map(parameters.map((one) => [withoutBrackets(one.name), one]));
  /** The schemas of the fields that filters compare. */
  const compared = new Map(
    parameters.map((one) => {
      const path = (one.field ?? one.name).split(".");
      return [one, shapes.inside(shapes.of(record), path)?.schema];
    }),
  );
  const find = (...roles: string[]): BoundParameter | undefined => parameters.find(({ role }) => roles.includes(role));
  const isPaged = find("page", "pageIndex") !== undefined;
  const hasLinks = find("limit") !== undefined && envelope.some(({ role }) => role === "nextUrl");
  const turning =
    find("page", "pageIndex") ?? find("cursor") ?? find("offset", "position") ?? (hasLinks ? LINKED : undefined);
  const declaredAs = (one: BoundParameter | undefined) => one && declared.get(withoutBrackets(one.name));
  const cursor = declaredAs(find("cursor"))?.schema;
  const ofCursor = (key: string): unknown => cursor && keyword(references, cursor, key);
  const list = content?.schema && shapes.inside(shapes.of(content.schema), at)?.schema;
  const maxItems = list && Number(keyword(references, list, "maxItems") ?? Number.POSITIVE_INFINITY);
  const limit = pageLimits(references, { limit: declaredAs(find("limit")), turning: declaredAs(turning), maxItems });
  const isShort = turning !== undefined && limit.most < DEFAULT_LIMIT;
  const usual = limit.usual ?? (isPaged || isShort ? DEFAULT_LIMIT : undefined);
  const defaultLimit = usual === undefined ? undefined : Math.min(usual, limit.most);
  const fields = schemaFields(references, record);
  const unasked: ListRequest | undefined =
    defaultLimit === undefined
      ? undefined
      : {
          parameters: new Map([
            ["_page", ["1"]],
            ["_limit", [String(defaultLimit)]],
          ]),
          bounds: undefined,
        };

  const usualOrder = once((): string => {
    const told = (declared.get(find("order")?.name ?? "")?.description ?? "").toLowerCase().split(/\W+/);
    const names = [...(fields?.properties.keys() ?? [])];
    const named = names.find((name) => told.includes(name.toLowerCase()) && /[_A-Z]|^(name|title|created)$/.test(name));
    return named ?? names.find((name) => BY_TIME.test(name)) ?? idKey;
  });
  const isNewest = once(
    () => !find("sort", "order") && isNewestFirst(operation) && (BY_TIME.test(usualOrder()) || isNumbered()),
  );
  /** A document may leave open which members an object of filters has. */
  const addUndeclared = (translated: Map<string, readonly string[]>, name: string, values: readonly string[]): void => {
    const [, head = ""] = /^(filters?|where|q)\[/i.exec(name) ?? [];
    const filter = declared.has(head)
      ? namedFilter(name, (field) => fieldNamed(fields?.properties, field, true) ?? attributeNamed(field))
      : undefined;
    const [, map = "", key] = /^(\w+)\[([\w.-]+)\]$/.exec(name) ?? [];
    const isMember = !filter && key !== undefined && declared.has(map) && fields?.properties.has(map) === true;
    if (isMember) translated.set(`${map}.${key}`, values);
    else if (!filter) translated.set(name, values);
    else translated.set(filter.operator ? `${filter.field}:${filter.operator}` : filter.field, values);
  };

  const isNumbered = once(() => {
    const id = fields?.properties.get(idKey);
    return id !== undefined && typesOf(references, id).includes("integer");
  });
  const attributes = once(() => {
    const holder = fields?.properties.has("type") ? fields.properties.get("attributes") : undefined;
    return holder && schemaFields(references, holder)?.properties;
  });
  /** JSON:API has the fields of records in `attributes`. */
  const attributeNamed = (name: string): string | undefined => {
    const found = fieldNamed(attributes(), name, true);
    return found === undefined ? undefined : `attributes.${found}`;
  };
  const sortKeyOf = (name: string) =>
    sortKeyMeant(fields?.properties, name, attributeNamed) ?? leafNamed(shapes, shapes.of(record), name);
  const assumed = assumedParameters(references, {
    parameters,
    declaredAs,
    isField: (name) => !DIRECTION.test(name) && sortKeyOf(name.replace(/^[-+]/, "")) !== undefined,
  });
  /** `address.city` for `address/city`, and `customer.id` for `customer_id`. */
  const pathNamed = (name: string): string | undefined => {
    const [first = "", ...rest] = name.split(/[./]/);
    const field = fieldNamed(fields?.properties, first) ?? attributeNamed(first);
    if (field !== undefined) return [field, ...rest].join(".");
    return fields ? findInside(shapes, shapes.of(record), name) : undefined;
  };
  const addWhere = (translated: Map<string, readonly string[]>, conditions: readonly JsonObject[]): void => {
    if (conditions.length === 0) return;
    const texts = conditions.map((one) => JSON.stringify(one));
    translated.set("_where", [...(translated.get("_where") ?? []), ...texts]);
  };
  const addSearch = (translated: Map<string, readonly string[]>, text: string, { name, parameter }: Sought) => {
    // A search that filters may have conditions, and so may JSON.
    const isFilter =
      /^[[{]\{?\s*["']/.test(text) || (/["'<>=~]/.test(text) && /\bfilter/i.test(parameter?.description ?? ""));
    const conditions = isFilter ? readFilterTexts([text], { name, parameter, fieldOf: pathNamed }) : [];
    if (conditions.length > 0) return addWhere(translated, conditions);
    const found = hasSearchLanguage(parameter?.description)
      ? readClauses(text, (name) => fieldNamed(fields?.properties, name))
      : undefined;
    const { where, words } = found ?? { where: undefined, words: text };
    if (words !== "") translated.set("q", [words]);
    if (where) addWhere(translated, [where]);
  };

  const hasIndexed = [...declared.values()].some(
    ({ name, schema }) =>
      indexedName(name) !== undefined ||
      (schema && indexedName(`${name}[0].field`) !== undefined && shapes.of(schema).kind === "array"),
  );

  const read = (sent: Parameters): ListRequest => {
    const given = assumed.size === 0 ? sent : new Map([...assumed, ...sent]);
    const translated = new Map<string, readonly string[]>();
    let after: string | undefined;
    let from: string | undefined;
    let before: string | undefined;
    let isWhole = false;
    let isUnpaged = false;
    if (hasIndexed) {
      const { where, sort } = readIndexed(given, pathNamed);
      addWhere(translated, where);
      if (sort.length > 0) translated.set("_sort", [sort.join(",")]);
    }
    for (const [name, values] of given) {
      if (hasIndexed && indexedName(name)) continue;
      const bound = byName.get(name);
      const parameter = declared.get(name);
      if (!bound) {
        if (!parameter) addUndeclared(translated, name, values);
        continue;
      }
      const [first = ""] = values;
      switch (bound.role) {
        case "page":
          translated.set("_page", [first]);
          break;
        case "pageIndex":
          translated.set("_page", [String(whole(name, first) + 1)]);
          break;
        case "limit":
          if (asksForAll(references, parameter, first)) isWhole = true;
          else translated.set("_limit", [String(Math.min(limit.most, whole(name, first)))]);
          break;
        case "offset":
          translated.set("_start", [first.replace(/\.\d+$/, "")]);
          break;
        case "position":
          translated.set("_start", [String(Math.max(0, whole(name, first) - 1))]);
          break;
        case "cursor":
          if (bound.isInclusive) from = first || undefined;
          else after = first || undefined;
          break;
        case "before":
          before = first || undefined;
          break;
        case "unpaged":
          isUnpaged ||= first === (bareName(name).startsWith("pag") ? "false" : "true");
          break;
        case "sort":
        case "order":
          if (bound.field !== undefined) {
            const key = /^(?:desc|-1)/i.test(first) ? `-${bound.field}` : bound.field;
            translated.set("_sort", [[...(translated.get("_sort") ?? []), key].join(",")]);
          } else if (/^(?:true|false)$/.test(first) && bound.role === "order") {
            translated.set("_order", [(first === "true") === /desc|revers/i.test(name) ? "desc" : "asc"]);
          } else if (DIRECTION.test(first)) translated.set("_order", [/^(desc|-1)/i.test(first) ? "desc" : "asc"]);
          else addSort(translated, values, sortKeyOf);
          break;
        case "search":
          addSearch(translated, first, { name, parameter });
          break;
        case "where":
          addWhere(translated, readFilterTexts(values, { name, parameter, fieldOf: pathNamed }));
          break;
        case "fields":
          addFields(translated, values, { name, list: at[0], properties: fields?.properties, attributeNamed });
          break;
        case "filter":
          addFilter(references, translated, {
            bound,
            parameter,
            values,
            given,
            byName,
            property: compared.get(bound),
          });
          break;
      }
    }
    if (translated.has("_order") && !translated.has("_sort")) translated.set("_sort", [usualOrder()]);
    if (isNewest() && !translated.has("_sort")) translated.set("_sort", [usualOrder()]).set("_order", ["desc"]);
    // Of records made in the same second, the one with the highest number is the newest.
    const [sorted = ""] = translated.get("_sort") ?? [];
    const name = sorted.replace(/^-/, "");
    if ((name !== sorted || translated.get("_order")?.[0] === "desc") && BY_TIME.test(name) && isNumbered()) {
      translated.set("_sort", [`-${name},-${idKey}`]).delete("_order");
    }
    const first = after ?? from;
    const start = first === undefined || before !== undefined ? undefined : positionOfCursor(first);
    const bounds = start === undefined && (first ?? before) !== undefined ? { after, from, before } : undefined;
    if (start !== undefined) translated.set("_start", [String(start)]);
    if (isUnpaged) {
      for (const one of WINDOW) translated.delete(one);
      return { parameters: translated, bounds: undefined };
    }
    if (isWhole) return { parameters: translated, bounds };
    if (unasked && !bounds && !isWindowed(translated))
      for (const [name, values] of unasked.parameters) translated.set(name, values);
    else if (
      defaultLimit !== undefined &&
      !translated.has("_limit") &&
      (bounds || translated.has("_page") || translated.has("_start"))
    )
      translated.set("_limit", [String(defaultLimit)]);
    return { parameters: translated, bounds };
  };

  return {
    defaultLimit,
    turnings: turning === LINKED ? [LINKED] : parameters.filter(({ role }) => role === turning?.role),
    writeCursor: cursorForm({ pattern: ofCursor("pattern"), format: ofCursor("format") }),
    sorting: find("sort"),
    totals: find("totals"),
    roles: new Set(parameters.map(({ role }) => role)),
    before: find("before"),
    read: (given, hasParameters) => (hasParameters || assumed.size > 0 || isNewest() ? read(given) : unasked),
  };
}

function isWindowed(parameters: Parameters): boolean {
  for (const name of WINDOW) if (parameters.has(name)) return true;
  return false;
}

function queryParameters(parameters: readonly Parameter[]): Map<string, Parameter> {
  return new Map(parameters.map((one) => [withoutBrackets(one.name), one]));
}

/** Array serialisers add brackets, which the query language takes off. */
function withoutBrackets(name: string): string {
  return name.replace(/\[\d*\]$/, "");
}

function whole(name: string, text: string): number {
  // Where the document calls it a number, a part of one more is none.
  if (/^\d+(?:\.\d+)?$/.test(text.trim())) return Math.floor(Number(text));
  throw new StandinError("QUERY_INVALID", `${name}=${text}: ${name} must be a whole number.`);
}

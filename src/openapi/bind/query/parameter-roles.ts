import { isJsonObject } from "../../../base/json/json.ts";
import type { Operation, Parameter } from "../../read/api-document.ts";
import type { BoundParameter } from "../binding.ts";
import type { ParameterRole } from "../roles.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, insideFilter, isSameNoun, nounOf, plainName, singularOf } from "../words.ts";
import { boxFilters } from "./box-filters.ts";
import { withCompanions } from "./companions.ts";
import { isFilterLanguage, isToldLanguage } from "./filter-language.ts";
import type { NamedFilter } from "./filter-names.ts";
import { findInside, withListedValues } from "./filters-inside.ts";
import { onDay, withPartId } from "./fitting-filters.ts";
import { indexedName } from "./indexed-names.ts";
import { listedValues } from "./leaves.ts";
import { bareName, isFromItem, isToldSort, pagingRole } from "./paging-parameters.ts";
import { changesNothing, queryNames, shapesResponse } from "./query-names.ts";
import { filterOf, filterWithin, isNoFilter, oneOfFilter, prefixFilter } from "./record-filters.ts";
import { relatedFilter } from "./related-fields.ts";
import { attributesOf } from "./resource-attributes.ts";
import { flagStates, stateFilter } from "./state-filters.ts";
import { isEndOfRange, rangeFilter } from "./time-ranges.ts";
import { toldFilter } from "./told-operators.ts";
import { searchedField } from "./told-search.ts";
import { withTypeTold } from "./typed-filters.ts";
import { idBound, wordedRange } from "./worded-ranges.ts";

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
  "length",
  "text",
  "term",
  "next",
  "previous",
  "p",
  "from",
  "start",
];
const RANGES = ["start", "end", "from", "to", "since", "until", "before", "after", "startdate", "enddate"];

interface ListedRecords {
  readonly record: SchemaShape;
  readonly idKey: string;
  /** Where the id is if it is inside a part of the record. */
  readonly keyPath?: readonly string[] | undefined;
  /** The last fixed segment of the path. */
  readonly segment?: string;
}

/** The query parameters of a list that mean something, by name. */
export function parameterRoles(
  shapes: Shapes,
  operation: Operation,
  { record: sent, idKey, keyPath, segment: last = "" }: ListedRecords,
): readonly BoundParameter[] {
  const record = shapes.inResponses(sent);
  // `/projects#portalId` is one of several operations at a path.
  const segment = last.replace(/#.*/, "");
  const isComparable = (key: string): boolean => {
    const { items } = shapes.property(record, key) ?? {};
    const isOpen = items !== undefined && shapes.of(items).kind === "unknown";
    return isOpen || shapes.isListOfScalars(record, key) || shapes.isComparable(record, key);
  };
  const find = (name: string) =>
    findAlike(record.properties.keys(), name, isComparable) ?? findInside(shapes, record, name);
  const id = shapes.property(record, idKey);
  // `fields` with values that are none of the record's fields chooses something else, and one with `None` adds fields.
  const isOfOthers = (schema: Parameter["schema"]): boolean => {
    const shape = schema && shapes.of(schema);
    const value = (shape?.kind === "array" && shape.items ? shapes.of(shape.items) : shape)?.schema.value;
    const names = isJsonObject(value) && Array.isArray(value.enum) ? value.enum.map(String) : [];
    const isAdding = names.some((one) => /^none$/i.test(one));
    return (
      names.length > 0 && (isAdding || names.every((one) => findAlike(record.properties.keys(), one) === undefined))
    );
  };
  const ids = ["ids", ...(keyPath ? ["id"] : []), `${plainName(idKey)}s`, `${nounOf(segment)}ids`];
  const parameters = queryNames(shapes, operation);
  const names = parameters.map(({ name }) => bareName(name));
  const boxes = boxFilters(shapes, record, parameters);
  const found = parameters.flatMap((parameter): BoundParameter[] => {
    if (parameter.role === "ignored" || isPlace(parameter, names) || changesNothing(parameter)) return [];
    const { name, schema, description } = parameter;
    const ofBox = boxes.get(name);
    if (ofBox) return [{ name, role: "filter", ...ofBox }];
    if (parameter.role !== "filter" && isEndOfRange(shapes, { parameter, segment })) {
      const compared = filterOf(find, parameter, { idKey: keyPath?.join(".") ?? idKey, ids, segment });
      const range =
        rangeFilter(shapes, record, { parameter, segment }) ??
        (compared?.operator ? compared : wordedRange(shapes, record, { parameter, segment }));
      if (range) return [{ name, role: "filter", ...range }];
      if (findAlike(record.properties.keys(), insideFilter(name)) === undefined) return [];
    }
    const isField = findAlike(record.properties.keys(), name) !== undefined;
    if (parameter.role !== "filter" && !isField && isFilterLanguage(shapes, parameter)) {
      const isTold = parameter.contentType !== undefined || isToldLanguage(parameter);
      const usual = pagingRole(parameter, shapes, names);
      const isOther = usual === "fields" || (usual === "search" && !isTold);
      return [{ name, role: isOther ? usual : "where" }];
    }
    const isList = schema !== undefined && shapes.of(schema).kind === "array";
    const indexed = indexedName(name) ?? (isList && !isField ? indexedName(`${name}[0].field`) : undefined);
    if (indexed && !isTextList(shapes, schema)) return [{ name, role: indexed.kind }];
    // `order[createdAt]=desc`
    const [, sorted] = /^(?:order|sort)(?:_?by)?\[([\w.]+)\]$/i.exec(name) ?? [];
    const ordered = sorted === undefined ? undefined : (findAlike(record.properties.keys(), sorted) ?? find(sorted));
    if (ordered !== undefined) return [{ name, role: "order", field: ordered }];
    // JSON:API: `fields[orders]` chooses those of orders, and `fields[lines]` those of what is sent along.
    const [, type] = /^fields\[([\w-]+)\]$/.exec(name) ?? [];
    if (type !== undefined && record.properties.has("attributes")) {
      return isSameNoun(type, segment) ? [{ name, role: "fields" }] : [];
    }
    // Its properties have names of their own.
    if (schema && shapes.of(schema).kind === "object" && listedValues(shapes.of(schema)).length === 0) {
      const isMap = shapes.of(schema).properties.size === 0 && shapes.property(record, name)?.kind === "object";
      // `metadata[colour]=red`
      return isMap && !isFilterLanguage(shapes, parameter) ? [{ name, role: "filter", field: name }] : [];
    }
    if (parameter.role === "limit") return [{ name, role: "limit" }];
    const paging = parameter.role === "filter" ? undefined : pagingRole(parameter, shapes, names);
    const isOther =
      (paging && isCursor(paging) && isTime(shapes, parameter, id)) ||
      (paging === "fields" && (bareName(name) === "attributes" ? record.properties.has(name) : isOfOthers(schema)));
    const role = isOther ? undefined : paging;
    const asked = (one: Parameter) =>
      filterOf(find, one, { idKey: keyPath?.join(".") ?? idKey, ids, segment }) ??
      prefixFilter(shapes, { record, idKey }, one) ??
      oneOfFilter(shapes, record, one) ??
      (role
        ? undefined
        : (idBound(one, { idKey, segment }) ??
          filterWithin(shapes, record, one) ??
          filterOfAttributes(shapes, record, one) ??
          wordedRange(shapes, record, { parameter: one, segment }) ??
          relatedFilter(shapes, record, { parameter: one, segment })));
    const isAside = shapesResponse(name) || isNoFilter(parameter);
    const named = isAside ? undefined : (asked(parameter) ?? (role ? undefined : ofOne(shapes, parameter, asked)));
    const listed = named && withListedValues(shapes, record, { filter: named, schema });
    const typed = listed && withTypeTold(shapes, record, { filter: listed, parameter });
    const numbered = typed && withPartId(shapes, record, { filter: typed, parameter });
    const filter = numbered && onDay(shapes, record, { filter: numbered, schema });
    const isToldSearch = role === "search" && /^search (?:query|terms?|text|keywords?)\b/i.test(description ?? "");
    const isAmbiguous =
      role !== undefined && AMBIGUOUS.includes(role) && !ALWAYS.includes(plainName(name)) && !isToldSearch;
    const isOfFlag = filter?.operator === "nin" && schema !== undefined && shapes.of(schema).types.has("boolean");
    const isFilter =
      filter && !isOfFlag && (!role || (isAmbiguous && !filter.operator && !isToldSort(role, description)));
    const ofFlag = isFilter ? flagStates(shapes, record, { filter, parameter }) : undefined;
    if (ofFlag) return [{ name, role: "filter", states: ofFlag }];
    if (isFilter) return [{ name, role: "filter", ...toldFilter(shapes, filter, parameter) }];
    const searched = role === "search" ? searchedField(shapes, record, parameter) : undefined;
    if (searched) return [{ name, role: "filter", ...searched }];
    if (role === "cursor" && isFromItem(parameter)) return [{ name, role, isInclusive: true }];
    if (role) return [{ name, role }];
    const states = shapesResponse(name) ? undefined : stateFilter(shapes, record, parameter);
    return states ? [{ name, role: "filter", states }] : [];
  });
  const best = found.filter((one) => one.role === "filter" || isBest(one, found));
  return withCompanions(shapes, best, parameters);
}

/** `filter[user]` of JSON:API is the `attributes.user_id`. */
function filterOfAttributes(shapes: Shapes, record: SchemaShape, parameter: Parameter): NamedFilter | undefined {
  const attributes = attributesOf(shapes, record);
  const found = attributes && filterWithin(shapes, attributes, { ...parameter, name: insideFilter(parameter.name) });
  return found && { ...found, field: `attributes.${found.field}` };
}

/** `ContactIDs` are those of `Contact.ContactID`. */
function ofOne(
  shapes: Shapes,
  parameter: Parameter,
  asked: (one: Parameter) => NamedFilter | undefined,
): NamedFilter | undefined {
  const { name, schema, description = "" } = parameter;
  const types = schema ? shapes.of(schema).types : new Set<string>();
  const one = name.replace(/[A-Za-z]+(?=(?:\[\]|\])?$)/, singularOf);
  if (one === "" || one === name || types.has("boolean") || types.has("integer")) return undefined;
  const found = asked({ ...parameter, name: one });
  return found && /\.id$/.test(found.field) && /\bnames\b/i.test(description) ? undefined : found;
}

/** Whether values are texts, such as `sort=name,desc`, and no objects. */
function isTextList(shapes: Shapes, schema: Parameter["schema"]): boolean {
  const shape = schema && shapes.of(schema);
  return shape?.kind === "array" && shape.items !== undefined && shapes.of(shape.items).kind === "scalar";
}

/** Whether a parameter is the middle of a search around it: no record need be exactly there. */
function isPlace({ name }: Parameter, names: readonly string[]): boolean {
  return /^(?:lat|lng|lon|long|latitude|longitude)$/.test(plainName(name)) && names.some((one) => AROUND.includes(one));
}

const AROUND = ["radius", "distance", "maxdistance"];

function isCursor(role: ParameterRole): boolean {
  return role === "cursor" || role === "before";
}

/** Whether `after` and `before` are times: numbers, although ids are none. */
function isTime(shapes: Shapes, { name, schema }: Parameter, id: SchemaShape | undefined): boolean {
  const types = schema ? shapes.of(schema).types : new Set<string>();
  const isNumber = (of: ReadonlySet<string>): boolean => of.has("integer") || of.has("number");
  return RANGES.includes(bareName(name)) && isNumber(types) && !types.has("string") && !(id && isNumber(id.types));
}

/** Whether a list has a way to turn its pages. */
export function isPaged(shapes: Shapes, operation: Operation): boolean {
  const turns = ["page", "pageIndex", "offset", "position", "cursor"];
  const record = shapes.of({ value: {}, place: "" });
  return parameterRoles(shapes, operation, { record, idKey: "" }).some(({ role }) => turns.includes(role));
}

/** Of several parameters with the same role, those whose names leave no doubt: `limit`, not `count`. */
function isBest({ name, role }: BoundParameter, found: readonly BoundParameter[]): boolean {
  return (
    !WEAK.includes(bareName(name)) || found.every((other) => other.role !== role || WEAK.includes(bareName(other.name)))
  );
}

import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import { findAlike, plainName } from "../../../openapi/bind/words.ts";
import type { SeenOperation } from "./operations.ts";
import { pageSize } from "./page-size.ts";
import { isSearch, turnsPages } from "./paging-names.ts";
import type { Reason } from "./reason.ts";
import { isSuccessful } from "./seen.ts";
import { listAtPath, type SeenCollection } from "./seen-collection.ts";
import { rowsAt, shapeText } from "./spots.ts";

/** The meaning of a parameter that traffic has shown; the names of others tell it. */
export const ROLE = "x-standin-role";
/** The field that stores the value of a wildcard. */
export const FIELD = "x-standin-field";
/** The records of a page, of an API that does not say it by a parameter. */
const PAGE_SIZE = "x-standin-page-size";

interface KnownOfOperation {
  /** The collection that it lists. */
  readonly collection: SeenCollection | undefined;
  readonly earlier: readonly Json[];
  /** Names that traffic has shown to limit pages. */
  readonly limits: ReadonlySet<string>;
}

/** The query parameters of an operation. */
export function seenParameters(
  operation: SeenOperation,
  { collection, earlier, limits }: KnownOfOperation,
): { readonly parameters: Json[]; readonly reasons: readonly Reason[] } {
  const names = [...new Set(operation.seen.flatMap(({ query }) => query.map(([name]) => name)))];
  const reasons: Reason[] = [];
  const found = names.map((name): JsonObject => {
    const values = operation.seen.flatMap(({ query }) =>
      query.flatMap(([own, value]) => (own === name ? [value] : [])),
    );
    const role = collection && roleByEvidence(operation, collection, { name, limits });
    if (role) reasons.push({ about: collection.name, guess: "query", value: `?${name}`, because: role.because });
    const size = collection && pageSize(operation, collection, { name, names, limits });
    const schema = {
      ...(collection && areIds(operation, collection, values) ? { type: "string" } : schemaOfTexts(values)),
      ...(collection && countsFromZero(operation, collection, name) && { minimum: 0 }),
    };
    return {
      name,
      in: "query",
      schema: isRepeated(operation, name) ? { type: "array", items: schema } : schema,
      ...(role && { [ROLE]: role.role }),
      ...(size !== undefined && { [PAGE_SIZE]: size }),
    };
  });
  const isNew = ({ name }: JsonObject): boolean => !earlier.some((one) => isNamed(one, name));
  const kept = earlier.map((one) => found.find(({ name }) => isNamed(one, name)) ?? one);
  return { parameters: [...kept, ...found.filter(isNew)], reasons };
}

function isRepeated({ seen }: SeenOperation, name: string): boolean {
  return seen.some(({ query }) => query.filter(([own]) => own === name).length > 1);
}

function isNamed(parameter: Json, name: Json | undefined): boolean {
  return isJsonObject(parameter) && parameter.name === name && parameter.in === "query";
}

function schemaOfTexts(values: readonly string[]): JsonObject {
  const isWhole = values.length > 0 && values.every((value) => /^-?\d{1,15}$/.test(value));
  if (isWhole) return { type: "integer" };
  const isTime =
    values.length > 0 && values.every((value) => /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?$/.test(value));
  return {
    type: "string",
    ...(isTime && { format: values.every((value) => value.length === 10) ? "date" : "date-time" }),
  };
}

/** Whether values are ids that are text, such as `after=12`: a number would be a time. */
function areIds(operation: SeenOperation, { at, idKey }: SeenCollection, values: readonly string[]): boolean {
  const rows = operation.seen.filter(isSuccessful).flatMap(({ body }) => rowsAt(body, at));
  const ids = new Set(rows.map((record) => record[idKey]));
  return values.length > 0 && values.every((value) => ids.has(value));
}

/** Whether the first page is 0: it was asked for so, or page 1 differs from what comes without a page. */
function countsFromZero(operation: SeenOperation, collection: SeenCollection, name: string): boolean {
  const at = listAtPath(collection, operation.path)?.at;
  if (!at || !/^(?:page|pagenumber|pageno|p)$/.test(plainName(name))) return false;
  const seen = operation.seen.filter(isSuccessful);
  if (seen.some((one) => valueIn(one, name) === "0")) return true;
  const idsIn = ({ body }: SeenOperation["seen"][number]): string =>
    rowsAt(body, at)
      .map((one) => stringifyJson(one[collection.idKey] ?? one))
      .join("\n");
  const withoutIt = (one: SeenOperation["seen"][number]): string =>
    JSON.stringify(one.query.filter(([own]) => own !== name));
  return seen.some((one) => {
    if (valueIn(one, name) !== "1") return false;
    const first = seen.find((other) => valueIn(other, name) === undefined && withoutIt(other) === withoutIt(one));
    return first !== undefined && idsIn(first) !== "" && idsIn(first) !== idsIn(one);
  });
}

interface FoundRole {
  readonly role: "filter" | "limit" | "ignored";
  readonly because: string;
}

/** A parameter named like a field filters if all records share its value; one that changed nothing is ignored. */
function roleByEvidence(
  operation: SeenOperation,
  collection: SeenCollection,
  { name, limits }: { readonly name: string; readonly limits: ReadonlySet<string> },
): FoundRole | undefined {
  const at = listAtPath(collection, operation.path)?.at;
  const using = operation.seen.filter((one) => isSuccessful(one) && valueIn(one, name) !== undefined);
  if (!at || using.length === 0 || turnsPages(name)) return undefined;
  const listed = using.flatMap((one) => rowsAt(one.body, at).map((record) => ({ record, value: valueIn(one, name) })));
  const field = findAlike(new Set(listed.flatMap(({ record }) => Object.keys(record))), name);
  if (field !== undefined && listed.length > 0) {
    const values = (value: Json | undefined): string[] => [value ?? []].flat().map(String);
    const areEqual = listed.every(({ record, value }) =>
      values(record[field]).some((one) => value?.split(",").includes(one)),
    );
    if (areEqual) return { role: "filter", because: `all records share its value in ${field}` };
    return { role: "ignored", because: `named like ${field}, but the records differ in it` };
  }
  const isFound = ({ record, value = "" }: (typeof listed)[number]): boolean =>
    hasWord(stringifyJson(record).toLowerCase(), value.toLowerCase());
  if (isSearch(name) && listed.length > 0 && !listed.some(isFound)) {
    return { role: "ignored", because: "no record has its words" };
  }
  if (limits.has(name)) return { role: "limit", because: "no page had more records" };
  const isUnchanged = using.every((one) => {
    const rest = JSON.stringify(one.query.filter(([own]) => own !== name));
    const others = operation.seen.filter((other) => {
      return (
        other !== one && JSON.stringify(other.query.filter(([own]) => own !== name)) === rest && isSuccessful(other)
      );
    });
    const different = others.filter((other) => valueIn(other, name) !== valueIn(one, name));
    return different.length > 0 && different.every((other) => isSameBody(other.body, one.body));
  });
  return isUnchanged ? { role: "ignored", because: "it changed nothing" } : undefined;
}

function hasWord(text: string, words: string): boolean {
  return words.split(/\s+/).some((word) => text.includes(word));
}

function valueIn({ query }: SeenOperation["seen"][number], name: string): string | undefined {
  return query.find(([own]) => own === name)?.[1];
}

function isSameBody(one: Json | undefined, other: Json | undefined): boolean {
  return shapeText(one) === shapeText(other) && JSON.stringify(one) === JSON.stringify(other);
}

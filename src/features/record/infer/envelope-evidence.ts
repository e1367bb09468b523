import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { FLAGS, NUMBERS, TEXTS } from "../../../openapi/bind/query/envelope-names.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import { isLimit, turnsPages } from "./paging-names.ts";
import type { Routed } from "./path-templates.ts";
import { ROLE } from "./query-evidence.ts";
import { rowsAt } from "./spots.ts";

const MAX_DEPTH = 3;

/** The meaning of a field around a list that traffic has shown, where its name says something else: `fixed` is none. */
type ShownRole = "total" | "count" | "limit" | "selfUrl" | "fixed";

/** The evidence of one response for a field around its list. */
interface Shown {
  readonly value: Json | undefined;
  /** The records of the page. */
  readonly count: number;
  /** How many records the request asked for. */
  readonly limit: number | undefined;
  readonly isTurned: boolean;
  /** The same for all pages of one list. */
  readonly list: string;
  /** The address that was asked, without the host. */
  readonly url: string;
}

interface Known {
  readonly seen: readonly Routed[];
  /** Names in queries that limit pages. */
  readonly limits: ReadonlySet<string>;
  /** The schema of an earlier recording. */
  readonly earlier: Json | undefined;
}

/** Marks the fields around a list whose values contradict what their names say. */
export function withRolesShown(schema: JsonObject, at: readonly string[], known: Known): JsonObject {
  // Pages may be turned by another name.
  const isPaged = known.seen.some(({ query }) =>
    query.some(([name, value]) => turnsPages(name) || known.limits.has(name) || /^\d+$/.test(value)),
  );
  const mark = (own: JsonObject, before: Json | undefined, path: readonly string[]): JsonObject => {
    if (!isJsonObject(own.properties) || path.length >= MAX_DEPTH) return own;
    const earlier = isJsonObject(before) && isJsonObject(before.properties) ? before.properties : {};
    const properties = Object.entries(own.properties).map(([name, property]): [string, Json] => {
      const inner = [...path, name];
      if (!isJsonObject(property) || inner.join("\0") === at.join("\0")) return [name, property];
      const held = earlier[name];
      if (isJsonObject(property.properties)) return [name, mark(property, held, inner)];
      const role = roleShown(inner, shownAt(inner, at, known), isPaged) ?? (isJsonObject(held) && held[ROLE]);
      return [name, role ? { ...property, [ROLE]: role } : property];
    });
    return { ...own, properties: Object.fromEntries(properties) };
  };
  return at.length === 0 ? schema : mark(schema, known.earlier, []);
}

function shownAt(path: readonly string[], at: readonly string[], { seen, limits }: Known): Shown[] {
  const limiting = (name: string): boolean => isLimit(name) || limits.has(name);
  const turning = (name: string): boolean => turnsPages(name) && !limiting(name);
  return seen.flatMap(({ body, query, values, exchange: { url } }): Shown[] => {
    const value = body === undefined ? undefined : valueAtPointer(body, path);
    if (value === undefined) return [];
    const limit = query.find(([name]) => limiting(name))?.[1];
    const others = query.filter(([name]) => !limiting(name) && !turning(name));
    return [
      {
        value,
        count: rowsAt(body, at).length,
        limit: limit === undefined ? undefined : Number(limit),
        isTurned: query.some(([name]) => turning(name)),
        list: JSON.stringify([values, others]),
        url,
      },
    ];
  });
}

function roleShown(path: readonly string[], shown: readonly Shown[], isPaged: boolean): ShownRole | undefined {
  const names = path.map(plainName);
  if (shown.length === 0 || !names.some((name) => TELLING.has(name))) return undefined;
  if (!names.includes("self") && shown.every(isOwnAddress)) return "selfUrl";
  const isFixed = new Set(shown.map(({ value }) => JSON.stringify(value))).size === 1;
  const told = SIZES.find(([, own]) => own.includes(names.at(-1) ?? ""))?.[0];
  if (told === undefined || !shown.every(({ value }) => typeof value === "number")) {
    return isPaged || !isFixed ? undefined : "fixed";
  }
  if (told === "limit" ? isPaged && shown.every(isLimitOf) : isTotal(shown, isPaged)) return undefined;
  if (shown.every(({ value, count }) => value === count)) return "count";
  return isFixed ? "fixed" : undefined;
}

/** Names that say what a field around a list means. */
const TELLING: ReadonlySet<string> = new Set([...NUMBERS, ...TEXTS, ...FLAGS].flatMap(([, names]) => names));
const SIZES = NUMBERS.filter(([role]) => role === "total" || role === "count" || role === "limit");

function isOwnAddress({ value, url }: Shown): boolean {
  return typeof value === "string" && value.endsWith(url);
}

function isLimitOf({ value, count, limit }: Shown): boolean {
  return limit === undefined ? Number(value) >= count : value === limit;
}

/** Whether values are totals: all pages of a list have the same, and a page that is not full has them all. */
function isTotal(shown: readonly Shown[], isPaged: boolean): boolean {
  const totals = new Map<string, Json | undefined>();
  return shown.every(({ value, count, limit, isTurned, list }) => {
    const known = totals.get(list) ?? value;
    totals.set(list, known);
    const isWhole = !isTurned && (isPaged ? limit !== undefined && count < limit : true);
    return known === value && Number(value) >= count && (!isWhole || value === count);
  });
}

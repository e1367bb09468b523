import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Routed } from "./path-templates.ts";
import { shapeText } from "./spots.ts";

/** The query that an example belongs to. */
export const QUERY = "x-standin-query";
/** The path that an example belongs to, where others have another. */
const PATH = "x-standin-path";
const MAX_EXAMPLES = 5;
/** Longer texts are described, not kept. */
const MAX_LETTERS = 100_000;

/** A body as an example. */
interface Kept {
  readonly query: string;
  /** Empty where it is that of any path. */
  readonly path: string;
  readonly value: Json;
}

/**
 * Examples of one media type of a response, at most five with those of an earlier recording: one per shape, then those of
 * further addresses that are read.
 */
export function examplesFor(seen: readonly Routed[], earlier: Json | undefined): JsonObject {
  const isRead = seen[0]?.method === "GET";
  const sent = seen.flatMap((one): Kept[] => {
    const value = one.body ?? one.exchange.responseBody;
    if (value === undefined || (typeof value === "string" && value.length > MAX_LETTERS)) return [];
    return [{ query: queryOf(one), path: isRead && one.values.length > 0 ? `/${one.segments.join("/")}` : "", value }];
  });
  const now = isRead ? [...new Map(sent.map((one) => [addressOf(one), one])).values()] : sent;
  const all = [...now, ...keptIn(earlier).filter((one) => !isReplaced(one, now))];
  const [first, ...others] = new Set([...bestByShape(all), ...(isRead ? all : [])]);
  if (!first) return {};
  // Other requests for its path get the first one anyway.
  const isUsual = (one: Kept): boolean => one.path === first.path && isSame(one.value, first.value);
  return written([first, ...others.filter((one) => !isUsual(one))].slice(0, MAX_EXAMPLES));
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a body of an earlier recording was seen again, at the same address. */
function isReplaced(one: Kept, now: readonly Kept[]): boolean {
  return now.some(({ query, path }) => query === one.query && (one.path === "" || path === one.path));
}

function bestByShape(all: readonly Kept[]): readonly Kept[] {
  const shapes = new Map<string, Kept>();
  for (const one of all) {
    const shape = shapeText(one.value);
    const known = shapes.get(shape);
    // Without a query, it fits more requests.
    if (!known || (known.query !== "" && one.query === "")) shapes.set(shape, one);
  }
  return [...shapes.values()];
}

function written(chosen: readonly Kept[]): JsonObject {
  const [first, ...others] = chosen;
  if (!first) return {};
  if (others.length === 0 && first.query === "") return { example: first.value };
  const hasPaths = others.some(({ path }) => path !== first.path);
  const names = new Set<string>();
  return {
    examples: Object.fromEntries(
      chosen.map(({ query, path, value }) => [
        freeName(names, query === "" ? "recorded" : query),
        { value, ...(query !== "" && { [QUERY]: query }), ...(hasPaths && path !== "" && { [PATH]: path }) },
      ]),
    ),
  };
}

/** The bodies that an earlier recording has as examples. */
export function earlierBodies(content: Json | undefined): Json[] {
  return keptIn(content).map(({ value }) => value);
}

function keptIn(content: Json | undefined): Kept[] {
  if (!isJsonObject(content)) return [];
  if (content.example !== undefined) return [{ query: "", path: "", value: content.example }];
  const named = isJsonObject(content.examples) ? Object.values(content.examples) : [];
  return named.flatMap((one): Kept[] => {
    if (!isJsonObject(one) || one.value === undefined) return [];
    const [query = "", path = ""] = [one[QUERY], one[PATH]].map((text) => (typeof text === "string" ? text : ""));
    return [{ query, path, value: one.value }];
  });
}

function addressOf({ path, query }: Kept): string {
  return `${path}?${query}`;
}

/** In one order, however it was sent. */
function queryOf({ query }: Routed): string {
  return new URLSearchParams([...query].map(([name, value]) => [name, value]).sort()).toString();
}

function freeName(taken: Set<string>, wanted: string): string {
  let name = wanted;
  for (let next = 2; taken.has(name); next++) name = `${wanted} ${next}`;
  taken.add(name);
  return name;
}

import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Routed } from "./path-templates.ts";
import { shapeText } from "./spots.ts";

/** The query that an example belongs to. */
export const QUERY = "x-standin-query";
const MAX_EXAMPLES = 5;
/** Longer texts are described, not kept. */
const MAX_LETTERS = 100_000;

/** A body as an example. */
interface Kept {
  readonly query: string;
  readonly value: Json;
}

/** Examples of one media type of a response: one per shape, and at most five with those of an earlier recording. */
export function examplesFor(seen: readonly Routed[], earlier: Json | undefined): JsonObject {
  const now = seen.flatMap((one): Kept[] => {
    const value = one.body ?? one.exchange.responseBody;
    if (value === undefined || (typeof value === "string" && value.length > MAX_LETTERS)) return [];
    return [{ query: queryOf(one), value }];
  });
  const queries = new Set(now.map(({ query }) => query));
  const all = [...now, ...keptIn(earlier).filter(({ query }) => !queries.has(query))];
  const shapes = new Map<string, Kept>();
  for (const one of all) {
    const shape = shapeText(one.value);
    const known = shapes.get(shape);
    // Without a query, it fits more requests.
    if (!known || (known.query !== "" && one.query === "")) shapes.set(shape, one);
  }
  const [first, ...others] = [...shapes.values()].slice(0, MAX_EXAMPLES);
  if (!first) return {};
  if (others.length === 0 && first.query === "") return { example: first.value };
  const names = new Set<string>();
  return {
    examples: Object.fromEntries(
      [first, ...others].map(({ query, value }) => [
        freeName(names, query === "" ? "recorded" : query),
        { value, ...(query !== "" && { [QUERY]: query }) },
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
  if (content.example !== undefined) return [{ query: "", value: content.example }];
  const named = isJsonObject(content.examples) ? Object.values(content.examples) : [];
  return named.flatMap((one): Kept[] => {
    if (!isJsonObject(one) || one.value === undefined) return [];
    return [{ query: typeof one[QUERY] === "string" ? one[QUERY] : "", value: one.value }];
  });
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

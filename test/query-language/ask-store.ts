import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createProjection } from "../../src/query/fields.ts";
import { arrangeRows } from "../../src/query/group-rows.ts";
import { parseParameters, readQuery } from "../../src/query/parse-query.ts";
import type { Query } from "../../src/query/query.ts";
import { type CountedWindow, positionsOf } from "../../src/query/window.ts";
import type { GroupQuery, Store } from "../../src/store/store.ts";
import type { Outcome } from "./question.ts";
import { type Pair, toSearch } from "./spelling.ts";

/** Asks a store as the list route does. `isWalk` reads all pages, one cursor after the other. */
export async function askStore(store: Store, pairs: readonly Pair[], isWalk: boolean): Promise<Outcome> {
  if (isWalk) return walk(store, pairs);
  const query = await readQuery(store, "things", parseParameters(toSearch(pairs)));
  const window = query.window as CountedWindow;
  const isGrouped = query.grouping !== undefined;
  const { total, list } = isGrouped ? await group(store, query as GroupQuery) : await find(store, query);
  const last = query.isEnveloped && window.kind === "page" ? Math.max(1, Math.ceil(total / window.limit)) : undefined;
  const isBehind = last !== undefined && window.kind === "page" && window.page > last;
  if (isBehind) return askStore(store, [...pairs.filter(([name]) => name !== "_page"), ["_page", String(last)]], false);
  return { total, list };
}

async function find(store: Store, query: Query): Promise<Outcome> {
  const { records, total } = await store.find("things", query);
  const project = query.fields ? createProjection(query.fields) : (value: Json): Json => value;
  return { total, list: records.map(({ value }) => project(value)) };
}

async function group(store: Store, query: GroupQuery): Promise<Outcome> {
  const { rows } = await store.group("things", query);
  const arranged: readonly JsonObject[] = await arrangeRows(rows, query);
  const { from, to } = positionsOf(query.window as CountedWindow, arranged.length);
  return { total: arranged.length, list: arranged.slice(from, to) };
}

async function walk(store: Store, pairs: readonly Pair[]): Promise<Outcome> {
  const list: Json[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const parameters = parseParameters(toSearch([...pairs, ["_after", after]]));
    const query = await readQuery(store, "things", parameters);
    const { records, next } = await store.find("things", query);
    const project = query.fields ? createProjection(query.fields) : (value: Json): Json => value;
    list.push(...records.map(({ value }) => project(value)));
    after = next;
  }
  return { total: list.length, list };
}

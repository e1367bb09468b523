import type { Request } from "express";
import pluralize from "pluralize";
import { isJsonObject } from "../base/json/json.ts";
import type { Call } from "../http/call.ts";
import type { MixedIn } from "../http/express/lowdb/lowdb.ts";
import { memberName, segmentsOf } from "../http/router.ts";
import { recordNotFound } from "../store/record-not-found.ts";
import type { Data } from "./open-data.ts";

/** The routes of 0.17 call these functions of lodash-id, so that a project may put its own in their place. */

interface MixedInto {
  readonly data: Data;
  readonly mixedIn: MixedIn;
}

/** Gives new records their ids, and finds the record of a path, by the functions of the project. */
export function applyMixedIn(call: Call, req: Request, { data, mixedIn }: MixedInto): void {
  const { store, db } = data;
  const { createId, getById } = mixedIn;
  const segments = segmentsOf(call.target.path);
  const [first, id, child] = segments as [string?, string?, string?];
  const given = child ?? first;
  const name = given === undefined ? undefined : memberName(store, given);
  if (name === undefined || store.kindOf(name) !== "collection") return;
  const rows = (): unknown => (db().getState() as Record<string, unknown>)[name];
  const idKey = store.idKeyOf(name);
  if (createId && call.method === "POST" && segments.length !== 2) {
    for (const body of [req.body].flat()) if (isJsonObject(body)) body[idKey] ||= createId(rows(), body) as never;
  }
  if (getById && id !== undefined && segments.length === 2 && call.method !== "POST") {
    const record = getById(rows(), id);
    if (!isJsonObject(record)) throw recordNotFound(name, idKey, id);
    const found = record[idKey];
    if (found === undefined || String(found) === id) return;
    const path = `/${encodeURIComponent(name)}/${encodeURIComponent(String(found))}`;
    call.adopt(call.method, { ...call.target, path }, call.parameters);
  }
}

/** Fills in what `_expand` asks for as the project's own `getById` finds it: it may take a list of ids. */
export function expandMixedIn(data: unknown, expand: readonly string[], { db, suffix, getById }: ExpandOptions): void {
  const state = db().getState() as Record<string, unknown>;
  for (const name of expand) {
    const parents = state[pluralize(name)];
    if (!parents) continue;
    for (const record of [data].flat()) {
      if (isJsonObject(record)) record[name] = copyOf(getById(parents, record[`${name}${suffix}`])) as never;
    }
  }
}

interface ExpandOptions {
  readonly db: Data["db"];
  readonly suffix: string;
  readonly getById: NonNullable<MixedIn["getById"]>;
}

function copyOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

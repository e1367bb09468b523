import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import { type SeenOperations, seenKey } from "./operations.ts";
import { isSuccessful } from "./seen.ts";

/** The id of the only record of a collection. */
const ONLY_ID = "current";

/** Single records that are read and changed, such as `/settings`, as collections of one: their state after the last change. */
export function singleRecords(operations: SeenOperations, isBound: (path: string) => boolean): JsonObject {
  const found: JsonObject = {};
  for (const { method, path, steps, seen } of operations.values()) {
    const last = steps.at(-1);
    if (method !== "GET" || last?.kind !== "fixed" || path.includes("{") || isBound(path)) continue;
    const writes = ["PUT", "PATCH"]
      .flatMap((one) => operations.get(seenKey(one, path))?.seen ?? [])
      .filter(isSuccessful);
    const all = [...seen.filter(isSuccessful), ...writes].sort(
      (one, other) => one.exchange.startedAt - other.exchange.startedAt,
    );
    let state: JsonObject | undefined;
    for (const one of all) {
      const now = isJsonObject(one.body) ? one.body : one.sent;
      if (isJsonObject(now)) state = one.method === "PATCH" ? { ...state, ...now } : now;
    }
    if (state && writes.length > 0) found[last.text] = [withId(recordIn(state))];
  }
  return found;
}

/** `{ "user": { ... } }` is what is around the record. */
function recordIn(state: JsonObject): JsonObject {
  const [inner, ...more] = Object.values(state);
  return more.length === 0 && isJsonObject(inner) ? inner : state;
}

function withId(record: JsonObject): JsonObject {
  let key = "id";
  while (Object.hasOwn(record, key)) key = `_${key}`;
  return { [key]: ONLY_ID, ...record };
}

import { StandinError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json/json.ts";
import { STEP, type Work } from "../base/slices.ts";
import { equality } from "../query/operators/eq.ts";
import { textOf } from "../query/text.ts";
import { idFromBody } from "./ids.ts";
import type { Transaction } from "./store.ts";
import type { StoredRecord } from "./stored-record.ts";

/** The fate of a record that is there already. */
export type Resolution = "merge-duplicates" | "ignore-duplicates";

export interface Upsert {
  readonly collection: string;
  readonly bodies: readonly JsonObject[];
  /** The field whose value tells whether a record is there already. */
  readonly key: string;
  readonly idKey: string;
  readonly resolution: Resolution;
}

/** The record of each body, and whether any was created. */
export interface Upserted {
  readonly records: readonly StoredRecord[];
  readonly isCreated: boolean;
}

/** Creates the records that are not there, and changes or leaves those that are. */
export function* upsert(data: Transaction, { collection, bodies, key, idKey, resolution }: Upsert): Work<Upserted> {
  const records: StoredRecord[] = [];
  let isCreated = false;
  const find = key === idKey ? undefined : yield* findByKey(data, { collection, bodies, key });
  for (const body of bodies) {
    const id = key === idKey ? idFromBody(body, idKey) : undefined;
    const present = id === undefined ? find?.(body) : yield* data.get(collection, String(id));
    const write = present
      ? resolution === "merge-duplicates"
        ? ({ kind: "rewrite", collection, before: present, transform: merged(body) } as const)
        : undefined
      : ({ kind: "create", collection, bodies: [body] } as const);
    const [edit] = write ? yield* data.apply(write) : [];
    const after = edit?.after ?? present;
    isCreated ||= !present;
    if (!after) continue;
    records.push(after);
    find?.note(after);
    if (records.length % STEP === 0) yield;
  }
  return { records, isCreated };
}

function merged(body: JsonObject): (current: unknown) => JsonObject {
  return (current) => ({ ...(current as JsonObject), ...body });
}

interface KeyRequest {
  readonly collection: string;
  readonly bodies: readonly JsonObject[];
  readonly key: string;
}

type FindByKey = ((body: JsonObject) => StoredRecord | undefined) & { note(record: StoredRecord): void };

/** Looks for the records of all bodies at once. */
function* findByKey(data: Transaction, { collection, bodies, key }: KeyRequest): Work<FindByKey> {
  const texts = new Set(bodies.flatMap((body) => keyText(body, key) ?? []));
  const path = { text: key, segments: [key] };
  const found = yield* data.matching(collection, { where: [equality(path, [...texts])], search: "" });
  const bySlot = new Map<string, Map<number, StoredRecord>>();
  const note = (record: StoredRecord): void => {
    // An element of an array is equal for a filter, but is not the key.
    const text = isJsonObject(record.value) ? keyText(record.value, key) : undefined;
    if (text === undefined || !texts.has(text)) return;
    const records = bySlot.get(text) ?? new Map<number, StoredRecord>();
    bySlot.set(text, records.set(record.slot, record));
  };
  for (const record of found) note(record);
  const find = (body: JsonObject): StoredRecord | undefined => {
    const text = keyText(body, key);
    const records = text === undefined ? undefined : bySlot.get(text);
    if (records && records.size > 1) {
      throw new StandinError(
        "UPSERT_AMBIGUOUS",
        `${records.size} records of ${collection} have ${key} ${JSON.stringify(text)}; nothing was changed.`,
      );
    }
    return records?.values().next().value;
  };
  return Object.assign(find, { note });
}

function keyText(body: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  return value === undefined || value === null ? undefined : textOf(value);
}

import { cloneJson, isJsonObject, type Json, type JsonObject, keepDigits } from "../base/json/json.ts";
import type { CollectionSettings, SettingsByCollection } from "./collection-settings.ts";
import { createTextIds, type TextIdOptions, type TextIds } from "./text-ids.ts";

/** Completes the records of one collection while a write is planned. */
export interface Completion {
  /** The kind of new ids; undefined where the ids that are there decide. */
  readonly ids: "increment" | TextIds | undefined;
  /** Whether a removed record that comes back in a database stands at the end: its place tells it from the first one. */
  readonly isNewOnReturn?: boolean;
  /** A new record with its missing defaults and timestamps. */
  created(body: JsonObject): JsonObject;
  /** A changed record: the time of its creation stays, whatever the change says, and that of the change is now. */
  changed(before: Json, value: JsonObject): JsonObject;
}

export type Completions = ReadonlyMap<string, Completion>;

/** Creates the completion of each collection that asks for one; undefined where none does. */
export function createCompletions(settings: SettingsByCollection, options: TextIdOptions): Completions | undefined {
  const asking = [...settings].filter(([, { id, timestamps, defaults }]) => id ?? timestamps ?? defaults);
  if (asking.length === 0) return undefined;
  return new Map(asking.map(([name, one]) => [name, createCompletion(one, options)]));
}

function createCompletion({ id, timestamps = {}, defaults = {} }: CollectionSettings, options: TextIdOptions) {
  const { created, updated } = timestamps;
  const time = (): string => new Date(options.now()).toISOString();
  const presets = Object.entries(defaults);
  return {
    ids: id === undefined || id === "increment" ? id : createTextIds(id, options),
    created(body: JsonObject): JsonObject {
      const record = { ...body };
      // Copied: programs may hold records that share nothing with each other.
      for (const [field, value] of presets) if (!Object.hasOwn(body, field)) record[field] = cloneJson(value);
      keepDigits(record, defaults);
      if (created === undefined && updated === undefined) return record;
      const now = time();
      for (const field of [created, updated]) if (field !== undefined) record[field] = given(body, field) ?? now;
      return record;
    },
    changed(before: Json, value: JsonObject): JsonObject {
      if (created === undefined && updated === undefined) return value;
      const record = { ...value };
      if (created !== undefined) {
        const first = isJsonObject(before) && Object.hasOwn(before, created) ? before[created] : undefined;
        if (first === undefined) delete record[created];
        else record[created] = first;
      }
      if (updated !== undefined) record[updated] = time();
      return record;
    },
  };
}

function given(body: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(body, field) ? body[field] : undefined;
}

import type { JsonObject } from "../base/json/json.ts";

/** The kinds of generated ids, beside `prefix:<text>`. */
export const ID_KINDS = ["increment", "uuid", "uuid7", "nanoid"] as const;

export type IdKind = (typeof ID_KINDS)[number] | `prefix:${string}`;

/** The primary key field of a collection, and the parts of its records that the server fills in. */
export interface CollectionSettings {
  readonly idKey?: string | undefined;
  readonly id?: IdKind | undefined;
  readonly timestamps?: Timestamps | undefined;
  readonly defaults?: JsonObject | undefined;
}

/** The fields with the time of a record's creation and of its last change; a field without a name is not kept. */
export interface Timestamps {
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
}

export type SettingsByCollection = ReadonlyMap<string, CollectionSettings>;

import type { JsonObject } from "../base/json/json.ts";
import type { SettingsByCollection } from "../store/collection-settings.ts";
import type { IdKeyOptions } from "../store/id-keys.ts";
import { readCollections } from "./collections.ts";

/** Maps the options of a command to the primary keys of a store. */
export function readIdKeys(
  { id, collections }: { readonly id: string; readonly collections: JsonObject | undefined },
  configFile = "the config file",
): IdKeyOptions {
  return idKeysIn(id, readCollections(collections, id, configFile));
}

/** The primary keys of collections with these settings, and of all others. */
export function idKeysIn(idKey: string, settings: SettingsByCollection): IdKeyOptions {
  const keys = [...settings].flatMap(([name, one]) => (one.idKey === undefined ? [] : [[name, one.idKey] as const]));
  return { idKey, idKeys: Object.fromEntries(keys) };
}

import type { JsonObject } from "../api/json.ts";
import { createStore } from "../api/store.ts";

/** A record to be created with values from elsewhere, such as the key of the record that it is added to. */
export interface NewRecord {
  readonly collection: string;
  readonly values: JsonObject;
  /** The hash of the view to return to. */
  readonly from: string;
}

export const newRecord = createStore<NewRecord | undefined>(undefined);

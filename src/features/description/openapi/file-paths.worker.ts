import type { JsonObject } from "../../../base/json/json.ts";

/** A worker describes the files of records, and not the addresses of each. */
export function filePaths(): JsonObject {
  return {};
}

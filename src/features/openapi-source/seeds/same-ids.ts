import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";

/**
 * Lets the object in a made record be the one that the record names beside it: `issue.id` is `issue_id`. The fields in
 * `sent` stay.
 */
export function withSameIds(record: JsonObject, sent: JsonObject = {}): JsonObject {
  let value = record;
  for (const [name, id] of Object.entries(record)) {
    const stem = /^(.+?)(?:_id|Id|ID)$/.exec(name)?.[1];
    const part = stem === undefined ? undefined : record[stem];
    if (stem === undefined || !isJsonObject(part) || typeof part.id !== typeof id || part.id === id) continue;
    if (!Object.hasOwn(sent, stem)) value = { ...value, [stem]: { ...part, id } };
    else if (!Object.hasOwn(sent, name)) value = { ...value, [name]: part.id! };
  }
  return value;
}

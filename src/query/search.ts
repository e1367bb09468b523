import type { Json, JsonObject } from "../base/json/json.ts";

/** Whether any value, at any depth, contains the lower-case text. 0.17.4: keys, 0, false and "" never match. */
export function contains(value: Json, search: string): boolean {
  if (!value) return false;
  if (typeof value === "string") return value.toLowerCase().includes(search);
  if (typeof value !== "object") return String(value).includes(search);
  if (Array.isArray(value)) return value.some((element) => contains(element, search));
  for (const key in value) if (contains(value[key]!, search)) return true;
  return false;
}

/** `q` searches fields, so only objects and arrays can match. */
export function containsInFields(value: Json, search: string): boolean {
  return typeof value === "object" && contains(value, search);
}

/**
 * Creates the same test of records. Usually only texts can contain the search, and numbers need not be looked at; and most
 * matches have it in the same field, which is looked at first.
 */
export function createSearch(search: string): (value: Json) => boolean {
  const isOnlyInTexts = /[^-+.\de]/i.test(search) && !"true".includes(search);
  const holds = isOnlyInTexts ? containsInTexts : contains;
  let likely: string | undefined;
  return (value) => {
    if (typeof value !== "object" || value === null) return false;
    const first = likely === undefined || Array.isArray(value) ? undefined : (value as JsonObject)[likely];
    // An inherited property is none of these.
    if ((typeof first === "string" || typeof first === "number") && holds(first, search)) return true;
    for (const key in value) {
      if (!holds((value as JsonObject)[key] ?? null, search)) continue;
      likely = key;
      return true;
    }
    return false;
  };
}

function containsInTexts(value: Json, search: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(search);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((element) => containsInTexts(element, search));
  for (const key in value) if (containsInTexts(value[key]!, search)) return true;
  return false;
}

/** All texts, in lower case, that `contains` searches. */
export function searchedTexts(value: Json, texts: string[] = []): string[] {
  if (!value) return texts;
  if (typeof value === "string") texts.push(value.toLowerCase());
  else if (typeof value !== "object") texts.push(String(value));
  else for (const key in value) searchedTexts((value as JsonObject)[key]!, texts);
  return texts;
}

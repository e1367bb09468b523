import { isJsonObject, type Json } from "../../json.ts";

/** Values of `{{name}}`, innermost folder first. */
export type Variables = ReadonlyMap<string, string>;

const NAME = /\{\{([^{}]+)\}\}/g;
/** Variables may name others; a circle of them ends here. */
const MAX_ROUNDS = 10;
/** Upper bound for a resolved text: variables that double each other must not fill the memory. */
const MAX_LENGTH = 32 * 2 ** 20;

/** The variables of a collection, folder or request on top of those around it. */
export function collectVariables(list: Json | undefined, outer: Variables): Variables {
  if (!Array.isArray(list) || list.length === 0) return outer;
  const variables = new Map(outer);
  for (const entry of list) {
    if (!isJsonObject(entry) || entry.disabled === true) continue;
    const name = entry.key ?? entry.id;
    if (typeof name === "string" && entry.value !== undefined && entry.value !== null && entry.value !== "") {
      variables.set(name, typeof entry.value === "object" ? JSON.stringify(entry.value) : String(entry.value));
    }
  }
  return variables;
}

/** Puts values in place of names. What has no value stays as it is: in an address, that is a wildcard. */
export function resolveVariables(text: string, variables: Variables): string {
  let resolved = text;
  let length = text.length;
  for (let round = 0; round < MAX_ROUNDS && resolved.includes("{{"); round++) {
    const next = resolved.replace(NAME, (whole, name: string) => {
      const value = variables.get(name.trim()) ?? whole;
      length += value.length;
      return length > MAX_LENGTH ? whole : value;
    });
    if (next === resolved) break;
    resolved = next;
  }
  return resolved;
}

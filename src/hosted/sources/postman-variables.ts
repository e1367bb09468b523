import { isJsonObject, type Json } from "../../base/json/json.ts";
import { type Document, mistake } from "../../openapi/read/document.ts";

/** Values of `{{name}}`, innermost folder first. */
export type Variables = ReadonlyMap<string, string>;

const NAME = /\{\{([^{}]+)\}\}/g;
/** Variables may name others; a circle of them ends here. */
const MAX_ROUNDS = 10;
/** Upper bound for a resolved text: variables that double each other must not fill the memory. */
const MAX_LENGTH = 32 * 2 ** 20;

/**
 * The variables of a collection, folder or request on top of those around it. Those of the environment win over all of
 * them, as in Postman.
 */
export function collectVariables(list: Json | undefined, outer: Variables, environment: Variables): Variables {
  if (!Array.isArray(list) || list.length === 0) return outer;
  const variables = new Map(outer);
  for (const [name, value] of enabledVariables(list)) if (!environment.has(name)) variables.set(name, value);
  return variables;
}

/** Whether a document is an environment or a set of globals as Postman exports them. */
export function isEnvironment({ root }: Pick<Document, "root">): boolean {
  return Array.isArray(root.values) && root.item === undefined && root.info === undefined;
}

/** The variables of an environment. */
export function readEnvironment(document: Document): Variables {
  const { environment } = document.root;
  // Postman's API hands an environment out in an object of its own.
  const root = isJsonObject(environment) ? environment : document.root;
  if (!isEnvironment({ root })) {
    throw mistake(document, "#", "is not a Postman environment: it has no list of values.");
  }
  return new Map(enabledVariables(root.values as Json[]));
}

/** An empty value counts as none: Postman leaves those out of exports. */
function enabledVariables(list: readonly Json[]): [name: string, value: string][] {
  return list.flatMap((entry): [string, string][] => {
    if (!isJsonObject(entry) || entry.disabled === true || entry.enabled === false) return [];
    const name = entry.key ?? entry.id;
    const { value } = entry;
    if (typeof name !== "string" || value === undefined || value === null || value === "") return [];
    return [[name, typeof value === "object" ? JSON.stringify(value) : String(value)]];
  });
}

/** Puts values in place of names. A name without a value stays: in an address, it is a wildcard. */
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

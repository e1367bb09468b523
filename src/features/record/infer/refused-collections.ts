import { messageOf, StartError } from "../../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import { bindDocument } from "../../../openapi/bind/bind-document.ts";
import { OWN_BINDINGS } from "../../../openapi/bind/config/own-bindings.ts";
import { readLoneDocument } from "../../../openapi/read/load-api-document.ts";

/**
 * The collections that a recorded document cannot be served with, by the paths of their lists, and why: a recording must
 * always start.
 */
export function refusedCollections(document: JsonObject): ReadonlyMap<string, string> {
  const section = document[OWN_BINDINGS];
  const entries = Object.entries(isJsonObject(section) ? section : {});
  if (refusalOf(document, entries) === undefined) return new Map();
  const refused = entries.flatMap(([name, entry]): [string, string][] => {
    const why = refusalOf(document, [[name, entry]]);
    return why === undefined ? [] : [[listOf(entry), why]];
  });
  // Each may be served alone, but not beside the others.
  return new Map(refused.length > 0 ? refused : entries.map(([, entry]) => [listOf(entry), "collides with another"]));
}

function refusalOf(document: JsonObject, entries: readonly (readonly [string, unknown])[]): string | undefined {
  const root = { openapi: "3.1.0", ...document, [OWN_BINDINGS]: Object.fromEntries(entries) } as JsonObject;
  try {
    bindDocument(readLoneDocument({ file: "", root }));
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof StartError)) throw thrown;
    return messageOf(thrown).replace(/^: \S+: bind\.[^:]*: /, "");
  }
}

function listOf(entry: unknown): string {
  const { list } = isJsonObject(entry) ? entry : {};
  return typeof list === "string" ? list : "";
}

import { StandinError } from "../../base/errors.ts";
import type { Service } from "../../http/contract.ts";
import { hiddenNames } from "../../http/edge.ts";
import type { Member } from "../../store/store.ts";

/** A file of a folder is named after its collection, and file systems allow 255 bytes. */
const MAX_ENCODED = 200;

/** Expects a name that a new collection can be reached by. */
export function readNewName(name: unknown, service: Service): string {
  if (typeof name !== "string") throw invalid(`"name" must be a string, not ${JSON.stringify(name) ?? "left out"}.`);
  const shown = JSON.stringify(name.length > 50 ? `${name.slice(0, 50)}...` : name);
  if (!isName(name) || encodeURIComponent(name).length > MAX_ENCODED) {
    throw invalid(
      `${shown} cannot name a collection: use letters, digits, dashes, underscores, dots and spaces, up to ` +
        `${MAX_ENCODED} bytes in a URL.`,
    );
  }
  if (name.startsWith("__") || hiddenNames(service).some((one) => one.toLowerCase() === name.toLowerCase())) {
    throw invalid(`${shown} is a route of the server itself. Choose another name.`);
  }
  return name;
}

/**
 * Letters and digits of any script, with marks in between that need no escapes in a path and no quotes in a shell. The
 * pattern is made when it is needed: it takes a millisecond, which a worker that wakes up can spare.
 */
function isName(name: string): boolean {
  return /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N} ._~-]*[\p{L}\p{M}\p{N}_~-])?$/u.test(name);
}

export function readKind(kind: unknown): Member["kind"] {
  if (kind === undefined || kind === null || kind === "collection") return "collection";
  if (kind === "singleton") return kind;
  throw invalid(`"kind": ${JSON.stringify(kind)}; allowed values are "collection" and "singleton".`);
}

function invalid(message: string): StandinError {
  return new StandinError("COLLECTION_INVALID", message);
}

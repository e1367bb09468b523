import { isFileObject, isSha256 } from "../../base/file-object.ts";
import type { Json } from "../../base/json/json.ts";
import { slice } from "../../store/slice.ts";
import type { Reads } from "../../store/store.ts";

/** Records that are looked at together. */
const PAGE = 100;

/** The hashes of the files that a value holds, at any depth. */
export function hashesIn(value: Json, found: Set<string> = new Set()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  if (isFileObject(value)) found.add(value.sha256);
  for (const part of Object.values(value)) hashesIn(part, found);
  return found;
}

/** Whether any record that can be read here holds the file; `only` names the one member to look at. */
export async function isHeld(store: Reads, sha256: string, only?: string): Promise<boolean> {
  if (!isSha256(sha256)) return false;
  for (const { name, kind } of store.members()) {
    if (only !== undefined && name !== only) continue;
    const isFound =
      kind === "singleton"
        ? hashesIn((await store.singleton(name))?.value ?? null).has(sha256)
        : await isHeldIn(store, name, sha256);
    if (isFound) return true;
  }
  return false;
}

/** By the search for a text, which has an index. */
async function isHeldIn(store: Reads, collection: string, sha256: string): Promise<boolean> {
  for (let start = 0; ; start += PAGE) {
    const { records } = await store.find(collection, { ...slice(start, start + PAGE), search: sha256 });
    if (records.some(({ value }) => hashesIn(value).has(sha256))) return true;
    if (records.length < PAGE) return false;
  }
}

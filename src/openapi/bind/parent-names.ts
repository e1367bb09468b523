import { isBelowRecord } from "./binding.ts";
import { type Drafted, unversioned } from "./join.ts";
import { pathKey, pathStepsOf } from "./path-shape.ts";
/** The names of collections by the path of their single records. */
export interface ParentNames {
  readonly read: ReadonlyMap<string, string>;
  /** By paths that the document lacks: those of their lists with a wildcard. */
  readonly assumed: ReadonlyMap<string, string>;
}

export function parentNames(drafted: readonly Drafted[], names: readonly string[]): ParentNames {
  const read = new Map<string, string>();
  const assumed = new Map<string, string>();
  // `/orders/{type}` that lists orders names none of them.
  const lists = new Set(
    drafted.flatMap(({ drafts }) =>
      drafts.flatMap(({ action, operation }) =>
        action === "list" ? [pathKey(pathStepsOf(operation.path) ?? [])] : [],
      ),
    ),
  );
  // `/projects/{owner}` of `/projects/{owner}/{project}` is no project.
  const owners = new Set(
    drafted.flatMap(({ drafts }) =>
      drafts.flatMap(({ keys, operation }) =>
        keys.length > 1 ? [pathKey(pathStepsOf(operation.path)?.slice(0, -1) ?? [])] : [],
      ),
    ),
  );
  for (const [position, { candidate, drafts }] of drafted.entries()) {
    for (const draft of drafts) {
      const { operation, idParameter } = draft;
      if (isBelowRecord(draft) || candidate.hidesId) continue;
      const key = pathKey(pathStepsOf(operation.path)!);
      if (idParameter !== undefined) {
        read.set(key, names[position]!);
        // `/v2/pets/{id}/visits` below `/v3/pets/{id}`
        const plain = unversioned(pathStepsOf(operation.path)!);
        if (!read.has(plain)) read.set(plain, names[position]!);
      } else if (![assumed, lists, owners].some((known) => known.has(`${key}/{}`)))
        assumed.set(`${key}/{}`, names[position]!);
    }
  }
  return { read, assumed };
}

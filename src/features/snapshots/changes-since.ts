import { StandinError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Store } from "../../store/store.ts";
import { comparedMembers, type Difference, type DifferenceKind } from "./differences.ts";

/** The words that changes of sandboxes are described with, too. */
const KINDS = { added: "created", changed: "changed", removed: "removed" } as const satisfies Record<
  DifferenceKind,
  string
>;

export interface ChangesWanted {
  /** Of this member alone. */
  readonly collection: string | undefined;
  readonly start: number;
  readonly limit: number;
}

/** The records that differ between a snapshot and the present data, one window of them with both versions. */
export async function changesSince(saved: JsonObject, store: Store, wanted: ChangesWanted): Promise<JsonObject> {
  const { collection, start, limit } = wanted;
  const collections: Record<"created" | "removed", Json[]> = { created: [], removed: [] };
  const members: Json[] = [];
  const changes: Json[] = [];
  const names: string[] = [];
  let total = 0;
  for await (const member of comparedMembers(saved, store)) {
    const { name, kind, wasThere, isThere } = member;
    const counts = { created: 0, changed: 0, removed: 0 };
    const isWanted = collection === undefined || collection === name;
    for await (const difference of member.differences()) {
      counts[KINDS[difference.kind]]++;
      if (!isWanted) continue;
      if (total >= start && changes.length < limit) changes.push(describe(name, difference));
      total++;
    }
    names.push(name);
    members.push({ name, kind, ...counts });
    if (!wasThere) collections.created.push({ name, kind });
    else if (!isThere) collections.removed.push({ name, kind });
  }
  if (collection !== undefined && !names.includes(collection)) throw unknown(collection, names);
  return { total, changes, collections, members };
}

function describe(collection: string, { kind, id, before, after }: Difference): JsonObject {
  return { collection, id: id ?? null, kind: KINDS[kind], before: before ?? null, after: after ?? null };
}

function unknown(name: string, names: readonly string[]): StandinError {
  return new StandinError(
    "COLLECTION_NOT_FOUND",
    `Neither the snapshot nor the data has a collection ${JSON.stringify(name)}.${didYouMean(name, names)}`,
  );
}

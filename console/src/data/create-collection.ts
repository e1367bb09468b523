import { ask, askJson } from "../api/ask.ts";
import { createMember, removeMember } from "../api/collections.ts";
import type { Json, JsonObject } from "../api/json.ts";
import { noteChange } from "../api/live-data.ts";
import { idKeyOf, type Member, type Overview } from "../api/overview.ts";
import { type SampleField, sampleRecords } from "./collection-sample.ts";

/** Ids that references choose from. */
const MOST_IDS = 200;

interface FirstRecords {
  readonly fields: readonly SampleField[];
  readonly count: number;
}

/** Creates a collection or an object; a collection with its first records, if fields were chosen. */
export async function createWithSample(
  member: Pick<Member, "name" | "kind">,
  { fields, count }: FirstRecords,
  overview: Overview | undefined,
): Promise<void> {
  if (!overview || member.kind !== "collection" || fields.length === 0) return createMember(member);
  const ids = new Map<string, readonly Json[]>();
  for (const { type, of } of fields) if (type === "reference") ids.set(of, await idsIn(of, overview));
  await createMember(member);
  const now = Date.parse(overview.clock.now);
  const body = sampleRecords(fields, { count, now, idsOf: (name) => ids.get(name) ?? [] });
  try {
    await ask("POST", `/${encodeURIComponent(member.name)}`, { body });
    noteChange();
  } catch (thrown) {
    await removeMember(member.name);
    throw thrown;
  }
}

async function idsIn(collection: string, overview: Overview): Promise<Json[]> {
  const idKey = idKeyOf(overview, collection);
  const path = `/${encodeURIComponent(collection)}?_limit=${MOST_IDS}&_fields=${encodeURIComponent(idKey)}`;
  const records = await askJson<JsonObject[]>("GET", path);
  return records.flatMap((record) => record[idKey] ?? []);
}

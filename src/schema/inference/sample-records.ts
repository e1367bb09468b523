import type { Json } from "../../base/json/json.ts";
import { slice } from "../../store/slice.ts";
import type { Member, Store } from "../../store/store.ts";

const SAMPLE = 500;

/** Records from either end of a collection: the oldest tell its form, the newest what has come to it. */
export async function sampleRecords(store: Store, { name, count }: Pick<Member, "name" | "count">): Promise<Json[]> {
  const { records: first } = await store.find(name, slice(0, SAMPLE));
  const { records: last } = await store.find(name, slice(Math.max(SAMPLE, count - SAMPLE), count));
  return [...first, ...last].map(({ value }) => value);
}

import { BASE } from "../api/base.ts";
import { isJsonObject, parseJson } from "../api/json.ts";

/** A record by its address, with its title where it has one. */
export interface NamedRecord {
  readonly collection: string;
  readonly id: string;
  readonly label: string | undefined;
}

const PLACE = `standin-recent:${BASE}`;
const MOST = 8;

/** The records that were opened last in this browser, the latest first. */
export function recentRecords(): NamedRecord[] {
  const stored = parseJson(localStorage.getItem(PLACE) ?? "[]");
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one) => {
    if (!isJsonObject(one) || typeof one.collection !== "string" || typeof one.id !== "string") return [];
    return [{ collection: one.collection, id: one.id, label: typeof one.label === "string" ? one.label : undefined }];
  });
}

export function noteRecent(opened: NamedRecord): void {
  store([opened, ...others(opened)].slice(0, MOST));
}

/** Forgets a record that is gone. */
export function forgetRecent(gone: Pick<NamedRecord, "collection" | "id">): void {
  store(others(gone));
}

function others({ collection, id }: Pick<NamedRecord, "collection" | "id">): NamedRecord[] {
  return recentRecords().filter((one) => one.collection !== collection || one.id !== id);
}

function store(records: readonly NamedRecord[]): void {
  localStorage.setItem(PLACE, JSON.stringify(records));
}

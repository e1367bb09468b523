import { askJson } from "./ask.ts";
import type { Json } from "./json.ts";
import { formatParameters, type Pair } from "./parameters.ts";
import type { RecordChange } from "./record-change.ts";
import type { Refusal } from "./refusal.ts";

/** A version of the data, as `GET /__history` lists it. */
export interface Version {
  readonly version: number;
  readonly time: string;
  readonly by: string;
  readonly kind: "change" | "members" | "exchange";
  readonly cause?: string;
  readonly counts: Readonly<Record<string, VersionCounts>>;
  readonly summary: string;
  readonly members?: readonly { readonly kind: string; readonly name: string; readonly to?: string }[];
  /** False for one that is listed, but cannot be reverted. */
  readonly kept: boolean;
}

export interface VersionCounts {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
}

export interface VersionPage {
  /** Newest first. */
  readonly versions: readonly Version[];
  /** The oldest moment that can be read. */
  readonly oldest: number | null;
  readonly latest: number;
  /** Where the next page begins, if there is one. */
  readonly next?: number;
}

export interface VersionFilter {
  readonly collection?: string | undefined;
  /** Of a record of the collection. */
  readonly id?: string | undefined;
  readonly by?: string | undefined;
}

/** A version with some of its records, before and after. */
interface VersionChange extends Version {
  readonly edits: readonly Omit<RecordChange, "kind">[];
  readonly total: number;
}

/** A record that has changed again since a version that is to be reverted. */
export interface RevertConflict {
  readonly collection: string;
  readonly id: string | number | null;
  /** As the version left it. */
  readonly base: Json;
  /** Before the version. */
  readonly then: Json;
  readonly now: Json;
}

interface Asked {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly signal?: AbortSignal;
}

export function loadVersions(filter: VersionFilter, { limit, before, signal }: Asked): Promise<VersionPage> {
  const given = { ...filter, before, limit };
  const pairs = Object.entries(given).flatMap(([name, value]): Pair[] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return askJson("GET", `/__history?${formatParameters(pairs)}`, signal ? { signal } : {});
}

interface ChangeAsked {
  readonly signal: AbortSignal;
  /** In front of the path: a sandbox. */
  readonly place?: string;
}

/** One version with its records from a place on. */
export async function loadChange(version: number, start: number, { signal, place = "" }: ChangeAsked) {
  const path = `${place}/__history/${version}?start=${start}&limit=${EDITS_AT_ONCE}`;
  const change = await askJson<VersionChange>("GET", path, { signal });
  return { ...change, edits: change.edits.map(asChange) };
}

/** The change of one record by a version. */
export async function loadEdit(version: number, filter: VersionFilter, signal: AbortSignal) {
  const pairs = Object.entries(filter).map(([name, value]): Pair => [name, String(value)]);
  const path = `/__history/${version}?${formatParameters([...pairs, ["limit", "1"]])}`;
  const { edits } = await askJson<VersionChange>("GET", path, { signal });
  return edits[0] && asChange(edits[0]);
}

/** Records in one response. */
const EDITS_AT_ONCE = 50;

function asChange(edit: Omit<RecordChange, "kind">): RecordChange {
  const { before, after } = edit;
  return { ...edit, kind: before === null ? "created" : after === null ? "removed" : "changed" };
}

/** What reverting and restoring lead to. */
export interface Reverted extends Version {
  /** All was as it was to become. */
  readonly unchanged?: true;
}

/** The records in the way of a revert; undefined if it was refused for another reason. */
export function conflictsIn({ code, body }: Refusal): ConflictsFound | undefined {
  return code === "REVERT_CONFLICT" ? (body as unknown as ConflictsFound) : undefined;
}

export interface ConflictsFound {
  /** At most a hundred. */
  readonly conflicts: readonly RevertConflict[];
  readonly total: number;
}

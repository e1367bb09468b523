import type { State } from "../memory/state.ts";
import type { Receipt } from "../receipts.ts";
import { type Entry, eventOf } from "./entry.ts";
import { type IdbTransaction, resultOf, upTo } from "./idb.ts";
import { keepMembers } from "./kept-data.ts";
import { type KeptMember, readKeptMember } from "./kept-member.ts";

/** Changes that stay for readers of events who come back. */
export const KEPT_CHANGES = 200;

/** Everything about the data that is not a member or a change. */
export interface Meta {
  readonly version: number;
  readonly epoch: string;
  /** The members have all changes up to this version. */
  readonly folded: number;
  /** The names of the members, in the order of the data. */
  readonly names: readonly string[];
  readonly idKeys: ReadonlyMap<string, string>;
  /** A hash of the data that it began with. */
  readonly seed: string;
  /** Whether anything was changed since. */
  readonly isChanged: boolean;
}

/** The content of a database. */
export interface StoredData {
  readonly meta: Meta;
  readonly state: State;
  /** The latest changes, oldest first. */
  readonly entries: readonly Entry[];
  /** The values of features, by their names. */
  readonly values: ReadonlyMap<string, unknown>;
}

export async function readMeta(transaction: IdbTransaction): Promise<Meta | undefined> {
  return (await resultOf(transaction.objectStore("meta").get("data"))) as Meta | undefined;
}

/** Reads all data; undefined where there is none yet. `settings` is any state with the settings of this start. */
export async function readData(transaction: IdbTransaction, settings: State): Promise<StoredData | undefined> {
  const asked = [
    readMeta(transaction),
    resultOf(transaction.objectStore("members").getAll()),
    readEntries(transaction),
    resultOf(transaction.objectStore("meta").get("receipts")),
    readKeptValues(transaction),
  ] as const;
  const [meta, members, entries, receipts, values] = await Promise.all(asked);
  if (!meta) return undefined;
  const byName = new Map((members as KeptMember[]).map((member) => [member.name, member]));
  const read = meta.names.flatMap((name) => byName.get(name) ?? []).map(readKeptMember);
  const state = settings.restore({ ...meta, version: meta.folded, members: read });
  for (const receipt of (receipts ?? []) as Receipt[]) state.receipts.add(receipt);
  for (const entry of entries) if (entry.v > meta.folded) replay(state, entry);
  state.version = meta.version;
  return { meta, state, entries, values };
}

/** The latest changes, oldest first. */
export async function readEntries(transaction: IdbTransaction): Promise<Entry[]> {
  return (await resultOf(transaction.objectStore("entries").getAll())) as Entry[];
}

/** The values of features, by their names and in their order. */
export async function readKeptValues(transaction: IdbTransaction): Promise<ReadonlyMap<string, unknown>> {
  const kept = (await resultOf(transaction.objectStore("kept").getAll())) as { key: string; value: unknown }[];
  return new Map(kept.map(({ key, value }) => [key, value]));
}

function replay(state: State, entry: Entry): void {
  const event = eventOf(entry);
  state.version = entry.v - 1;
  if (event?.kind === "change") state.commit(event.change);
  if (event?.kind === "members") state.alter(event.edit);
  if (entry.receipt) state.receipts.add(entry.receipt);
}

/** Stores one change, and that the data has it. */
export function writeEntry(transaction: IdbTransaction, entry: Entry, meta: Meta): void {
  transaction.objectStore("entries").put(entry);
  transaction.objectStore("meta").put(meta, "data");
}

/** Everything beside the members that is stored with them. */
interface Beside {
  readonly meta: Meta;
  readonly receipts: Iterable<Receipt>;
  /** The version since which changes are needed to find a former one. */
  readonly heldFrom?: number | undefined;
}

/** Stores members in place of the changes that they have, the latest of which stay for readers of events. */
export function writeMembers(
  transaction: IdbTransaction,
  members: readonly KeptMember[],
  { meta, receipts, heldFrom = meta.folded }: Beside,
): void {
  const store = transaction.objectStore("members");
  for (const member of members) store.put(member);
  transaction.objectStore("entries").delete(upTo(Math.min(meta.folded - KEPT_CHANGES, heldFrom)));
  transaction.objectStore("meta").put([...receipts], "receipts");
  transaction.objectStore("meta").put(meta, "data");
}

/** Stores all data in place of what is there. */
export function writeAll(transaction: IdbTransaction, state: State, beside: Omit<Beside, "receipts">): void {
  transaction.objectStore("members").clear();
  writeMembers(transaction, keepMembers(state), { ...beside, receipts: state.receipts.values() });
}

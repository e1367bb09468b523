import type { Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { Origin } from "../history.ts";
import type { Receipt } from "../receipts.ts";
import type {
  Change,
  Durability,
  Exported,
  KeptLog,
  KeptValues,
  LeftChange,
  MemberEdit,
  PastEvent,
  StoreEvent,
} from "../store.ts";
import type { State } from "./state.ts";

/** Commits changes to the data of a store in memory, and keeps them where they are to outlive the process. */
export interface Journal {
  readonly engine: string;
  /** The target of writes, for messages. */
  readonly place: string;
  readonly durability?: Durability | undefined;
  /** Whether the data came from a file or folder. */
  readonly isFromFile?: boolean;
  /** Where features keep what a new run is to find. */
  readonly kept?: KeptValues;
  /** The changes before this run that are still known. */
  readonly past?: readonly PastEvent[];
  /** Settles when writes may begin, or rejects where they may not; undefined where they may at once. */
  ready(): Promise<void> | undefined;
  /** Prepares a large change with pauses, while no write runs: its commit follows, unless all data was replaced meanwhile. */
  prepare(change: Change, origin: Origin, receipt: Receipt | undefined): Promise<void>;
  /** Commits in this turn; settles when the change is durable. */
  commit(change: Change, origin: Origin, receipt?: Receipt): Promise<Change>;
  /** Does the same for the receipt of a request that changed nothing. */
  keep(receipt: Receipt): Promise<void>;
  /** Prepares the edit of a member, as `prepare` does; undefined where that takes no time. */
  prepareEdit?(edit: MemberEdit, origin: Origin): Promise<void> | undefined;
  alter(edit: MemberEdit, origin: Origin): Promise<void>;
  /**
   * Replaces all data, with pauses where that takes long; settles when it is durable. `next` may be called several times.
   * From its call on, writes wait. Listeners hear of `steps`, if given, and that all data was replaced otherwise.
   */
  exchange(next: () => Eventually<State>, origin: Origin, steps?: () => readonly StoreEvent[]): Promise<void>;
  /** The same with other data, in this turn. */
  swapNow(database: JsonObject, origin: Origin): Promise<void>;
  /** Loads the state that a reset restores, where that is done on demand; undefined where it is there. */
  loadBaseline?(): Promise<void> | undefined;
  /** Loads the source, where there is one, if it was changed from outside; returns whether it did. */
  reload?(origin: Origin): Promise<boolean>;
  /** All data as programs may find it in a file that lacks the latest changes. */
  staleCopies?(): readonly (readonly Exported[])[];
  /** Tells other processes at which address the data is served. */
  announceAddress?(url: string): void;
  /** A log of a feature beside the data. */
  openLog?(kind: string, isNoted: () => Promise<void>): KeptLog;
  /** The changes of an earlier run that may lack their jobs. */
  readonly leftChanges?: readonly LeftChange[] | undefined;
  close(): Promise<void>;
}

import type { Json, JsonObject } from "../base/json/json.ts";
import type { Work } from "../base/slices.ts";
import type { DeclaredRelations } from "./declared-relations.ts";
import type { Id } from "./ids.ts";
import type { Edit, Lenience, SingleWrite } from "./store.ts";
import type { StoredRecord } from "./stored-record.ts";

/** The rules that a store judges writes by, before it applies them. */
export interface RecordRules {
  /** The relations that the rules declare. */
  readonly declared?: DeclaredRelations;
  /** Whether writes can be judged at once; otherwise `load` comes first. */
  readonly isLoaded: boolean;
  load(): Promise<void>;
  /** Judges the records that a write would leave, or returns work that does. Throws if the write must not happen. */
  judge(state: JudgedState, edits: readonly Edit[], write: WriteInQuestion): Work<void> | undefined;
  /** The same for a write that need not be compared with other records. */
  judgeAlone(edits: readonly Edit[], lenience: Lenience | undefined): Work<void> | undefined;
  /** Whether a write to the collection must be compared with other records. */
  isRelational(collection: string): boolean;
  /** Judges a field by what was sent, where the records have only a hash of it. */
  judgeAsSent(field: HashedField): void;
  /** The named members and those that writes to them must be compared with, in this order. */
  withRelated(members: readonly string[]): readonly string[];
}

/** A field, such as a password, of which only a hash is stored. */
export interface HashedField {
  readonly collection: string;
  readonly field: string;
  /** The value that was sent with a record that is about to be stored; undefined unless it is new. */
  readonly sentWith: (record: JsonObject) => Json | undefined;
  readonly isHash: (value: Json | undefined) => boolean;
}

/** The part of a write that its judges look at. */
export type WriteInQuestion = Pick<SingleWrite, "lenience" | "mayRead">;

/** The data that records are compared with, as it is before the edits. */
export interface JudgedState {
  collection(name: string): JudgedCollection | undefined;
}

export interface JudgedCollection {
  readonly idKey: string;
  get(id: Id): StoredRecord | undefined;
  /** Those of the ids that records have. */
  existing(ids: readonly string[]): ReadonlySet<string>;
  /** The records whose field, or an element of it, has one of these texts. May find others, too. */
  holding(field: string, texts: readonly string[]): readonly StoredRecord[];
}

/** An index is still being built: wait for it, and ask again. */
export class PendingRecords extends Error {
  readonly done: Promise<void>;

  constructor(done: Promise<void>) {
    super("an index is being built");
    this.done = done;
  }
}

import { StandinError } from "../../base/errors.ts";
import { meetsAll } from "../../query/filter.ts";
import type { Filter } from "../../query/query.ts";
import type { MayRead } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";

/** The conditions that a record must meet, all of them; undefined where every record will do. */
export type Allowed = readonly Filter[] | undefined;

/** The records of one collection or singleton that a user may read and write. */
export interface MemberPermit {
  readonly read: Allowed;
  readonly write: Allowed;
  /** The field with the id of a record's owner: filled for the user, who cannot name another. */
  readonly owner: string | undefined;
  /** Whether the user may give records to others. */
  readonly mayNameOwner: boolean;
  /** Fields that the user cannot set or change. */
  readonly fixed: readonly string[];
}

/** Everything that one user may do with the data. */
export interface StorePermit {
  /** The user's id, as text; undefined for requests without a user. */
  readonly user: string | undefined;
  /** The collection of the users' records. */
  readonly users: string;
  /** Whether the user may do what concerns all data, such as a reset. */
  readonly isAdmin: boolean;
  /** Differs between users who may see different records. */
  readonly mark: string;
  of(member: string): MemberPermit;
}

export function meetsPermit({ value }: StoredRecord, allowed: Allowed): boolean {
  return meetsAll(value, allowed);
}

/** Tells which records a user may read, for those who judge what the user writes. */
export function mayReadBy(permit: StorePermit): MayRead {
  return (name, record) => meetsPermit(record, permit.of(name).read);
}

/** Whether a permit leaves writes to a member as they are. */
export function isUnlimited({ read, write, owner, fixed }: MemberPermit): boolean {
  return read === undefined && write === undefined && owner === undefined && fixed.length === 0;
}

export function accessDenied(reason: string): StandinError {
  return new StandinError("ACCESS_DENIED", reason);
}

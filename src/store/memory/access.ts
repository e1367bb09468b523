import type { Eventually } from "../../base/eventually.ts";
import type { WorkAccount } from "../../base/work-account.ts";
import type { Filter } from "../../query/query.ts";
import type { StoredRecord } from "../stored-record.ts";

/** A way to read only the records that may meet certain conditions. */
export interface Access {
  readonly name: string;
  /** The filters that all its records meet, so that they need no test. */
  readonly meets: readonly Filter[];
  /** Whether all its records contain the text of `q`. */
  readonly meetsSearch?: boolean;
  /** The maximum number of its records, or of tests of records that take as long. */
  readonly estimate: number;
  /** Whether `estimate` is the exact number of its records. */
  readonly isExact: boolean;
  /** The records, in the order of the collection. */
  collect(account: WorkAccount | undefined): Eventually<readonly StoredRecord[]>;
  /** A part of the records, where it can be read without collecting all. */
  slice?(from: number, to: number): readonly StoredRecord[];
}

/** An access with more than this share of the records is no faster than a scan. */
const WORTHWHILE_SHARE = 0.5;

/** Whether reading so many records is faster than testing all of a collection. */
export function isWorthwhile(estimate: number, { size }: { readonly size: number }): boolean {
  return estimate <= size * WORTHWHILE_SHARE;
}

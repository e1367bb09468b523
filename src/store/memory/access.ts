import type { Filter } from "../../query/query.ts";
import type { StoredRecord } from "../stored-record.ts";

/** A way to read only the records that may meet certain conditions. */
export interface Access {
  readonly name: string;
  /** The filters that all its records meet, so that they need no test. */
  readonly meets: readonly Filter[];
  /** The maximum number of its records. */
  readonly estimate: number;
  /** Whether `estimate` is their exact number. */
  readonly isExact: boolean;
  /** The records, in the order of the collection. */
  collect(): readonly StoredRecord[];
  /** A part of the records, where it can be read without collecting all. */
  slice?(from: number, to: number): readonly StoredRecord[];
  /** The JSON texts of all records, separated by commas, where they are stored that way. */
  joined?(): string | undefined;
}

export interface RecordEdit {
  /** The collection or singleton. */
  readonly name: string;
  readonly kind: "created" | "changed" | "removed";
  readonly id: string | number | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One write in events; `reset` instead of edits if all data was replaced at once. */
export interface DataChange {
  readonly version: number;
  readonly time: string;
  readonly edits?: readonly RecordEdit[];
  readonly reset?: true;
}

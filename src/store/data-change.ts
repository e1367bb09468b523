export interface RecordEdit {
  /** The collection or singleton. */
  readonly name: string;
  readonly kind: "created" | "changed" | "removed";
  readonly id: string | number | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A collection or singleton that was created, renamed or removed as a whole. */
export interface CollectionEdit {
  readonly name: string;
  readonly kind: "created" | "renamed" | "removed";
  /** Of a new one. */
  readonly type?: "collection" | "singleton";
  /** The new name of a renamed one. */
  readonly to?: string;
}

/** One write in events; `reset` instead of edits if all data was replaced at once. */
export interface DataChange {
  readonly version: number;
  readonly time: string;
  readonly edits?: readonly RecordEdit[];
  /** Instead of edits, if a collection came, went or got another name. */
  readonly collection?: CollectionEdit;
  readonly reset?: true;
}

/** A guess about a recorded API, and what in the traffic led to it. */
export interface Reason {
  /** A path or a collection. */
  readonly about: string;
  readonly guess: "path" | "list" | "id" | "records" | "query" | "examples";
  readonly value: string;
  readonly because: string;
}

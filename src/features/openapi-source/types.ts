import type { BoundOperation } from "../../openapi/bind/binding.ts";

/** Something that was guessed about a collection, and what in the document led to it. */
export interface Evidence {
  readonly guess:
    | "path"
    | "list"
    | "records"
    | "data"
    | "id"
    | "new ids"
    | "relation"
    | "place"
    | "query"
    | "ignored"
    | "effect";
  readonly value: string;
  readonly because: string;
  /** Set where the guess is about one operation. */
  readonly bound?: BoundOperation;
}

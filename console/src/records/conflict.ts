import type { JsonObject } from "../api/json.ts";

/** A record as it was read: what it held, and the tag by which the server knows that state. */
export interface ReadRecord {
  readonly value: JsonObject;
  readonly etag: string | undefined;
}

/** The record was changed elsewhere. `theirs` is undefined if it was removed. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  readonly theirs: ReadRecord | undefined;

  constructor(theirs: ReadRecord | undefined) {
    super("The record has changed in the meantime.");
    this.theirs = theirs;
  }
}

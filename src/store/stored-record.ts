import type { Json } from "../json.ts";
import { stringifyInPieces } from "../large-json/stringify.ts";
import type { Work } from "../slices.ts";

/** A record as a store holds it. Never changed once made: a write puts another in its place. */
export class StoredRecord {
  readonly value: Json;
  /** The version of the state that wrote it; what its ETag is made of. */
  readonly version: number;
  /** Its place in the order of the collection; kept when it is replaced. */
  readonly slot: number;
  #text: string | undefined;

  /** `text` is its compact JSON, where that is at hand. */
  constructor(value: Json, version: number, slot: number, text?: string) {
    this.value = value;
    this.version = version;
    this.slot = slot;
    this.#text = text;
  }

  /** Makes its text beforehand, with pauses where that takes long. */
  *renderText(): Work<void> {
    this.#text ??= yield* stringifyInPieces(this.value);
  }

  /** Its compact JSON, made on first use and kept: a record is sent more often than it is written. */
  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }
}

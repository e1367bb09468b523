import { isJsonObject, type Json } from "../../../json.ts";
import { searchedTexts } from "../../../query/search.ts";
import { encodeBody, encodeSearched } from "./coded-text.ts";
import { isPlain, traitsOf } from "./collection-traits.ts";

/** A record as its table holds it, and what it tells of its collection. */
export interface Row {
  /** Its own text, fields in their order. */
  readonly body: string;
  /** What queries look into. */
  readonly doc: string;
  /** Every text that a search would look into. */
  readonly search: string;
  /** Whether it is ASCII alone, so that the database judges patterns as we do. */
  readonly plain: boolean;
  readonly traits: number;
  readonly keys: readonly string[];
}

export function createRow(value: Json, body = JSON.stringify(value)): Row {
  return {
    body,
    doc: encodeBody(value, body),
    // The text of a record that is no object is nobody's field.
    search: typeof value === "object" ? encodeSearched(searchedTexts(value)) : "",
    plain: isPlain(body),
    traits: traitsOf(value, body),
    keys: isJsonObject(value) ? Object.keys(value) : [],
  };
}

/** What all rows of a collection together tell of it. */
export class Census {
  traits = 0;
  readonly keys: Set<string>;

  constructor(keys: Iterable<string> = [], traits = 0) {
    this.keys = new Set(keys);
    this.traits = traits;
  }

  /** Tells whether something is new. */
  count({ traits, keys }: Row): boolean {
    const { size } = this.keys;
    const before = this.traits;
    this.traits |= traits;
    for (const key of keys) this.keys.add(key);
    return this.traits !== before || this.keys.size !== size;
  }
}

import { isJsonObject, type Json, parseJson, stringifyJson } from "../../../base/json/json.ts";
import { searchedTexts } from "../../../query/search.ts";
import { StoredRecord } from "../../stored-record.ts";
import { encodeBody, encodeSearched } from "./coded-text.ts";
import { isPlainBody, TRAIT, traitsOf } from "./collection-traits.ts";

/** A record as a row of its table, with its traits and keys. */
export interface Row {
  /** Its JSON text, with the fields in their order. */
  readonly body: string;
  /** The coded text that queries read. */
  readonly doc: string;
  /** All texts that `q` searches. */
  readonly search: string;
  /** Whether it is plain ASCII and has only numbers that doubles have, so that the database compares as we do. */
  readonly plain: boolean;
  readonly traits: number;
  readonly keys: readonly string[];
}

export function rowOf(value: Json, body = stringifyJson(value)): Row {
  const traits = traitsOf(value, body);
  return {
    body,
    doc: encodeBody(value, body),
    // `q` searches fields, and only objects and arrays have them.
    search: typeof value === "object" ? encodeSearched(searchedTexts(value)) : "",
    plain: isPlainBody(body) && (traits & TRAIT.exactNumbers) === 0,
    traits,
    keys: isJsonObject(value) ? Object.keys(value) : [],
  };
}

/** The traits and keys of all rows of a collection. */
export class CollectionProfile {
  traits = 0;
  readonly keys: Set<string>;

  constructor(keys: Iterable<string> = [], traits = 0) {
    this.keys = new Set(keys);
    this.traits = traits;
  }

  /** Adds a row; returns whether that changed the profile. */
  add({ traits, keys }: Row): boolean {
    const { size } = this.keys;
    const before = this.traits;
    this.traits |= traits;
    for (const key of keys) this.keys.add(key);
    return this.traits !== before || this.keys.size !== size;
  }
}

/** A record as a query selects it. The driver gives numbers of 64 bits as texts. */
export interface RecordRow {
  readonly slot: string;
  readonly version: string;
  readonly body: string;
}

/** The facts about a member that come with every row of a search in it. */
export interface FactsRow {
  readonly edition: string;
  /** Only where a stamp is asked for. */
  readonly versions?: string;
}

/** A row of a search: a record, or none where nothing was found. */
export type FoundRow = FactsRow & { readonly total: string | null; readonly text?: string | null } & (
    | RecordRow
    | { readonly slot: null; readonly version: null; readonly body: null }
  );

export function recordsIn(rows: readonly FoundRow[]): StoredRecord[] {
  return rows.flatMap((row) => (row.body === null ? [] : recordFromRow(row)));
}

export function recordFromRow({ slot, version, body }: RecordRow): StoredRecord {
  return new StoredRecord(parseJson(body), Number(version), Number(slot), body);
}

/** Reads a singleton from its row of `members`. */
export function singletonFromRow({ version, body }: Omit<RecordRow, "slot">): StoredRecord {
  return new StoredRecord(parseJson(body), Number(version), 0, body);
}

import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Change, StoreEvent } from "../store.ts";
import { type EditedRecords, StoredRecord } from "../stored-record.ts";

/** A violation, as far as it matters here. */
interface Violated {
  readonly pointer: unknown;
  readonly given?: Json;
}

/** A field of one collection that can be written, but that no reader may see. */
export class Seal {
  readonly collection: string;
  readonly field: string;
  readonly #sealed = new WeakMap<StoredRecord, StoredRecord>();
  readonly #whole = new WeakMap<StoredRecord, StoredRecord>();

  constructor(collection: string, field: string) {
    this.collection = collection;
    this.field = field;
  }

  without(value: Json): Json {
    if (!isJsonObject(value) || !Object.hasOwn(value, this.field)) return value;
    const { [this.field]: _, ...others } = value;
    return others;
  }

  /** A new value with the field of the old one, unless it has one itself. */
  carriedOver(before: Json, value: Json): Json {
    const { field } = this;
    if (!isJsonObject(before) || !isJsonObject(value)) return value;
    return Object.hasOwn(before, field) && !Object.hasOwn(value, field)
      ? { ...value, [field]: before[field] ?? null }
      : value;
  }

  /** A record of the collection as readers see it. Its version and place stay, so that its ETag does. */
  record<R extends StoredRecord | undefined>(whole: R, collection = this.collection): R | StoredRecord {
    if (whole === undefined || collection !== this.collection) return whole;
    const known = this.#sealed.get(whole);
    if (known) return known;
    const sealed = new StoredRecord(this.without(whole.value), whole.version, whole.slot);
    this.#sealed.set(whole, sealed);
    this.#whole.set(sealed, whole);
    return sealed;
  }

  /** The record behind a sealed one. */
  whole(record: StoredRecord): StoredRecord {
    return this.#whole.get(record) ?? record;
  }

  edits<E extends EditedRecords & { readonly name: string }>(edits: readonly E[]): readonly E[] {
    if (!edits.some(({ name }) => name === this.collection)) return edits;
    return edits.map((edit) => {
      const { name, before, after } = edit;
      return { ...edit, before: this.record(before, name), after: this.record(after, name) };
    });
  }

  change(change: Change): Change {
    return { ...change, edits: this.edits(change.edits) };
  }

  event(event: StoreEvent): StoreEvent {
    return event.kind === "change" ? { ...event, change: this.change(event.change) } : event;
  }

  /** An error without the values in it that may have the field: violations of rules show what breaks them. */
  error(thrown: unknown): unknown {
    if (!(thrown instanceof StandinError)) return thrown;
    const pointer = `/${this.field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return thrown.withErrors((entry) => {
      if (typeof entry !== "object" || entry === null || !("pointer" in entry)) return entry;
      const { given, ...others } = entry as Violated;
      if (given === undefined) return entry;
      if (entry.pointer === "") return { ...others, given: this.without(given) };
      return `${entry.pointer}/`.startsWith(`${pointer}/`) ? others : entry;
    });
  }

  /** All data as an object, such as a snapshot. */
  database<D extends { readonly [name: string]: Json }>(database: D): D {
    const records = database[this.collection];
    if (!Array.isArray(records)) return database;
    return { ...database, [this.collection]: records.map((record) => this.without(record)) };
  }
}

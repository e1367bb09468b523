import { type Json, type JsonObject, ownValue } from "../../api/json.ts";

/** A field of the records in sight, and the collection that it refers to. */
export interface ReferenceField {
  readonly field: string;
  readonly to: string;
}

/** Fetches the display names of records by their ids; ids that are not there are missing in the result. */
export type FetchLabels = (to: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string | undefined>>;

/** The name of a referenced record: unknown yet, found (with or without a name), or not there. */
export type Label = { readonly kind: "found"; readonly name: string | undefined } | { readonly kind: "missing" };

/**
 * The names of referenced records: one request for each collection that a window of records refers to, and none for what is
 * known. After a change of the data, names stay visible until they are fetched again.
 */
export class ReferenceLabels {
  readonly #fetch: FetchLabels;
  readonly #changed: () => void;
  readonly #labels = new Map<string, Map<string, Label>>();
  /** Asked for since the data changed last; by collection. */
  readonly #asked = new Map<string, Set<string>>();

  constructor(fetchLabels: FetchLabels, changed: () => void) {
    this.#fetch = fetchLabels;
    this.#changed = changed;
  }

  /** Undefined while it is not known. */
  of(to: string, id: string): Label | undefined {
    return this.#labels.get(to)?.get(id);
  }

  /** Fetches the names that records need. */
  look(records: readonly JsonObject[], references: readonly ReferenceField[]): void {
    const wanted = new Map<string, string[]>();
    for (const { field, to } of references) {
      const asked = at(this.#asked, to, () => new Set<string>());
      const ids = at(wanted, to, () => []);
      for (const record of records) {
        const id = idIn(ownValue(record, field));
        if (id === undefined || asked.has(id)) continue;
        asked.add(id);
        ids.push(id);
      }
    }
    for (const [to, ids] of wanted) if (ids.length > 0) void this.#load(to, ids);
  }

  /** Everything may have changed. */
  refresh(): void {
    this.#asked.clear();
  }

  async #load(to: string, ids: readonly string[]): Promise<void> {
    const asked = this.#asked.get(to);
    try {
      const names = await this.#fetch(to, ids);
      // A response to a request from before a change may be outdated.
      if (asked !== this.#asked.get(to)) return;
      const labels = at(this.#labels, to, () => new Map<string, Label>());
      for (const id of ids) {
        labels.set(id, names.has(id) ? { kind: "found", name: names.get(id) } : { kind: "missing" });
      }
      this.#changed();
    } catch {
      // The ids alone have to do.
    }
  }
}

/** The id in a foreign key. */
export function idIn(value: Json | undefined): string | undefined {
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;
}

function at<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

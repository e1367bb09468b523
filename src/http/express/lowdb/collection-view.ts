import type { Json } from "../../../base/json/json.ts";
import { type Id, idOf, lookupKey } from "../../../store/ids.ts";
import type { ValueEdit } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import { mergeRow } from "./merge-row.ts";
import { asJson, copyJson, sameJson } from "./same-json.ts";

export interface CollectionViewOptions {
  readonly name: string;
  /** May become another one. */
  readonly idKey: () => string;
  readonly records: readonly StoredRecord[];
  /** Existing rows of these records, in their order. */
  readonly rows?: readonly unknown[] | undefined;
}

/** One collection as an array of plain objects. Remembers the record of each row, to find out later what was changed. */
export class CollectionView {
  readonly name: string;
  readonly #idKey: () => string;
  #records: readonly StoredRecord[];
  /** The row of each record, at its position. */
  #rows: unknown[];

  constructor({ name, idKey, records, rows }: CollectionViewOptions) {
    this.name = name;
    this.#idKey = idKey;
    // The store modifies its own array in place.
    this.#records = records.slice();
    this.#rows = rows?.slice() ?? records.map((record) => copyJson(record.value));
  }

  get idKey(): string {
    return this.#idKey();
  }

  get size(): number {
    return this.#rows.length;
  }

  /** A new array of the rows, which users may change. */
  show(): unknown[] {
    return this.#rows.slice();
  }

  /** Whether an array has exactly these rows. */
  isShownIn(shown: readonly unknown[]): boolean {
    return hasSameElements(shown, this.#rows);
  }

  /** Whether an array has any of these rows. */
  hasRowsOf(shown: readonly unknown[]): boolean {
    const rows = new Set(this.#rows);
    return shown.some((row) => rows.has(row));
  }

  /** Applies changes of the store to the array and the rows that users hold. */
  follow(records: readonly StoredRecord[], shown: unknown[]): void {
    const rows = this.#followedRows(records);
    const wasUntouched = hasSameElements(shown, this.#rows);
    if (wasUntouched) {
      shown.length = rows.length;
      for (let at = 0; at < rows.length; at++) if (shown[at] !== rows[at]) shown[at] = rows[at];
    } else {
      const before = new Set(this.#rows);
      const after = new Set(rows);
      const remaining = shown.filter((row) => !before.has(row) || after.has(row));
      const added = rows.filter((row) => !before.has(row));
      shown.splice(0, shown.length);
      for (const row of [...remaining, ...added]) shown.push(row);
    }
    this.#records = records.slice();
    this.#rows = rows;
  }

  /** The edits that turn the records into the rows shown; undefined where records were moved or ids clash. */
  editsTowards(shown: readonly unknown[]): ValueEdit[] | undefined {
    if (hasSameElements(shown, this.#rows) && this.#records.every(({ value }, at) => sameJson(shown[at], value)))
      return [];
    const matched = this.#match(shown);
    if (!matched) return undefined;
    const { name } = this;
    const edits: ValueEdit[] = [];
    const removed: ValueEdit[] = [];
    const appended: ValueEdit[] = [];
    const ids = new Set<Id>();
    let next = 0;
    for (const [at, row] of shown.entries()) {
      const from = matched[at]!;
      if (from === NEW) {
        const value = asJson(row) ?? null;
        const id = idOf(value, this.idKey);
        if (id !== undefined && ids.has(lookupKey(id))) return undefined;
        if (id !== undefined) ids.add(lookupKey(id));
        appended.push({ name, value });
        continue;
      }
      // Moved, or after a new row.
      if (from < next || appended.length > 0) return undefined;
      for (; next < from; next++) removed.push({ name, before: this.#records[next]! });
      next = from + 1;
      const before = this.#records[from]!;
      const id = idOf(before.value, this.idKey);
      if (id !== undefined) ids.add(lookupKey(id));
      if (sameJson(row, before.value)) continue;
      const value = asJson(row, before.value) ?? null;
      if (id === undefined || idOf(value, this.idKey) !== id) return undefined;
      edits.push({ name, before, value });
    }
    for (; next < this.#records.length; next++) removed.push({ name, before: this.#records[next]! });
    return [...edits, ...removed, ...appended];
  }

  /** The rows shown as JSON, with all digits of their records' numbers. */
  toJson(shown: readonly unknown[]): Json {
    const matched = this.#match(shown);
    return shown.map((row, at) => asJson(row, this.#records[matched?.[at] ?? at]?.value) ?? null);
  }

  /** The position of each row's record; undefined where two rows have the same record. */
  #match(shown: readonly unknown[]): number[] | undefined {
    const count = Math.min(shown.length, this.#rows.length);
    let same = 0;
    while (same < count && shown[same] === this.#rows[same]) same++;
    const matched = Array.from({ length: same }, (_, at) => at);
    if (same === shown.length) return matched;
    const byRow = new Map<unknown, number>();
    const byId = new Map<Id, number>();
    for (let at = same; at < this.#rows.length; at++) {
      const id = idOf(this.#records[at]!.value, this.idKey);
      byRow.set(this.#rows[at], at);
      if (id !== undefined && !byId.has(lookupKey(id))) byId.set(lookupKey(id), at);
    }
    const taken = new Set<number>();
    for (let at = same; at < shown.length; at++) {
      const row = shown[at];
      const id = idOf(row as Json, this.idKey);
      const from = byRow.get(row) ?? (id === undefined ? this.#equalAt(at, row) : byId.get(lookupKey(id)));
      if (from !== undefined && taken.has(from)) return undefined;
      if (from !== undefined) taken.add(from);
      matched.push(from ?? NEW);
    }
    return matched;
  }

  /** The same position if its record equals the row; undefined otherwise. */
  #equalAt(at: number, row: unknown): number | undefined {
    const record = this.#records[at];
    return record && sameJson(row, record.value) ? at : undefined;
  }

  /** The rows of the new records: the same objects for records that remain. */
  #followedRows(records: readonly StoredRecord[]): unknown[] {
    const known = this.#records;
    const rows: unknown[] = [];
    let same = 0;
    while (same < records.length && records[same] === known[same]) rows.push(this.#rows[same++]);
    if (same === records.length) return rows;
    const byRecord = new Map<StoredRecord, number>();
    const byId = new Map<Id, number>();
    for (let at = same; at < known.length; at++) {
      const id = idOf(known[at]!.value, this.idKey);
      byRecord.set(known[at]!, at);
      if (id !== undefined && !byId.has(lookupKey(id))) byId.set(lookupKey(id), at);
    }
    for (let at = same; at < records.length; at++) {
      const record = records[at]!;
      const unchanged = byRecord.get(record);
      const id = idOf(record.value, this.idKey);
      const position = unchanged ?? (id === undefined ? undefined : byId.get(lookupKey(id)));
      if (unchanged !== undefined) rows.push(this.#rows[unchanged]);
      else if (position === undefined) rows.push(copyJson(record.value));
      else rows.push(mergeRow(this.#rows[position], known[position]!.value, record.value));
    }
    return rows;
  }
}

const NEW = -1;

function hasSameElements(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((element, at) => element === other[at]);
}

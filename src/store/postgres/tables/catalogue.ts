import type { Path } from "../../../query/path.ts";
import type { Member } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { decodeText } from "./coded-text.ts";
import { TRAIT } from "./collection-traits.ts";
import { KEPT_KEY, type MetaRow, type StoredIdKeys } from "./stored-id-keys.ts";

/** A member as the catalogue knows it; the database may be ahead. */
export interface KnownMember {
  readonly name: string;
  readonly kind: Member["kind"] | "aside";
  readonly number: number;
  /** The quoted name of the table of its records. */
  readonly table: string;
  readonly count: number;
  /** The primary key field of its records. */
  readonly idKey: string;
  /** If the database has another edition, this entry is outdated. */
  readonly edition: string;
  readonly traits: number;
  readonly keys: ReadonlySet<string>;
  /** The columns with the sort keys of indexed paths, by path. */
  readonly sortColumns: ReadonlyMap<string, string>;
}

export function tableName(number: number): string {
  return `records_${number}`;
}

export function hasTrait(member: KnownMember, trait: keyof typeof TRAIT): boolean {
  return (member.traits & TRAIT[trait]) !== 0;
}

/** Whether the path is a field of the record itself, and no property of texts and arrays. */
export function isField({ text, segments }: Path): boolean {
  return segments.length === 1 && segments[0] === text && !isPosition(text);
}

export function isPosition(segment: string): boolean {
  return segment === "length" || /^(0|[1-9]\d*)$/.test(segment);
}

type RunQuery = <T>(statement: (sql: Sql) => Promise<T>) => Promise<T>;

/** The members and the tables of their records, read from the database, and again when that proves outdated. */
export class Catalogue {
  readonly #query: RunQuery;
  readonly #idKeys: StoredIdKeys;
  #members = new Map<string, KnownMember>();
  /** Changes when all data is replaced. */
  load = "";
  #isAnnouncing = false;
  #reading: Promise<void> | undefined;

  constructor(query: RunQuery, idKeys: StoredIdKeys) {
    this.#query = query;
    this.#idKeys = idKeys;
  }

  get(name: string): KnownMember | undefined {
    return this.#members.get(name);
  }

  get members(): IterableIterator<KnownMember> {
    return this.#members.values();
  }

  /** Whether any process has requested announcements of all changes. */
  get isAnnouncing(): boolean {
    return this.#isAnnouncing;
  }

  /** From now on, changes are announced. */
  announce(): void {
    this.#isAnnouncing = true;
  }

  /** Reads the catalogue. A call during a read may know of a newer change, so another read follows. */
  async refresh(): Promise<void> {
    const before = this.#reading;
    if (before) await before.catch(() => undefined);
    if (this.#reading && this.#reading !== before) return this.#reading;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const [rows, notes] = await this.#query((sql) =>
      Promise.all([
        sql<CatalogueRow[]>`SELECT m.name, m.kind, m.number, m.count, m.edition, m.traits, m.keys,
          (SELECT json_object_agg(o.path, o.name) FROM orders o WHERE o.number = m.number) AS orders
          FROM members m ORDER BY m.position`,
        sql<MetaRow[]>`SELECT key, value FROM meta WHERE key IN ('announce', 'load') OR starts_with(key, ${KEPT_KEY})`,
      ]),
    );
    this.#idKeys.take(notes);
    this.load = notes.find(({ key }) => key === "load")?.value ?? "";
    this.#members = new Map(
      rows.map((row) => {
        const name = decodeText(row.name);
        return [name, memberOf(name, this.#idKeys.of(name), row)];
      }),
    );
    if (notes.some(({ key }) => key === "announce")) this.announce();
  }
}

/** A member as the database has it. */
export interface CatalogueRow extends Pick<KnownMember, "kind" | "number" | "edition" | "traits"> {
  readonly name: string;
  readonly count: string;
  /** A JSON array. */
  readonly keys: string;
  readonly orders: Readonly<Record<string, string>> | null;
}

function memberOf(name: string, idKey: string, row: CatalogueRow): KnownMember {
  return {
    ...row,
    name,
    idKey,
    table: tableName(row.number),
    count: Number(row.count),
    keys: new Set(JSON.parse(row.keys) as string[]),
    sortColumns: new Map(Object.entries(row.orders ?? {})),
  };
}

import type { Path } from "../../../query/path.ts";
import type { Member } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { decodeText } from "./coded-text.ts";
import { TRAIT } from "./collection-traits.ts";

/** What is known here of one member; the database has the last word. */
export interface KnownMember {
  readonly name: string;
  readonly kind: Member["kind"] | "aside";
  readonly number: number;
  /** The quoted name of the table of its records. */
  readonly table: string;
  readonly count: number;
  /** Another edition: the rest of this is no longer true. */
  readonly edition: string;
  readonly traits: number;
  readonly keys: ReadonlySet<string>;
  /** By path, the column that holds the sort key of its value. */
  readonly orders: ReadonlyMap<string, string>;
}

export function tableName(number: number): string {
  return `records_${number}`;
}

export function has(member: KnownMember, trait: keyof typeof TRAIT): boolean {
  return (member.traits & TRAIT[trait]) !== 0;
}

/** Whether the path is a field of the record itself that no text or array has by nature. */
export function isField({ text, segments }: Path): boolean {
  return segments.length === 1 && segments[0] === text && !isPosition(text);
}

export function isPosition(segment: string): boolean {
  return segment === "length" || /^(0|[1-9]\d*)$/.test(segment);
}

/** How a question reaches the database. */
type Asking = <T>(question: (sql: Sql) => Promise<T>) => Promise<T>;

/** Which members there are and where their records lie. Read from the database; read again when it proves outdated. */
export class Catalogue {
  readonly #ask: Asking;
  #members = new Map<string, KnownMember>();
  #isAnnouncing = false;
  #reading: Promise<void> | undefined;

  constructor(ask: Asking) {
    this.#ask = ask;
  }

  get(name: string): KnownMember | undefined {
    return this.#members.get(name);
  }

  get members(): IterableIterator<KnownMember> {
    return this.#members.values();
  }

  /** Whether some process wants to hear of every change. */
  get isAnnouncing(): boolean {
    return this.#isAnnouncing;
  }

  /** Whoever asks while it is being read might have learnt of something newer, so another reading follows. */
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
    const [rows, wishes] = await this.#ask((sql) =>
      Promise.all([
        sql`SELECT m.name, m.kind, m.number, m.count, m.edition, m.traits, m.keys,
          (SELECT json_object_agg(o.path, o.name) FROM orders o WHERE o.number = m.number) AS orders
          FROM members m ORDER BY m.position`,
        sql`SELECT FROM meta WHERE key = 'announce'`,
      ]),
    );
    this.#members = new Map(rows.map((row) => [decodeText(row.name as string), memberOf(row)]));
    this.#isAnnouncing = wishes.length > 0;
  }
}

function memberOf(row: Record<string, unknown>): KnownMember {
  const number = Number(row.number);
  return {
    name: decodeText(row.name as string),
    kind: row.kind as KnownMember["kind"],
    number,
    table: tableName(number),
    count: Number(row.count),
    edition: String(row.edition),
    traits: Number(row.traits),
    keys: new Set(JSON.parse(row.keys as string) as string[]),
    orders: new Map(Object.entries((row.orders ?? {}) as Record<string, string>)),
  };
}

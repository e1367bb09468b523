import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredRecord } from "../../stored-record.ts";

/** The most records to read at once. */
const MAX_TOGETHER = 100;

type Records = ReadonlyMap<string, StoredRecord>;

/** Reads the records of these ids. */
export type ReadRecords = (collection: string, ids: readonly string[]) => Promise<Records>;

/** Reads that are about to be sent. */
interface Gathering {
  readonly ids: Set<string>;
  readonly records: Promise<Records>;
}

/**
 * Reads single records. While others are under way, all that are requested in one turn of the event loop share a statement:
 * sending it and receiving the result cost more than finding a record. A read by itself is sent at once.
 */
export class GatheredReads {
  readonly #read: ReadRecords;
  readonly #gathering = new Map<string, Gathering>();
  #underWay = 0;

  constructor(read: ReadRecords) {
    this.#read = read;
  }

  async get(collection: string, id: string): Promise<StoredRecord | undefined> {
    if (this.#underWay === 0) return (await this.#send(collection, [id])).get(id);
    let gathering = this.#gathering.get(collection);
    if (!gathering || gathering.ids.size === MAX_TOGETHER) gathering = this.#gather(collection);
    gathering.ids.add(id);
    return (await gathering.records).get(id);
  }

  #gather(collection: string): Gathering {
    const ids = new Set<string>();
    const records = nextTurn().then(() => {
      if (this.#gathering.get(collection) === gathering) this.#gathering.delete(collection);
      return this.#send(collection, [...ids]);
    });
    const gathering = { ids, records };
    this.#gathering.set(collection, gathering);
    return gathering;
  }

  async #send(collection: string, ids: readonly string[]): Promise<Records> {
    this.#underWay++;
    try {
      return await this.#read(collection, ids);
    } finally {
      this.#underWay--;
    }
  }
}

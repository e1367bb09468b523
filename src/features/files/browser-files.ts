import {
  begin,
  completionOf,
  type IdbDatabase,
  type IdbTransaction,
  openFileDatabase,
  resultOf,
} from "../../store/indexeddb/idb.ts";
import { refuseWrite } from "../../store/indexeddb/refuse-write.ts";
import type { ByteRange, FileLimits, FileStore, KeptFile, WrittenFile } from "./file-store.ts";
import { Measure, type Room } from "./measure.ts";

interface StoredContent extends KeptFile {
  readonly content: Blob;
}

interface BrowserFilesParts {
  /** Of the data that the files belong to. */
  readonly name: string;
  readonly durability: "strict" | "relaxed";
  readonly now: () => number;
}

/**
 * Files in the storage of a browser, in a database beside that of the data. It is opened when a file is first needed: a
 * worker that wakes up for a record does not wait for it.
 */
export class BrowserFiles implements FileStore {
  readonly #name: string;
  readonly #durability: BrowserFilesParts["durability"];
  readonly #now: () => number;
  readonly #room: Room = { bytes: 0 };
  #opening: Promise<IdbDatabase> | undefined;

  constructor({ name, durability, now }: BrowserFilesParts) {
    this.#name = name;
    this.#durability = durability;
    this.#now = now;
  }

  async write(content: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<WrittenFile> {
    await this.#open();
    const measure = new Measure(limits, this.#room);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    try {
      for await (const piece of content) {
        measure.take(piece);
        pieces.push(piece.slice());
      }
      const written = measure.end();
      const { sha256, size } = written;
      const isKnown = await this.#change(async (transaction) => {
        const held = await find(transaction, sha256);
        const blob = held?.content ?? new Blob(pieces);
        put(transaction, { sha256, size, usedAt: this.#now(), content: blob });
        return held !== undefined;
      });
      if (isKnown) measure.giveBack();
      return written;
    } catch (thrown) {
      measure.giveBack();
      throw thrown;
    }
  }

  async open(sha256: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const content = (await find(await this.#begin(), sha256))?.content;
    return content && blobPieces(range ? content.slice(range.first, range.last + 1) : content);
  }

  async find(sha256: string): Promise<KeptFile | undefined> {
    return find(await this.#begin(), sha256);
  }

  async renew(sha256: string): Promise<void> {
    await this.#change(async (transaction) => {
      const held = await find(transaction, sha256);
      if (held) put(transaction, { ...held, usedAt: this.#now() });
    });
  }

  async list(): Promise<readonly KeptFile[]> {
    return listed(await this.#begin());
  }

  /** Nothing is set aside in a browser: its storage is small. */
  async remove(sha256: string, before: number): Promise<boolean> {
    return this.#change(async (transaction) => {
      const held = await find(transaction, sha256);
      if (!held || held.usedAt >= before) return false;
      transaction.objectStore("files").delete(sha256);
      this.#room.bytes -= held.size;
      return true;
    });
  }

  async aside(): Promise<readonly string[]> {
    return [];
  }

  async recall(): Promise<boolean> {
    return false;
  }

  async forget(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {
    (await this.#opening)?.close();
  }

  async #open(): Promise<IdbDatabase> {
    this.#opening ??= openFileDatabase(this.#name).then(async (database) => {
      const files = await listed(begin(database, this.#durability, ["files"]));
      this.#room.bytes = files.reduce((sum, { size }) => sum + size, 0);
      return database;
    });
    try {
      return await this.#opening;
    } catch (thrown) {
      this.#opening = undefined;
      throw thrown;
    }
  }

  async #begin(): Promise<IdbTransaction> {
    return begin(await this.#open(), this.#durability, ["files"]);
  }

  async #change<T>(work: (transaction: IdbTransaction) => Promise<T>): Promise<T> {
    try {
      const transaction = await this.#begin();
      const done = completionOf(transaction);
      const result = await work(transaction);
      await done;
      return result;
    } catch (thrown) {
      return refuseWrite(thrown);
    }
  }
}

async function find(transaction: IdbTransaction, sha256: string): Promise<StoredContent | undefined> {
  return (await resultOf(transaction.objectStore("files").get(sha256))) as StoredContent | undefined;
}

async function listed(transaction: IdbTransaction): Promise<readonly StoredContent[]> {
  return (await resultOf(transaction.objectStore("files").getAll())) as StoredContent[];
}

function put(transaction: IdbTransaction, content: StoredContent): void {
  transaction.objectStore("files").put(content);
}

/** Not every browser iterates over a stream. */
export async function* blobPieces(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

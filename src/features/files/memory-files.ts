import type { ByteRange, FileLimits, FileStore, KeptFile, WrittenFile } from "./file-store.ts";
import { Measure, type Room } from "./measure.ts";

interface Content extends KeptFile {
  readonly pieces: readonly Uint8Array[];
  usedAt: number;
}

/** Files of a server that saves nothing. */
export class MemoryFiles implements FileStore {
  readonly #contents = new Map<string, Content>();
  readonly #room: Room = { bytes: 0 };
  readonly #now: () => number;
  readonly #begin: (() => void) | undefined;

  /** `begin` is called with the first file. */
  constructor(now: () => number, begin?: () => void) {
    this.#now = now;
    this.#begin = begin;
  }

  async write(content: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<WrittenFile> {
    const measure = new Measure(limits, this.#room);
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of content) {
        measure.take(piece);
        pieces.push(piece.slice());
      }
    } catch (thrown) {
      measure.giveBack();
      throw thrown;
    }
    const written = measure.end();
    const { sha256, size } = written;
    if (this.#contents.has(sha256)) measure.giveBack();
    if (this.#contents.size === 0) this.#begin?.();
    this.#contents.set(sha256, { sha256, size, pieces, usedAt: this.#now() });
    return written;
  }

  async open(sha256: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const content = this.#contents.get(sha256);
    return content && partOf(content.pieces, range ?? { first: 0, last: content.size - 1 });
  }

  async find(sha256: string): Promise<KeptFile | undefined> {
    return this.#contents.get(sha256);
  }

  async renew(sha256: string): Promise<void> {
    const content = this.#contents.get(sha256);
    if (content) content.usedAt = this.#now();
  }

  async list(): Promise<readonly KeptFile[]> {
    return [...this.#contents.values()];
  }

  async remove(sha256: string, before: number): Promise<boolean> {
    const content = this.#contents.get(sha256);
    if (!content || content.usedAt >= before) return false;
    this.#room.bytes -= content.size;
    return this.#contents.delete(sha256);
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
    this.#contents.clear();
  }
}

async function* partOf(pieces: readonly Uint8Array[], { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const piece of pieces) {
    const part = piece.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += piece.length;
    if (part.length > 0) yield part;
  }
}

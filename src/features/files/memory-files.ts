import type { ByteRange, FileLimits, FileStore, KeptFile, WrittenFile } from "./file-store.ts";
import { Measure } from "./measure.ts";

interface Content {
  readonly pieces: readonly Uint8Array[];
  readonly size: number;
  readonly writtenAt: number;
}

/** Files of a server that saves nothing. */
export class MemoryFiles implements FileStore {
  readonly isKept = false;
  readonly #contents = new Map<string, Content>();
  readonly #now: () => number;
  #bytes = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  async write(content: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<WrittenFile> {
    const measure = new Measure(limits, this.#bytes);
    const pieces: Uint8Array[] = [];
    for await (const piece of content) {
      measure.take(piece);
      pieces.push(piece.slice());
    }
    const written = measure.end();
    const { sha256, size } = written;
    if (!this.#contents.has(sha256)) this.#bytes += size;
    this.#contents.set(sha256, { pieces, size, writtenAt: this.#now() });
    return written;
  }

  async open(sha256: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const content = this.#contents.get(sha256);
    return content && partOf(content.pieces, range ?? { first: 0, last: content.size - 1 });
  }

  async sizeOf(sha256: string): Promise<number | undefined> {
    return this.#contents.get(sha256)?.size;
  }

  async list(): Promise<readonly KeptFile[]> {
    return [...this.#contents].map(([sha256, { size, writtenAt }]) => ({ sha256, size, writtenAt }));
  }

  async remove(sha256: string): Promise<boolean> {
    this.#bytes -= this.#contents.get(sha256)?.size ?? 0;
    return this.#contents.delete(sha256);
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

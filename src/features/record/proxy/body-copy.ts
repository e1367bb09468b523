import { decompress } from "../../../http/body/decompress-body.ts";

/** A copy of a body that streams by. Too long a body is let go, so that memory stays bounded. */
export class BodyCopy {
  /** The bytes that went by. */
  bytes = 0;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isTooLong(): boolean {
    return this.bytes > this.#maxBytes;
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.isTooLong) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** The text, decompressed; undefined for none, for one that is too long, and for bytes that are no text. */
  async text(encoding = ""): Promise<string | undefined> {
    if (this.bytes === 0 || this.isTooLong) return undefined;
    try {
      let bytes: Buffer = Buffer.concat(this.#chunks);
      // Encodings are listed in the order in which they were applied.
      for (const one of encoding.split(",").reverse()) bytes = await decompress(bytes, one, this.#maxBytes);
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }
}

import { StandinError } from "../../base/errors.ts";
import { createHash } from "../../base/platform/crypto.ts";
import { type FileLimits, HEAD_BYTES, type WrittenFile } from "./file-store.ts";

/** The bytes of all files together, those that are arriving among them. */
export interface Room {
  bytes: number;
}

/** Hashes content while it passes, keeps its first bytes, and ends it where it gets too large. */
export class Measure {
  readonly #hash = createHash("sha256");
  readonly #limits: FileLimits;
  readonly #room: Room;
  readonly #head = new Uint8Array(HEAD_BYTES);
  #size = 0;

  constructor(limits: FileLimits, room: Room) {
    this.#limits = limits;
    this.#room = room;
  }

  take(piece: Uint8Array): void {
    if (this.#size < HEAD_BYTES) this.#head.set(piece.subarray(0, HEAD_BYTES - this.#size), this.#size);
    this.#size += piece.length;
    this.#room.bytes += piece.length;
    this.#hash.update(piece);
    const { maxBytes, maxTotalBytes } = this.#limits;
    if (this.#size > maxBytes) throw fileTooLarge(maxBytes);
    if (this.#room.bytes > maxTotalBytes) throw filesFull(maxTotalBytes);
  }

  /** Gives the room back: the content is not kept, or was there before. */
  giveBack(): void {
    this.#room.bytes -= this.#size;
  }

  end(): WrittenFile {
    const head = this.#head.slice(0, Math.min(this.#size, HEAD_BYTES));
    return { sha256: this.#hash.digest("hex"), size: this.#size, head };
  }
}

export function fileTooLarge(maxBytes: number): StandinError {
  return new StandinError(
    "FILE_TOO_LARGE",
    `A file may have at most ${maxBytes} bytes. Send a smaller one, or start the server with a larger --max-file-bytes.`,
  );
}

function filesFull(maxTotalBytes: number): StandinError {
  return new StandinError(
    "FILES_FULL",
    `The stored files may have at most ${maxTotalBytes} bytes together. Remove records with files that are not ` +
      "needed, and run standin files clean.",
  );
}

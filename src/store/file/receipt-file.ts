import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { removeTemporaries, writeAtomically } from "../../base/files/atomic-write.ts";
import { inSlices } from "../../base/slices.ts";
import type { Receipt, Receipts } from "../receipts.ts";
import { decodeLine, encodeLine, type Hashes } from "./journal/journal-format.ts";
import { encodeLongLine } from "./journal/long-line.ts";
import { asidePath, ownFile, ownFolder, writeOwnFile } from "./own-folder.ts";
import { ABSENT } from "./read-data-file.ts";

/** Characters per piece of the file. */
const PIECE_LENGTH = 64 * 1024;
const LINE_BREAK = 0x0a;
/** A file with more characters than this, and four times those of the receipts it needs, is written anew. */
const MIN_LENGTH = 1024 * 1024;

/** How to read the file: the data files it may belong to, and who hears of damage. */
export interface ReadRequest {
  /** Hashes of the data files, of which one set must be that of the receipts. Computed only if there is a file. */
  readonly accepted: readonly (() => Hashes)[];
  readonly warn: (text: string) => void;
  /** Whether a damaged file may be set aside. */
  readonly mayRepair: boolean;
}

/** The part of all receipts that the file has. */
interface Written {
  readonly of: Receipts;
  readonly has: WeakSet<Receipt>;
  bytes: number;
}

/**
 * The receipts that the journal no longer holds, in `.standin/db.json.receipts`: lines with checksums, like those of the
 * journal. Each save appends its new receipts, and after them the hashes of the data files that all receipts before
 * belong to. Data files with other hashes were changed by someone else, which ends all receipts.
 */
export class ReceiptFile {
  readonly #source: string;
  readonly #path: string;
  /** Undefined before the first save of this process. */
  #written: Written | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#path = ownFile(source, "receipts");
  }

  read({ accepted, warn, mayRepair }: ReadRequest): Receipt[] {
    if (!existsSync(this.#path)) return [];
    const content = readFileSync(this.#path);
    const { files, receipts, isTorn, isDamaged } = decode(content);
    const isOurs = files !== undefined && accepted.some((hashesOf) => areSameFiles(hashesOf(), files));
    // A save that was cut off leaves what the last one before it wrote.
    if (isDamaged || (isTorn && !isOurs)) {
      const aside = mayRepair ? asidePath(this.#path) : this.#path;
      if (mayRepair) writeFileSync(aside, content, { mode: 0o600, flag: "wx" });
      warn(
        "The receipts of requests with an Idempotency-Key are damaged: requests whose receipt is lost are carried out " +
          `again when they are repeated. The file is kept as ${aside}.`,
      );
    }
    return isOurs ? [...receipts] : [];
  }

  /** Saves the receipts that the file does not have yet. */
  async write(files: Hashes, receipts: Receipts): Promise<void> {
    if (receipts.size === 0) return this.remove();
    // A copy: receipts come while the file is written.
    const all = [...receipts.values()];
    const written = this.#written;
    if (
      written?.of === receipts &&
      written.bytes < Math.max(MIN_LENGTH, 4 * receipts.length) &&
      existsSync(this.#path)
    ) {
      return this.#append(
        files,
        written,
        all.filter((receipt) => !written.has.has(receipt)),
      );
    }
    this.#written = undefined;
    // Responses hold the same data as the journal, so only its owner may read it. The replacement keeps the mode.
    if (!existsSync(this.#path)) writeOwnFile(this.#source, "receipts", encodeFiles({}));
    const has = new WeakSet(all);
    let bytes = 0;
    const counted = async function* (): AsyncGenerator<string> {
      for await (const piece of piecesOf(files, all)) {
        bytes += Buffer.byteLength(piece);
        yield piece;
      }
    };
    await writeAtomically(this.#path, counted());
    this.#written = { of: receipts, has, bytes };
  }

  async #append(files: Hashes, written: Written, receipts: readonly Receipt[]): Promise<void> {
    const handle = await open(this.#path, "r+");
    try {
      // An earlier attempt may have failed half-way.
      await handle.truncate(written.bytes);
      let { bytes } = written;
      for await (const piece of piecesOf(files, receipts)) {
        const chunk = Buffer.from(piece);
        for (let done = 0; done < chunk.length; ) {
          done += (await handle.write(chunk, done, chunk.length - done, bytes + done)).bytesWritten;
        }
        bytes += chunk.length;
      }
      await handle.datasync();
      for (const receipt of receipts) written.has.add(receipt);
      written.bytes = bytes;
    } finally {
      await handle.close();
    }
  }

  /** Where it cannot be removed, it belongs to data files of the past, and is not used. */
  remove(): void {
    this.#written = undefined;
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // The folder is read-only.
    }
  }

  /** Removes the temporary files that a crash left. */
  removeUnfinished(): void {
    if (existsSync(this.#path)) removeTemporaries(ownFolder(this.#source), (name) => name === basename(this.#path));
  }
}

/** The lines of receipts, then that of the data files, in pieces that take about a millisecond each. */
async function* piecesOf(files: Hashes, receipts: readonly Receipt[]): AsyncGenerator<string> {
  let piece = "";
  for (const receipt of receipts) {
    if ((receipt.response.json?.length ?? 0) > PIECE_LENGTH) {
      yield piece;
      yield* await inSlices(encodeLongLine([JSON.stringify(receipt)]));
      piece = "";
      continue;
    }
    piece += encodeLine(JSON.stringify(receipt));
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield piece + encodeFiles(files);
}

function encodeFiles(files: Hashes): string {
  return encodeLine(JSON.stringify({ files }));
}

interface Content {
  /** The data files that the receipts belong to. */
  readonly files: Hashes | undefined;
  readonly receipts: readonly Receipt[];
  /** Its last line was cut off. */
  readonly isTorn: boolean;
  /** It has a whole line that is not valid, or no line at all. */
  readonly isDamaged: boolean;
}

function decode(content: Buffer): Content {
  let files: Hashes | undefined;
  let receipts: Receipt[] = [];
  // Those behind the last hashes are still in the journal.
  const pending: Receipt[] = [];
  let isDamaged = content.length === 0;
  let start = 0;
  for (let end = content.indexOf(LINE_BREAK); end !== -1; end = content.indexOf(LINE_BREAK, start)) {
    const line = decodeLine<Receipt | { files: Hashes }>(content.subarray(start, end));
    start = end + 1;
    if (line === undefined) isDamaged = true;
    else if ("files" in line) {
      files = line.files;
      receipts = [...receipts, ...pending.splice(0)];
    } else pending.push(line);
  }
  return { files, receipts, isTorn: start < content.length, isDamaged };
}

export function areSameFiles(one: Hashes, other: Hashes): boolean {
  const present = (hashes: Hashes): string =>
    JSON.stringify(
      Object.entries(hashes)
        .filter(([, hash]) => hash !== ABSENT)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return present(one) === present(other);
}

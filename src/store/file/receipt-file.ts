import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { removeTemporaries, writeAtomically } from "../../atomic-write.ts";
import type { Receipt, Receipts } from "../receipts.ts";
import type { Hashes } from "./journal/journal-format.ts";
import { ownFile, ownFolder, writeOwnFile } from "./own-folder.ts";
import { ABSENT } from "./read-data-file.ts";

/** Characters per piece of the file. */
const PIECE_LENGTH = 64 * 1024;

/**
 * The receipts that the journal no longer holds, in `.standin/db.json.receipts`: the hashes of the data files they belong
 * to, then one receipt per line, oldest first. Data files with other hashes were changed by someone else, which ends all
 * receipts.
 */
export class ReceiptFile {
  readonly #source: string;
  readonly #path: string;

  constructor(source: string) {
    this.#source = source;
    this.#path = ownFile(source, "receipts");
  }

  /** The receipts, if they belong to data files with one of these hashes, which are computed only if there is a file. */
  read(...accepted: readonly (() => Hashes)[]): Receipt[] {
    if (!existsSync(this.#path)) return [];
    try {
      const [head = "", ...lines] = readFileSync(this.#path, "utf8").trimEnd().split("\n");
      const { files } = JSON.parse(head) as { files: Hashes };
      if (!accepted.some((hashesOf) => isSame(hashesOf(), files))) return [];
      return lines.map((line) => JSON.parse(line) as Receipt);
    } catch {
      // It is replaced as a whole, so an empty file is all that a crash leaves: there were no receipts before.
      return [];
    }
  }

  async write(files: Hashes, receipts: Receipts): Promise<void> {
    if (receipts.size === 0) return this.remove();
    // Responses hold the same data as the journal, so only its owner may read it. The replacement keeps the mode.
    if (!existsSync(this.#path)) writeOwnFile(this.#source, "receipts", "");
    await writeAtomically(this.#path, piecesOf(files, receipts));
  }

  /** Where it cannot be removed, it belongs to data files of the past, and is not used. */
  remove(): void {
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

/** The content of the file, in pieces that take about a millisecond each. */
function* piecesOf(files: Hashes, receipts: Receipts): Generator<string> {
  let piece = `${JSON.stringify({ files })}\n`;
  // A copy: receipts come while the file is written.
  for (const receipt of [...receipts.values()]) {
    piece += `${JSON.stringify(receipt)}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

function isSame(one: Hashes, other: Hashes): boolean {
  const present = (hashes: Hashes): string =>
    JSON.stringify(
      Object.entries(hashes)
        .filter(([, hash]) => hash !== ABSENT)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return present(one) === present(other);
}

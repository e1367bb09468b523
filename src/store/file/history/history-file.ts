import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { removeTemporaries, stageFile, writeAtomically } from "../../../base/files/atomic-write.ts";
import { decodeLine, encodeLine } from "../journal/journal-format.ts";
import { type Line, type LineText, textOfAll } from "../journal/long-line.ts";
import { asidePath, ownFile, ownFolder, writeOwnFile } from "../own-folder.ts";
import type { PastFold, PastLine } from "./past-line.ts";
import type { ReadLine } from "./read-back.ts";

const LINE_BREAK = 0x0a;
/** Where the version of a line stands: behind the checksum. */
const VERSION = /^[0-9a-f]{8} \{"v":(\d+)/;

/** The length up to which versions that outran the file are appended: to replace it takes more flushes. */
const MAX_OUTRUN_BYTES = 2 * 2 ** 20;

/** The versions that the file has. */
export interface PastContent {
  readonly lines: readonly ReadLine[];
  /** The version from which the lines lead on, and its time. */
  readonly floor: PastFold | undefined;
  /** The last version, and the data files that have it. */
  readonly last: PastFold | undefined;
  /** Its last line was cut off. */
  readonly isTorn: boolean;
  readonly isDamaged: boolean;
}

/** The line of a version. */
export interface PastText {
  readonly version: number;
  readonly past: LineText;
  /** It takes the place of a line without a way back. */
  readonly isBetter?: boolean;
}

/** The lines of versions that the journal is about to drop, with the data files that have them. */
interface FoldedLines {
  readonly texts: readonly PastText[];
  readonly fold: PastFold;
}

/**
 * The versions that the journal no longer holds, in `.standin/db.json.history`: lines with checksums, like those of the
 * journal. Each save appends its versions, and after them the hashes of the data files; one that has more versions than are
 * kept begins with a floor, or writes the file anew. Of two lines with one version the last one counts.
 */
export class HistoryFile {
  readonly #source: string;
  readonly #path: string;
  readonly #maxBytes: number;
  /** The length of the valid lines. */
  #bytes = 0;
  /** Its length after the last rotation: where all of it is wanted, the next one waits until it has doubled. */
  #rotatedBytes = 0;
  #last = 0;

  constructor(source: string, maxBytes: number) {
    this.#source = source;
    this.#path = ownFile(source, "history");
    this.#maxBytes = maxBytes;
  }

  /** The last version that it has. */
  get last(): number {
    return this.#last;
  }

  /** Reads all lines; keeps a damaged file under another name if it may. */
  read(warn: (text: string) => void, mayRepair: boolean): PastContent {
    if (mayRepair) removeTemporaries(ownFolder(this.#source), (name) => name === basename(this.#path));
    if (!existsSync(this.#path)) return NOTHING;
    const content = readFileSync(this.#path);
    const { read, start, end } = decode(content);
    this.#bytes = end;
    this.#last = read.last?.v ?? 0;
    for (const { line } of read.lines) this.#last = Math.max(this.#last, line.v);
    if (read.isDamaged) {
      const aside = mayRepair ? asidePath(this.#path) : this.#path;
      if (mayRepair) {
        writeFileSync(aside, content, { mode: 0o600, flag: "wx" });
        writeOwnFile(this.#source, "history", content.toString("utf8", start, end));
        this.#bytes = end - start;
      }
      warn(`The history is damaged; versions before the damage are lost. The file is kept as ${aside}.`);
    }
    return read;
  }

  /** Appends versions that it does not have yet, and flushes them. `oldest` is the first version that is still wanted. */
  async append({ texts, fold }: FoldedLines, oldest: PastFold): Promise<void> {
    const isOutrun = this.#isOutrun({ texts, fold }, oldest);
    // Changes that came during the save may have dropped all of its versions.
    if (isOutrun && (this.#bytes > Math.min(MAX_OUTRUN_BYTES, this.#maxBytes) || oldest.v >= fold.v)) {
      return this.#replace({ texts, fold }, oldest);
    }
    const lines = isOutrun ? linesFrom(oldest, { texts, fold }) : this.#newLines({ texts, fold }, oldest);
    if (!isOutrun && this.#bytes > Math.max(this.#maxBytes, 2 * this.#rotatedBytes)) await this.#rotate(oldest);
    const handle = await open(this.#path, "r+");
    try {
      // An earlier attempt may have failed half-way.
      await handle.truncate(this.#bytes);
      let bytes = this.#bytes;
      for (const piece of typeof lines === "string" ? [lines] : lines) {
        const chunk = Buffer.from(piece);
        for (let done = 0; done < chunk.length; ) {
          done += (await handle.write(chunk, done, chunk.length - done, bytes + done)).bytesWritten;
        }
        bytes += chunk.length;
      }
      await handle.datasync();
      this.#bytes = bytes;
      this.#last = Math.max(this.#last, fold.v);
    } finally {
      await handle.close();
    }
  }

  /** The same in this turn. */
  appendNow(folded: FoldedLines, oldest: PastFold): void {
    const lines = this.#newLines(folded, oldest);
    const chunk = Buffer.from(typeof lines === "string" ? lines : lines.join(""));
    const fd = openSync(this.#path, "r+");
    try {
      ftruncateSync(fd, this.#bytes);
      for (let done = 0; done < chunk.length; ) {
        done += writeSync(fd, chunk, done, chunk.length - done, this.#bytes + done);
      }
      fdatasyncSync(fd);
      this.#bytes += chunk.length;
      this.#last = Math.max(this.#last, folded.fold.v);
    } finally {
      closeSync(fd);
    }
  }

  #newLines({ texts, fold }: FoldedLines, oldest: PastFold): LineText {
    const last = this.#last;
    if (!existsSync(this.#path)) this.restart(oldest);
    const lines = texts.filter(({ version, isBetter }) => isBetter || version > last);
    return textOfAll([...lines.map(journalLine), foldLine(fold)]);
  }

  /** Whether versions between those in the file and the wanted ones were dropped: then nobody wants those in the file. */
  #isOutrun({ fold }: FoldedLines, oldest: PastFold): boolean {
    return oldest.v > this.#last && fold.v > this.#last && existsSync(this.#path);
  }

  /** Writes the file anew, with nothing but the versions that are wanted. */
  async #replace({ texts, fold }: FoldedLines, oldest: PastFold): Promise<void> {
    const lines = oldest.v < fold.v ? linesFrom(oldest, { texts, fold }) : encodeLine(JSON.stringify(fold));
    const staged = await stageFile(this.#path, typeof lines === "string" ? [lines] : lines);
    await staged.commit();
    this.#bytes = staged.bytes;
    this.#rotatedBytes = staged.bytes;
    this.#last = fold.v;
  }

  /** Forgets all versions up to one. */
  restart(floor: PastFold): void {
    const text = encodeLine(JSON.stringify(floor));
    writeOwnFile(this.#source, "history", text);
    this.#bytes = Buffer.byteLength(text);
    this.#last = Math.max(this.#last, floor.v);
  }

  /** Writes the file anew, without the versions that nobody wants any more. */
  async #rotate(oldest: PastFold): Promise<void> {
    const content = readFileSync(this.#path).subarray(0, this.#bytes);
    const kept: string[] = [encodeLine(JSON.stringify(oldest))];
    for (const line of linesOf(content)) {
      if (Number(VERSION.exec(line.toString("latin1", 0, 32))?.[1] ?? 0) > oldest.v) kept.push(`${line.toString()}\n`);
    }
    await writeAtomically(this.#path, kept);
    this.#bytes = kept.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    this.#rotatedBytes = this.#bytes;
  }
}

function journalLine({ version, past }: PastText): Line {
  return { version, text: past };
}

/** The lines of a file, or of the part of one, that has only the versions after a floor. */
function linesFrom(floor: PastFold, { texts, fold }: FoldedLines): LineText {
  const wanted = texts.filter(({ version }) => version > floor.v);
  return textOfAll([foldLine({ ...floor, isFloor: true }), ...wanted.map(journalLine), foldLine(fold)]);
}

function foldLine(fold: PastFold): Line {
  return { version: fold.v, text: encodeLine(JSON.stringify(fold)) };
}

const NOTHING: PastContent = { lines: [], floor: undefined, last: undefined, isTorn: false, isDamaged: false };

function* linesOf(content: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = content.indexOf(LINE_BREAK); end !== -1; end = content.indexOf(LINE_BREAK, start)) {
    yield content.subarray(start, end);
    start = end + 1;
  }
}

/** Reads the lines behind the last damage. */
function decode(content: Buffer): { read: PastContent; start: number; end: number } {
  const lines = new Map<number, ReadLine>();
  let floor: PastFold | undefined;
  let last: PastFold | undefined;
  let isDamaged = false;
  let start = 0;
  let end = 0;
  for (const bytes of linesOf(content)) {
    end += bytes.length + 1;
    const line = decodeLine<PastLine | PastFold>(bytes);
    if (!line) {
      isDamaged = true;
      lines.clear();
      floor = undefined;
      start = end;
    } else if ("files" in line && line.isFloor) {
      lines.clear();
      floor = line;
    } else if ("files" in line) {
      last = line;
      floor ??= lines.size === 0 ? line : undefined;
    } else lines.set(line.v, { line, length: bytes.length });
  }
  const sorted = [...lines.values()].sort((one, other) => one.line.v - other.line.v);
  return { read: { lines: sorted, floor, last, isTorn: end < content.length, isDamaged }, start, end };
}

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { writeAtomically } from "../../base/files/atomic-write.ts";
import type { KeptLog } from "../store.ts";
import { decodeLine, encodeLine } from "./journal/journal-format.ts";

const LINE_BREAK = 0x0a;
/** A longer file is to be written anew, unless half of it is needed. */
const MIN_BYTES = 1024 * 1024;

/** A file of ours beside the data, such as `.standin/db.json.jobs`: lines with checksums, like those of the journal. */
export class OwnLog implements KeptLog {
  readonly #path: string;
  readonly #isFlushed: boolean;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #neededBytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, isFlushed: boolean) {
    this.#path = path;
    this.#isFlushed = isFlushed;
  }

  read(warn: (text: string) => void): readonly object[] {
    const lines: object[] = [];
    if (!existsSync(this.#path)) return lines;
    const content = readFileSync(this.#path);
    let start = 0;
    for (let end = content.indexOf(LINE_BREAK); end !== -1; end = content.indexOf(LINE_BREAK, start)) {
      const line = decodeLine<object>(content.subarray(start, end));
      start = end + 1;
      if (!line) {
        warn(`${this.#path} is damaged: what was noted behind the damage is lost.`);
        break;
      }
      lines.push(line);
    }
    return lines;
  }

  rewrite(lines: () => readonly object[]): Promise<void> {
    return this.#inTurn(async () => {
      const texts = lines().map((line) => encodeLine(JSON.stringify(line)));
      await this.#handle?.close();
      // It holds the same data as the journal, so only its owner may read it. The replacement keeps the mode.
      if (!existsSync(this.#path)) writeFileSync(this.#path, "", { mode: 0o600 });
      await writeAtomically(this.#path, texts);
      this.#handle = await open(this.#path, "a");
      this.#bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      this.#neededBytes = this.#bytes;
    });
  }

  get isTooLong(): boolean {
    return this.#bytes > Math.max(MIN_BYTES, 2 * this.#neededBytes);
  }

  append(line: object): Promise<void> {
    const text = encodeLine(JSON.stringify(line));
    return this.#inTurn(async () => {
      await this.#handle?.appendFile(text);
      if (this.#isFlushed) await this.#handle?.datasync();
      this.#bytes += Buffer.byteLength(text);
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => this.#handle?.close());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const working = this.#writing.then(work);
    this.#writing = working.catch(() => undefined);
    return working;
  }
}

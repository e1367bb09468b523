import { stringifyJson } from "../../../base/json/json.ts";
import { inSlices } from "../../../base/slices.ts";
import type { Origin } from "../../history.ts";
import type { StateHistory } from "../../memory/history/state-history.ts";
import type { State } from "../../memory/state.ts";
import { encodeLine, type Hashes } from "../journal/journal-format.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import { encodeLongLine, type LineText } from "../journal/long-line.ts";
import type { HistoryFile, PastContent, PastText } from "./history-file.ts";
import type { PastFold } from "./past-line.ts";
import { encodeHead, encodeLost } from "./past-text.ts";
import { type ReadLine, readBack } from "./read-back.ts";
import { exchangeTexts } from "./state-delta.ts";

const EDITED_WHILE_STOPPED = "the data was changed while standin was not running";
const CUT_OFF = "standin ended while it loaded a changed file";

/** The past that a start has found. */
export interface FoundPast {
  readonly content: PastContent;
  /** The changes that only the journal has, be they in the data or lost to an edit of the files. */
  readonly journal: readonly ReadLine[];
  /** Whether the data is that of the last version. */
  readonly isContinuous: boolean;
  /** The hashes of the data files. */
  readonly files: () => Hashes;
  readonly mayWrite: boolean;
}

/** The history of data in files: what memory keeps of it, and the file that outlives the process. */
export class FileHistory {
  readonly #history: StateHistory;
  readonly #file: HistoryFile;

  constructor(history: StateHistory, file: HistoryFile) {
    this.#history = history;
    this.#file = file;
  }

  /** Goes on where earlier processes have ended. */
  resume({ content, journal, isContinuous, files, mayWrite }: FoundPast, state: State): void {
    const added = journal.filter(({ line }) => line.v > this.#file.last);
    const lines = [...content.lines, ...added];
    const time = this.#history.changes.now();
    const [first] = lines;
    const floor = content.floor ?? (first ? { v: first.line.v - 1, t: first.line.t } : { v: state.version, t: time });
    this.#history.changes.resume(readBack(lines, state), { version: floor.v, time: floor.t });
    if (isContinuous) return;
    const { version } = state;
    const origin = { by: "file", cause: "file" };
    this.#history.changes.noteLost(version, { ...origin, time }, EDITED_WHILE_STOPPED);
    if (!mayWrite) return;
    const past = encodeLine(`{"v":${version}${encodeHead({ origin, time })}${encodeLost(EDITED_WHILE_STOPPED)}}`);
    // Once the file has the lost version, it takes no line of a version before it.
    const texts = added.map(({ line }) => ({ version: line.v, past: encodeLine(stringifyJson(line)) }));
    const fold = { v: version, t: time, files: files() };
    this.#file.appendNow({ texts: [...texts, { version, past }], fold }, this.#oldest());
  }

  /** Keeps the lines that the journal is about to drop, now that the data files have them. */
  async fold(journal: Pick<JournalWriter, "pastUpTo">, version: number, files: Hashes): Promise<void> {
    const oldest = this.#oldest();
    const texts = journal.pastUpTo(version, oldest.v);
    if (texts.length === 0 && this.#file.last === 0) return;
    await this.#file.append({ texts, fold: { v: version, t: this.#history.changes.now(), files } }, oldest);
  }

  /**
   * Notes in this turn that all data was loaded from files with these hashes, and keeps the lines that no save will: the
   * numbers of their versions must never be used again. Returns a function that adds the way back.
   */
  load(texts: readonly PastText[], exchange: Exchange): () => Promise<void> {
    const { before, after, origin, files } = exchange;
    const { version } = after;
    const noted = { origin, time: this.#history.changes.changeTo(version)?.time ?? this.#history.changes.now() };
    const fold = { v: version, t: noted.time, files };
    const lost = encodeLine(`{"v":${version}${encodeHead(noted)}${encodeLost(CUT_OFF)}}`);
    this.#file.appendNow({ texts: [...texts, { version, past: lost }], fold }, this.#oldest());
    const loaded = after.branch();
    return async () => {
      const parts = await inSlices(exchangeTexts(before, loaded, noted));
      const past: LineText = await inSlices(encodeLongLine([`{"v":${version}`, ...parts, "}"]));
      // A later change may be in the file by now: its line stays the last one.
      await this.#file.append({ texts: [{ version, past, isBetter: true }], fold }, this.#oldest());
    };
  }

  /** Forgets all versions but the present one, which is in files with these hashes. */
  clear(version: number, files: Hashes): void {
    this.#history.clear();
    this.#file.restart({ v: version, t: this.#history.changes.now(), files });
  }

  #oldest(): PastFold {
    const { unlisted, floor } = this.#history.changes;
    return { v: unlisted, t: floor.time, files: {} };
  }
}

/** Data that was replaced by that of files. */
interface Exchange {
  readonly before: State;
  readonly after: State;
  readonly origin: Origin;
  readonly files: Hashes;
}

import { messageOf } from "../../base/errors.ts";
import { atOnce } from "../../base/slices.ts";
import type { LiveData } from "../memory/live-data.ts";
import { encodeWhole } from "./journal/journal-format.ts";
import type { JournalWriter } from "./journal/journal-writer.ts";

/** Keeps all data in the journal while a file cannot be loaded: that has lost the data which the lines build on. */
export class WholeInJournal {
  readonly #data: LiveData;
  readonly #writer: JournalWriter;
  readonly #warn: (text: string) => void;
  #state: "unneeded" | "needed" | "kept" = "unneeded";

  constructor(data: LiveData, writer: JournalWriter, warn: (text: string) => void) {
    this.#data = data;
    this.#writer = writer;
    this.#warn = warn;
  }

  /** Call when the files cannot be loaded. */
  need(): void {
    if (this.#state === "unneeded") this.#state = "needed";
    if (this.#writer.hasLines) this.keepIfNeeded();
  }

  /** Call when the files have the data. */
  forget(): void {
    this.#state = "unneeded";
  }

  keepIfNeeded(): void {
    if (this.#state !== "needed") return;
    this.#state = "kept";
    const again = (): void => {
      this.#state = "needed";
    };
    try {
      const { version } = this.#data.state;
      this.#writer.keepWhole(version, atOnce(encodeWhole(version, this.#data.lend()))).catch(again);
    } catch (thrown) {
      this.#warn(`The journal cannot hold all data (${messageOf(thrown)}).`);
    }
  }
}

import { messageOf } from "../../base/errors.ts";
import { atOnce, inSlices } from "../../base/slices.ts";
import type { LiveData } from "../memory/live-data.ts";
import { encodeWhole } from "./journal/journal-format.ts";
import type { JournalWriter } from "./journal/journal-writer.ts";
import type { LineText } from "./journal/long-line.ts";

/** Keeps all data in the journal while a file cannot be loaded: that has lost the data which the lines build on. */
export class WholeInJournal {
  readonly #data: LiveData;
  readonly #writer: JournalWriter;
  readonly #warn: (text: string) => void;
  /** Another one for each time that the files cannot be loaded: a save in between drops the lines before it. */
  #need: { isMet: boolean } | undefined;
  #keeping: Promise<void> | undefined;

  constructor(data: LiveData, writer: JournalWriter, warn: (text: string) => void) {
    this.#data = data;
    this.#writer = writer;
    this.#warn = warn;
  }

  /** Call when the files cannot be loaded. */
  need(): void {
    this.#need ??= { isMet: false };
    if (this.#writer.hasLines) this.ready()?.catch(() => undefined);
  }

  /** Call when the files have the data. */
  forget(): void {
    this.#need = undefined;
  }

  /** Settles when the journal has all data that the next write builds on; undefined when it needs none. */
  ready(): Promise<void> | undefined {
    const need = this.#need;
    if (!need || need.isMet) return undefined;
    this.#keeping ??= this.#keepInSlices(need).finally(() => {
      this.#keeping = undefined;
    });
    return this.#keeping;
  }

  async #keepInSlices(need: { isMet: boolean }): Promise<void> {
    while (need === this.#need && !need.isMet) {
      if (!this.#data.state.isCreated) await this.#data.state.create();
      const { refusals } = this.#writer;
      const { version } = this.#data.state;
      const text = await inSlices(encodeWhole(version, this.#data.lend())).catch((thrown) => this.#giveUp(thrown));
      // Otherwise the data has changes that were undone since.
      if (need === this.#need && !need.isMet && refusals === this.#writer.refusals) await this.#write(version, text);
    }
  }

  /** Keeps them in this turn, together with the lines of writes that did not wait. */
  keepNow(): void {
    if (!this.#need || this.#need.isMet) return;
    const { version } = this.#data.state;
    try {
      this.#write(version, atOnce(encodeWhole(version, this.#data.lend()))).catch(() => undefined);
    } catch (thrown) {
      this.#giveUp(thrown);
    }
  }

  async #write(version: number, text: LineText | undefined): Promise<void> {
    const need = this.#need;
    if (!need || text === undefined) return;
    need.isMet = true;
    try {
      await this.#writer.keepWhole(version, text);
    } catch (thrown) {
      need.isMet = false;
      throw thrown;
    }
  }

  #giveUp(thrown: unknown): undefined {
    if (this.#need) this.#need.isMet = true;
    this.#warn(`The journal cannot hold all data (${messageOf(thrown)}).`);
  }
}

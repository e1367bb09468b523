import { State } from "../../store/memory/state.ts";
import type { SharedSandboxes } from "../../store/shared-sandboxes.ts";
import type { SandboxHead } from "./sandbox-log.ts";
import { withoutRecords } from "./sandboxes.ts";

/** The copies of the main data that the sandboxes of this process begin with, in memory. */
export class MainCopies {
  readonly #shared: SharedSandboxes;
  readonly #needed: () => Iterable<SandboxHead>;
  readonly #copies = new Map<number, Promise<State>>();

  /** `needed` names the sandboxes whose copies stay in memory. */
  constructor(shared: SharedSandboxes, needed: () => Iterable<SandboxHead>) {
    this.#shared = shared;
    this.#needed = needed;
  }

  /** Reads a copy, unless it is in memory; those that no sandbox needs are dropped. */
  read(number: number): Promise<State> {
    const known = this.#copies.get(number);
    if (known) return known;
    const needed = new Set(Array.from(this.#needed(), ({ birth }) => birth));
    for (const one of this.#copies.keys()) if (!needed.has(one)) this.#copies.delete(one);
    const reading = this.#shared.readCopy(number).then((state) => {
      if (state instanceof State) return state;
      throw new Error("A copy of the data must be a State.");
    });
    this.#copies.set(number, reading);
    reading.catch(() => this.#copies.delete(number));
    return reading;
  }

  /** The data before the first step of a sandbox. */
  async beginning({ birth, from }: SandboxHead): Promise<State> {
    const main = (await this.read(birth)).branch();
    return from === "empty" ? main.loadNext(withoutRecords(main)) : main;
  }
}

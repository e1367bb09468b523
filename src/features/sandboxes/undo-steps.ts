import { inSlices } from "../../base/slices.ts";
import type { WayBack } from "../../store/memory/history/kept-change.ts";
import type { LiveData } from "../../store/memory/live-data.ts";
import { type Effect, weighChange } from "./change-weight.ts";
import { invertedEdits } from "./inverted-edits.ts";
import type { SandboxMemory } from "./sandbox-memory.ts";

/** The most changes to undo. A history also has those that undo some. */
export const MAX_STEPS = 200;

export interface Undone {
  /** The changes that were reverted, the latest one first. */
  readonly undone: readonly Effect[];
  /** How many more can be. */
  readonly left: number;
}

/** The versions of a sandbox that can be undone: its history has the way back from them. */
export class UndoSteps {
  readonly #data: LiveData;
  readonly #memory: SandboxMemory;
  #versions: number[] = [];

  constructor(data: LiveData, memory: SandboxMemory) {
    this.#data = data;
    this.#memory = memory;
  }

  /** Without those that the history has dropped. */
  get length(): number {
    this.#versions = this.#versions.filter((version) => this.#wayBack(version));
    return this.#versions.length;
  }

  push(version: number): void {
    if (this.#versions.push(version) > MAX_STEPS) this.#versions.shift();
  }

  /** When all data is replaced, by a reset or a snapshot, nothing is left to undo. */
  clear(): void {
    this.#versions = [];
  }

  /** Forgets the creation of a member that is removed again, if nothing came between: then nothing has happened. */
  forgetCreation(name: string): boolean {
    const back = this.#wayBack();
    if (back?.kind !== "members" || back.edit.kind !== "created" || back.edit.name !== name) return false;
    this.#versions.pop();
    return true;
  }

  /** No other change may be made meanwhile. */
  async undo(count: number): Promise<Undone> {
    const undone: Effect[] = [];
    while (undone.length < count) {
      const effect = await this.#takeBack(this.#wayBack());
      if (!effect) break;
      this.#versions.pop();
      undone.push(effect);
    }
    return { undone, left: this.length };
  }

  #wayBack(version = this.#versions.at(-1)): WayBack | undefined {
    return this.#data.changes?.changeTo(version ?? 0)?.back;
  }

  async #takeBack(back: WayBack | undefined): Promise<Effect | undefined> {
    const data = this.#data;
    const { state } = data;
    if (back?.kind === "members") {
      data.undoMembers(back.edit, back.before);
      this.#memory.weigh(this.#memory.ownBytesOf(back.before.removed));
      data.announce({ kind: "exchange", version: state.version });
      return { member: back.edit };
    }
    if (back?.kind !== "change") return undefined;
    const edits = await inSlices(invertedEdits(back.edits));
    const { effect, bytes } = await inSlices(weighChange(back.edits, this.#memory.birth));
    // A reset may have replaced all data during a pause.
    if (data.state !== state) return undefined;
    data.undoChange(back, edits);
    this.#memory.weigh(-bytes);
    data.announce({ kind: "change", change: { version: state.version, edits } });
    return effect;
  }
}

import type { Eventually } from "../../base/eventually.ts";
import { createPause } from "../../base/slices.ts";
import type { RecordCounts } from "../../store/history.ts";
import type { MemberEdit } from "../../store/store.ts";

/** The most changes that can be undone. */
export const MAX_STEPS = 100;

/** A change, in words that a client can show. */
export type Effect = { readonly changed: Readonly<Record<string, RecordCounts>> } | { readonly member: MemberEdit };

/** A change that can be reverted while no later one stands in the way. */
interface UndoStep {
  readonly effect: Effect;
  /** The memory that is only kept for the sake of it. */
  readonly keptBytes: number;
  /** Whether it was reverted: other data may have come meanwhile. */
  undo(): Eventually<boolean>;
}

export interface Undone {
  /** The changes that were reverted, the latest one first. */
  readonly undone: readonly Effect[];
  /** How many more can be. */
  readonly left: number;
}

/** The latest changes of a sandbox. When all data is replaced, by a reset or a snapshot, they are forgotten. */
export class UndoLog {
  readonly #steps: UndoStep[] = [];
  readonly #release: (bytes: number) => void;

  constructor(release: (bytes: number) => void) {
    this.#release = release;
  }

  get length(): number {
    return this.#steps.length;
  }

  push(step: UndoStep): void {
    this.#steps.push(step);
    const oldest = this.#steps.length > MAX_STEPS ? this.#steps.shift() : undefined;
    if (oldest) this.#release(oldest.keptBytes);
  }

  /** Forgets the creation of a member that is removed again, if nothing came between: then nothing has happened. */
  forgetCreation(name: string): boolean {
    const effect = this.#steps.at(-1)?.effect;
    if (!effect || !("member" in effect)) return false;
    if (effect.member.kind !== "created" || effect.member.name !== name) return false;
    this.#steps.pop();
    return true;
  }

  clear(): void {
    this.#steps.length = 0;
  }

  /** Takes pauses between changes; no other change may be made meanwhile. */
  async undo(count: number): Promise<Undone> {
    const undone: Effect[] = [];
    const pause = createPause();
    while (undone.length < count) {
      const step = this.#steps.pop();
      if (!step || !(await step.undo())) break;
      undone.push(step.effect);
      if (pause.isDue) await pause.take();
    }
    return { undone, left: this.#steps.length };
  }
}

import { StandinError } from "../../base/errors.ts";
import type { Entry } from "../../store/indexeddb/entry.ts";
import { HEADS, stepsOf } from "../../store/shared-sandboxes.ts";
import type { KeptValues } from "../../store/store.ts";

/** One step of a sandbox: a change, a number of changes that were undone, or other data, as JSON. */
export interface Step {
  /** The version before it. */
  readonly at: number;
  readonly time?: number;
  readonly entry?: Entry;
  readonly undo?: number;
  readonly swap?: string;
}

/** The state of the data after a step. */
export interface Reached {
  readonly version: number;
  readonly epoch: string;
}

/** Everything about a kept sandbox but its steps. */
export interface SandboxHead extends Reached {
  readonly name: string;
  readonly createdAt: number;
  readonly from: "current" | "empty";
  /** The version of the main data that it began with, and its load. */
  readonly birth: number;
  readonly load: string;
  /** How many of the steps lead to its baseline. */
  readonly baseline: number;
  /** Counts what was stored: another worker may have stored more. */
  readonly stored: number;
  /** Until then, a promotion keeps writes waiting. */
  readonly heldUntil?: number | undefined;
  /** How often it went on from the main data. */
  readonly rebased?: number;
  /** The count of the latest promotion that gave records new ids. */
  readonly renumbered?: number;
}

interface LogOptions {
  readonly kept: Pick<KeptValues, "store">;
  readonly keys?: readonly string[];
  /** Loads the sandbox again, which another worker has changed. */
  reload?(): Promise<void>;
}

/** Keeps one sandbox beside the main data: its steps since it was created, or since all of its data was replaced. */
export class SandboxLog {
  readonly #options: LogOptions;
  head: SandboxHead;
  keys: readonly string[];

  constructor(head: SandboxHead, options: LogOptions) {
    this.#options = options;
    this.head = head;
    this.keys = options.keys ?? [];
  }

  /** Stores the sandbox as it begins. */
  begin({ version, epoch }: Reached): Promise<void> {
    return this.store({ version, epoch }, new Map());
  }

  add(step: Step, { version, epoch }: Reached): Promise<void> {
    const key = this.#nextKey();
    return this.store({ version, epoch }, new Map([[key, timed(step)]]), [...this.keys, key]);
  }

  /** All data was replaced: by the baseline, or by the one of a step. */
  restart(reached: Reached, step?: Step): Promise<void> {
    const { baseline } = this.head;
    const values = new Map<string, unknown>(this.keys.slice(baseline).map((key) => [key, undefined]));
    const keys = this.keys.slice(0, baseline);
    if (!step) return this.store(reached, values, keys);
    const key = this.#nextKey();
    return this.store(reached, values.set(key, timed(step)), [...keys, key]);
  }

  /** A reset is to restore the present data. */
  keepBaseline(): Promise<void> {
    return this.store({ baseline: this.keys.length }, new Map());
  }

  /** Goes on from the main data. */
  rebase(next: Reached & Pick<SandboxHead, "birth" | "load">): Promise<void> {
    const values = new Map(this.keys.map((key) => [key, undefined]));
    const rebased = (this.head.rebased ?? 0) + 1;
    return this.store({ ...next, from: "current", baseline: 0, rebased }, values, []);
  }

  remove(): Promise<void> {
    const keys = [HEADS + this.head.name, ...this.keys];
    const guard = { key: HEADS + this.head.name, isCurrent: () => true };
    return this.#options.kept.store(new Map(keys.map((key) => [key, undefined])), guard).then(
      () => {},
      () => {},
    );
  }

  #nextKey(): string {
    return stepsOf(this.head.name) + String(this.head.stored).padStart(9, "0");
  }

  /** Stores another head, and values beside it. */
  async store(next: Partial<SandboxHead>, values: Map<string, unknown>, keys = this.keys): Promise<void> {
    const { name, stored } = this.head;
    const key = HEADS + name;
    const head = { ...this.head, ...next, stored: stored + 1 };
    const isCurrent = (known: unknown): boolean => ((known as SandboxHead | undefined)?.stored ?? 0) === stored;
    if (await this.#options.kept.store(values.set(key, head), { key, isCurrent })) {
      this.head = head;
      this.keys = keys;
      return;
    }
    await this.#options.reload?.();
    throw new StandinError(
      "STORE_UNAVAILABLE",
      `Another worker has changed the sandbox ${name}. Nothing was changed; repeat the request.`,
      { "Retry-After": "1" },
    );
  }
}

function timed(step: Step): Step {
  return { ...step, time: Date.now() };
}

import { StandinError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import { hasSockets } from "../../base/platform/runtime.ts";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import { HookProblem, type ReadHook, type ReadStep, readHook } from "./read-hooks.ts";

/** A hook, and where it comes from. */
export interface KnownHook extends ReadHook {
  /** It stands in the config, so that its target is one that the person who runs the server wants. */
  readonly isGiven: boolean;
  isOff: boolean;
  /** How often each of its faults has happened. */
  readonly faultHits: number[];
}

/** The hooks and steps of the timeline that changes are compared with. */
export class HookRules {
  readonly steps: readonly ReadStep[];
  /** Origins that subscribers, and hooks added over HTTP, may name. */
  readonly targets: readonly string[];
  readonly #given: readonly ReadHook[];
  readonly #hooks = new Map<string, KnownHook>();
  readonly #listeners: (() => void)[] = [];

  constructor({ hooks, steps, targets }: GivenRules) {
    this.steps = steps;
    this.targets = targets;
    this.#given = hooks;
    for (const hook of hooks) this.#hooks.set(hook.name, { ...hook, isGiven: true, isOff: false, faultHits: [] });
  }

  /** The hooks added, changed and removed since the start, for other processes. */
  get changed(): string {
    const present = this.hooks.flatMap(({ name, hook, isGiven, isOff }) =>
      isGiven && !isOff && this.#given.some((given) => given.hook === hook) ? [] : [{ name, hook, isGiven, isOff }],
    );
    const removed = this.#given.flatMap(({ name }) => (this.#hooks.has(name) ? [] : [{ name }]));
    return JSON.stringify([...present, ...removed] satisfies ChangedHook[]);
  }

  /** Takes over what another process has changed. */
  takeOver(changed = "[]"): void {
    const before = new Map(this.#hooks);
    const set = (hook: ReadHook, isGiven: boolean, isOff: boolean): void => {
      this.#hooks.set(hook.name, { ...hook, isGiven, isOff, faultHits: before.get(hook.name)?.faultHits ?? [] });
    };
    this.#hooks.clear();
    for (const hook of this.#given) set(hook, true, false);
    for (const { name, hook, isGiven = false, isOff = false } of JSON.parse(changed) as ChangedHook[]) {
      if (hook) set(readHook(hook), isGiven, isOff);
      else this.#hooks.delete(name);
    }
  }

  get isEmpty(): boolean {
    return this.#hooks.size === 0 && this.steps.length === 0;
  }

  get hooks(): readonly KnownHook[] {
    return [...this.#hooks.values()];
  }

  find(name: string): KnownHook | undefined {
    return this.#hooks.get(name);
  }

  get(name: string): KnownHook {
    const hook = this.#hooks.get(name);
    if (hook) return hook;
    throw new StandinError("HOOK_NOT_FOUND", `There is no hook ${name}.${didYouMean(name, [...this.#hooks.keys()])}`);
  }

  step(name: string): ReadStep | undefined {
    return this.steps.find((step) => step.name === name);
  }

  /** Adds a hook as it came over HTTP. */
  add(value: unknown): KnownHook {
    if (!hasSockets) {
      throw new StandinError(
        "OPTION_UNAVAILABLE",
        "Only a server of Node sends webhooks: it checks the address that it connects to.",
      );
    }
    const hook = readSent(value);
    if (this.#hooks.has(hook.name)) {
      throw new StandinError(
        "HOOK_INVALID",
        `There is a hook ${hook.name} already: PATCH or DELETE /__hooks/${hook.name}.`,
      );
    }
    return this.#keep({ ...hook, isGiven: false, isOff: false, faultHits: [] });
  }

  /** Changes keys of a hook, null removes one; `off` turns it off. A new target has to be an allowed one, whoever named the old one. */
  change(name: string, { off, ...keys }: Readonly<Record<string, unknown>>): KnownHook {
    const known = this.get(name);
    if (off !== undefined && typeof off !== "boolean")
      throw new StandinError("HOOK_INVALID", '"off" must be true or false.');
    if (keys.name !== undefined && keys.name !== name) {
      throw new StandinError("HOOK_INVALID", "The name of a hook stays. Add another one.");
    }
    // As it is shown, so that a hook can be sent back as it was read.
    const isSameTarget = known.hook.to !== undefined && keys.to === maskAddress(known.hook.to);
    const changed = { ...known.hook, ...keys, ...(isSameTarget && { to: known.hook.to }) };
    const hook = Object.keys(keys).length === 0 ? known : readSent(withoutNulls(changed));
    const isGiven = known.isGiven && hook.hook.to === known.hook.to;
    const faultHits = keys.faults === undefined ? known.faultHits : [];
    return this.#keep({ ...hook, isGiven, isOff: off ?? known.isOff, faultHits });
  }

  remove(name: string): void {
    this.get(name);
    this.#hooks.delete(name);
    this.#tell();
  }

  /** Calls the listener after every change of the rules. */
  watch(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #keep(hook: KnownHook): KnownHook {
    this.#hooks.set(hook.name, hook);
    this.#tell();
    return hook;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A hook that is not as the config has it; without `hook`, it was removed. */
interface ChangedHook {
  readonly name: string;
  readonly hook?: ReadHook["hook"];
  readonly isGiven?: boolean;
  readonly isOff?: boolean;
}

export interface GivenRules {
  readonly hooks: readonly ReadHook[];
  readonly steps: readonly ReadStep[];
  readonly targets: readonly string[];
}

function withoutNulls(keys: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== null));
}

function readSent(value: unknown): ReadHook {
  try {
    return readHook(value);
  } catch (thrown) {
    if (!(thrown instanceof HookProblem)) throw thrown;
    throw new StandinError("HOOK_INVALID", `${thrown.key === "" ? "The hook" : `"${thrown.key}"`} ${thrown.message}`);
  }
}

import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { getHeapStatistics } from "../../base/platform/runtime.ts";
import { inSlices } from "../../base/slices.ts";
import { inBackground } from "../../base/timers.ts";
import type { Service } from "../../http/contract.ts";
import { randomId } from "../../store/ids.ts";
import { changesBetween, type StateChanges } from "../../store/memory/changes-between.ts";
import { Collection } from "../../store/memory/collection.ts";
import type { LiveData } from "../../store/memory/live-data.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { State } from "../../store/memory/state.ts";
import type { Store } from "../../store/store.ts";
import { type Conflict, ConflictsFound, conflictError, dataExchanged, sealedConflicts } from "./promote/conflict.ts";
import { findConflicts } from "./promote/find-conflicts.ts";
import { applyChanges } from "./promote/promote.ts";
import { SandboxJournal } from "./sandbox-journal.ts";
import type { MainData, Sandbox, SandboxKeeper } from "./sandbox-keeper.ts";
import type { MemoryBudget } from "./sandbox-memory.ts";
import type { PromoteOptions, Promotion, SandboxLimits } from "./types.ts";
import { MAX_STEPS } from "./undo-steps.ts";

export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = { count: 200, expirySeconds: 1800, megabytes: 256 };

export type SandboxListener = (event: "created" | "removed", sandbox: Sandbox) => void;

/** There may be many sandboxes. */
const SANDBOX_HISTORY = { count: MAX_STEPS, maxBytes: 32 * 2 ** 20 };
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Above this share of the heap no sandbox is created, regardless of the estimates. */
const HEAP_LIMIT_SHARE = 0.85;
const MAX_SWEEP_MS = 60_000;

/**
 * The sandboxes of a server, by name. Each is a branch of the server's State: collections are shared until one side
 * writes to them, so one that only reads costs a handful of pointers.
 */
export class Sandboxes {
  readonly limits: SandboxLimits;
  readonly #base: Store;
  readonly now: () => number;
  readonly #sandboxes = new Map<string, Sandbox>();
  readonly #memory: MemoryBudget;
  readonly #listeners: SandboxListener[] = [];
  keeper: SandboxKeeper | undefined;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(base: Store, limits: Partial<SandboxLimits> = {}, now: () => number = Date.now) {
    this.limits = { ...DEFAULT_SANDBOX_LIMITS, ...limits };
    this.#base = base;
    this.now = now;
    this.#memory = { maxBytes: this.limits.megabytes * 2 ** 20, usedBytes: 0, sandboxes: new Set() };
  }

  /** The sandbox of that name, made from the present data when there is none. */
  use(name: string): Sandbox {
    return this.#living(name) ? this.useExisting(name) : this.create(name);
  }

  /** The same, but throws when there is none. */
  useExisting(name: string): Sandbox {
    const known = this.get(name);
    known.usedAt = this.now();
    this.keeper?.noteUse(known);
    return known;
  }

  /** The data of the sandbox, or the data it would begin with: a dry run creates none. Throws as `use` does. */
  preview(name: string): MemoryStore {
    return this.#living(name) ? this.useExisting(name).store : this.#create(name, "current").sandbox.store;
  }

  /** Throws when the name is taken, or no more can be had. `empty`: every collection is there, without records. */
  create(name: string = randomId(), from: "current" | "empty" = "current"): Sandbox {
    const { sandbox, birth } = this.#create(name, from);
    this.adopt(sandbox);
    this.keeper?.begin(sandbox, { from, birth });
    return sandbox;
  }

  /** Adds a sandbox, or replaces the one of that name. */
  adopt(sandbox: Sandbox): void {
    this.#sandboxes.set(sandbox.name, sandbox);
    this.#sweepInTime();
    for (const listener of this.#listeners) listener("created", sandbox);
  }

  #create(name: string, from: "current" | "empty"): { readonly sandbox: Sandbox; readonly birth: number } {
    if (!NAME.test(name)) {
      throw new StandinError(
        "SANDBOX_INVALID",
        `${JSON.stringify(name)} cannot name a sandbox: use up to 100 letters, digits, dots, dashes and underscores.`,
      );
    }
    if (this.#living(name)) {
      throw new StandinError("SANDBOX_EXISTS", `The sandbox ${name} already exists. Choose another name, or reset it.`);
    }
    this.#refuseBeyondLimits();
    const { state: branch, load } = this.#main();
    const state = from === "current" ? branch : branch.loadNext(withoutRecords(branch));
    const { version: birth } = branch;
    const now = this.now();
    return { sandbox: this.make({ name, load, createdAt: now, usedAt: now }, state), birth };
  }

  /** Makes a sandbox of a state, without adding it. */
  make(facts: Pick<Sandbox, "name" | "load" | "createdAt" | "usedAt">, state: State): Sandbox {
    let journal: SandboxJournal | undefined;
    const { history } = state.settings;
    const journalFor = (data: LiveData): SandboxJournal => {
      journal = new SandboxJournal(data, this.#memory);
      return journal;
    };
    const store = new MemoryStore(state, journalFor, { ...history, ...SANDBOX_HISTORY });
    return { ...facts, store, journal: journal! };
  }

  get(name: string): Sandbox {
    const sandbox = this.#living(name);
    if (sandbox) return sandbox;
    const names = this.list().map((one) => one.name);
    throw new StandinError(
      "SANDBOX_NOT_FOUND",
      `There is no sandbox ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    );
  }

  /** The sandbox of that name, if it is in memory. */
  peek(name: string): Sandbox | undefined {
    return this.#sandboxes.get(name);
  }

  /** In the order in which they were made. */
  list(): Sandbox[] {
    this.#sweep();
    return [...this.#sandboxes.values()];
  }

  remove(name: string): void {
    this.#drop(this.get(name));
  }

  /** Drops a sandbox from memory. */
  unload(name: string): void {
    const sandbox = this.peek(name);
    if (sandbox) this.#drop(sandbox, true);
  }

  /** The changes made in a sandbox, and the records of the main data that are in the way of a promotion. */
  async changes(name: string): Promise<{ readonly changes: StateChanges; readonly conflicts: readonly Conflict[] }> {
    const { store, journal } = this.get(name);
    const changes = await inSlices(journal.changesIn(store.branch()));
    return { changes, conflicts: await findConflicts(this.#base, changes) };
  }

  /** Everything that tells a sandbox from the present main data, whichever side has changed. */
  async differences(name: string): Promise<StateChanges> {
    await this.keeper?.prepare?.();
    return inSlices(changesBetween(this.#main().state, this.get(name).store.branch()));
  }

  /**
   * Makes the changes of a sandbox one change of the main data, and lets the sandbox go on from there. With conflicts it
   * changes nothing, and throws `SANDBOX_CONFLICT`.
   */
  async promote(name: string, service: Service, options: PromoteOptions = {}): Promise<Promotion> {
    const sandbox = this.get(name);
    // The second of two at a time begins where the first one ends.
    const before = sandbox.promoting ?? Promise.resolve();
    const run = (): Promise<Promotion> => this.#promoteNow(sandbox, service, options);
    const promoting = before.then(() => this.keeper?.promote?.(sandbox, run) ?? run());
    sandbox.promoting = promoting.then(ignore, ignore);
    return promoting;
  }

  async #promoteNow(sandbox: Sandbox, service: Service, options: PromoteOptions): Promise<Promotion> {
    const { name, store, journal, load } = sandbox;
    const promotion = await journal.whilePromoting(async (taken) => {
      const applied = applyChanges(this.#base, await inSlices(journal.changesIn(taken)), {
        ...options,
        service: { ...service, store },
        isUsed: (collection, id) => journal.hasUsed(taken, collection, id),
        origin: { by: `promote:${name}`, cause: "promote" },
        expectSameData: () => {
          if (load !== this.#load) throw dataExchanged(name);
        },
      });
      const promoted = await applied.catch((thrown) => {
        if (!(thrown instanceof ConflictsFound)) throw thrown;
        throw conflictError(name, sealedConflicts(thrown.conflicts, service.store));
      });
      await this.keeper?.prepare?.();
      const main = this.#main();
      await journal.continueFrom(main.state, main.load);
      sandbox.load = main.load;
      return promoted;
    });
    sandbox.usedAt = this.now();
    return promotion;
  }

  /** Tells of every sandbox that comes and goes. */
  subscribe(listener: SandboxListener): void {
    this.#listeners.push(listener);
  }

  clear(): void {
    for (const { name } of this.list()) this.remove(name);
    this.#stopSweeping();
  }

  /** Ends all of them; those that are kept are there again in the next run. */
  close(): void {
    if (this.keeper) this.#stopSweeping();
    else this.clear();
  }

  #stopSweeping(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #living(name: string): Sandbox | undefined {
    const sandbox = this.#sandboxes.get(name);
    if (sandbox && this.isExpired(sandbox.usedAt)) this.#sweep();
    return this.#sandboxes.get(name);
  }

  isExpired(usedAt: number): boolean {
    return this.now() - usedAt > this.limits.expirySeconds * 1000;
  }

  #sweep(): void {
    for (const sandbox of [...this.#sandboxes.values()]) {
      if (this.isExpired(sandbox.usedAt)) this.#drop(sandbox, true);
    }
  }

  #drop(sandbox: Sandbox, isExpired = false): void {
    this.#sandboxes.delete(sandbox.name);
    void sandbox.store.close();
    this.keeper?.forget(sandbox.name, isExpired);
    for (const listener of this.#listeners) listener("removed", sandbox);
  }

  /** Releases memory without further requests; a server without sandboxes has no timer. */
  #sweepInTime(): void {
    if (this.#sweeper) return;
    const everyMs = Math.min(this.limits.expirySeconds * 1000, MAX_SWEEP_MS);
    const sweep = (): void => {
      this.#sweep();
      if (this.#sandboxes.size === 0) this.clear();
    };
    this.#sweeper = inBackground(setInterval(sweep, everyMs));
  }

  #refuseBeyondLimits(): void {
    this.#sweep();
    const { count } = this.limits;
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    const present = this.#sandboxes.size + (this.keeper?.others ?? 0);
    if (present < count && used_heap_size < heap_size_limit * HEAP_LIMIT_SHARE) return;
    const reason = present < count ? "The memory is nearly full" : `There are ${count} sandboxes already`;
    throw new StandinError(
      "SANDBOX_LIMIT",
      `${reason}. Remove some (DELETE /__sandboxes/<name>), or start with a larger --sandboxes.`,
    );
  }

  /** The load of the main data, as it is now. */
  get #load(): string {
    return this.#base.load ?? this.#base.epoch;
  }

  #main(): MainData {
    const branch = this.#base.branch?.();
    if (branch instanceof State) return { state: branch, load: this.#load };
    const prepared = this.keeper?.main;
    if (prepared) return { ...prepared, state: prepared.state.branch() };
    throw new StandinError("SANDBOXES_OFF", "Sandboxes need the data in memory: start with --memory.");
  }
}

function ignore(): void {}

/** The same routes, with nothing behind them. */
export function withoutRecords(state: State): JsonObject {
  const database: JsonObject = {};
  for (const [name, member] of state.members()) {
    const isCollection = member instanceof Collection;
    const value = isCollection ? [] : member.kind === "aside" ? member.value : {};
    Object.defineProperty(database, name, { value, enumerable: true });
  }
  return database;
}

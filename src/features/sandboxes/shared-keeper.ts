import { StandinError } from "../../base/errors.ts";
import { sleep } from "../../base/timers.ts";
import type { Call } from "../../http/call.ts";
import type { Handler, OpenFeature, PathParts, RouteRow } from "../../http/contract.ts";
import type { SharedHead, SharedSandboxes } from "../../store/shared-sandboxes.ts";
import { followSteps, storedIn } from "./follow-steps.ts";
import { hold, isOnHold, mustWait, type Release } from "./hold.ts";
import { MainCopies } from "./main-copies.ts";
import { isInSandbox } from "./requested-sandbox.ts";
import type { MainData, Sandbox, SandboxBirth, SandboxKeeper } from "./sandbox-keeper.ts";
import { type SandboxHead, SandboxLog, type Step } from "./sandbox-log.ts";
import { NAME, type Sandboxes } from "./sandboxes.ts";
import type { Promotion } from "./types.ts";

/** How often a write is tried that other processes come before. */
const MAX_TRIES = 50;
/** The longest wait between two of them; chance decides, so that the same two do not meet again. */
const RETRY_MS = 20;
const MAX_NOTE_MS = 5000;
const SWEEP_MS = 60_000;
/** The memory that a character of JSON takes. */
const BYTES_PER_LETTER = 4;

/**
 * Keeps sandboxes where all processes on the same data find them. Each process has those that it uses in memory: a copy of the
 * main data with the steps since. A request first takes over the steps of other processes; a write that one of them came
 * before is planned again.
 */
export class SharedKeeper implements SandboxKeeper {
  main: MainData | undefined;
  readonly #shared: SharedSandboxes;
  readonly #sandboxes: Sandboxes;
  readonly #logs = new Map<string, SandboxLog>();
  readonly #copies: MainCopies;
  readonly #arriving = new Map<string, Promise<void>>();
  readonly #removing = new Map<string, Promise<void>>();
  readonly #notedAt = new Map<string, number>();
  /** The names of all sandboxes, as last seen. */
  #names: readonly string[] = [];
  #sweptAt = 0;

  constructor(shared: SharedSandboxes, sandboxes: Sandboxes) {
    this.#shared = shared;
    this.#sandboxes = sandboxes;
    this.#copies = new MainCopies(shared, () => Array.from(this.#logs.values(), ({ head }) => head));
  }

  /** How many sandboxes there are that this process does not have in memory. */
  get others(): number {
    return this.#names.filter((name) => !this.#logs.has(name)).length;
  }

  async prepare(): Promise<void> {
    const { number, load } = await this.#shared.copyMain(
      (this.#sandboxes.limits.megabytes * 2 ** 20) / BYTES_PER_LETTER,
    );
    this.main = { state: await this.#copies.read(number), load };
    await Promise.all(this.#removing.values());
    const all = await this.#shared.list();
    this.#names = [...all].flatMap(([name, head]) => (this.#isExpired(name, head) ? [] : name));
    this.#sweepInTime();
  }

  begin(sandbox: Sandbox, { from, birth }: SandboxBirth): void {
    const { name, createdAt, load } = sandbox;
    const head = { name, createdAt, load, from, birth, version: 0, epoch: "", baseline: 0, stored: 0 };
    this.#keep(sandbox, this.#logOf(head), true);
  }

  noteUse({ name, usedAt }: Sandbox): void {
    const everyMs = Math.min(MAX_NOTE_MS, this.#sandboxes.limits.expirySeconds * 250);
    if (usedAt - (this.#notedAt.get(name) ?? 0) < everyMs) return;
    this.#notedAt.set(name, usedAt);
    // The next use notes it again.
    this.#shared.noteUse(name, usedAt).catch(() => this.#notedAt.delete(name));
  }

  /** Other processes may still use one that has expired here. */
  forget(name: string, isExpired: boolean): void {
    this.#logs.delete(name);
    this.#notedAt.delete(name);
    if (isExpired) return;
    const removing = this.#shared.remove(name).finally(() => this.#removing.delete(name));
    this.#removing.set(name, removing);
    removing.catch(() => undefined);
  }

  async forgotten(): Promise<void> {
    await Promise.all(this.#removing.values());
  }

  async forgetAll(): Promise<void> {
    await this.forgotten();
    for (const name of (await this.#shared.list()).keys()) await this.#shared.remove(name);
  }

  /** The parts of the feature that take over the changes of other processes before each request. */
  arrival(routes: readonly RouteRow[]): Pick<OpenFeature, "routes" | "arrive"> {
    return {
      arrive: (call) => (isInSandbox(call) ? this.arrive(call.sandbox ?? "") : undefined),
      routes: routes.map((row) => {
        const around =
          (method: "GET" | "POST" | "DELETE"): Handler<PathParts> =>
          async (call, service, parts) => {
            await this.#arriveAt(call, parts);
            const reply = await row[method]!(call, service, parts);
            if (method === "DELETE") await (parts.name === undefined ? this.forgetAll() : this.forgotten());
            return reply;
          };
        const { GET, POST, DELETE } = row;
        return {
          ...row,
          ...(GET && { GET: around("GET") }),
          ...(POST && { POST: around("POST") }),
          ...(DELETE && { DELETE: around("DELETE") }),
        };
      }),
    };
  }

  /** Makes everything ready that a request to one of our own routes is about. */
  async #arriveAt(call: Call, { name }: PathParts): Promise<void> {
    if (name !== undefined) return this.arrive(name);
    await this.arriveAll();
    // The body, which may name a sandbox that exists, can be read only once.
    if (call.method === "POST") await this.prepare();
  }

  async arriveAll(): Promise<void> {
    for (const [name, head] of await this.#shared.list()) if (!this.#isExpired(name, head)) await this.arrive(name);
    for (const name of [...this.#logs.keys()]) await this.arrive(name);
  }

  /** One look at the database serves all requests that wait for it, but none that came after it began. */
  async arrive(name: string): Promise<void> {
    if (!NAME.test(name)) return;
    const before = this.#arriving.get(name);
    if (before) await before.catch(() => undefined);
    const next = this.#arriving.get(name);
    if (next && next !== before) return next;
    const arriving = this.#arrive(name).finally(() => {
      if (this.#arriving.get(name) === arriving) this.#arriving.delete(name);
    });
    this.#arriving.set(name, arriving);
    return arriving;
  }

  async #arrive(name: string): Promise<void> {
    await this.#removing.get(name)?.catch(() => undefined);
    const before = this.#sandboxes.peek(name);
    if (before) await storedIn(before.journal);
    const stored = await this.#shared.find(name);
    const present = this.#sandboxes.peek(name);
    const head = stored?.head as SandboxHead | undefined;
    if (!stored || !head || this.#isExpired(name, stored)) {
      if (stored) await this.#shared.remove(name);
      if (present) this.#sandboxes.unload(name);
      return this.prepare();
    }
    const log = this.#logs.get(name);
    if (!present || !log || isAnother(head, log)) return this.#restore(name);
    if (log.head.stored < head.stored || present.journal.isAstray) await this.#follow(present, log);
  }

  #isExpired(name: string, { usedAt }: SharedHead): boolean {
    return this.#sandboxes.isExpired(Math.max(usedAt, this.#sandboxes.peek(name)?.usedAt ?? 0));
  }

  async #restore(name: string): Promise<void> {
    if (this.#sandboxes.peek(name)) this.#sandboxes.unload(name);
    const stored = await this.#shared.read(name);
    if (!stored) return this.prepare();
    const head = stored.head as SandboxHead;
    const { load, createdAt } = head;
    const state = await this.#copies.beginning(head);
    const sandbox = this.#sandboxes.make({ name, load, createdAt, usedAt: this.#sandboxes.now() }, state);
    await followSteps(sandbox.journal, { steps: [...stored.steps.values()] as Step[], head });
    this.#keep(sandbox, this.#logOf(head, [...stored.steps.keys()]), false);
    this.#sandboxes.adopt(sandbox);
  }

  /** Takes over the steps of others, or everything where they have replaced all data. */
  async #follow(sandbox: Sandbox, log: SandboxLog): Promise<void> {
    await storedIn(sandbox.journal);
    const stored = await this.#shared.read(sandbox.name);
    const head = stored?.head as SandboxHead | undefined;
    if (!stored || !head || isAnother(head, log)) return this.#restore(sandbox.name);
    const keys = [...stored.steps.keys()];
    const steps = [...stored.steps.values()] as Step[];
    const { birth, baseline } = log.head;
    const isBehind =
      !sandbox.journal.isAstray &&
      log.head.stored > 0 &&
      head.birth === birth &&
      head.baseline === baseline &&
      log.keys.every((key, position) => keys[position] === key);
    if (isBehind)
      await followSteps(sandbox.journal, { steps: steps.slice(log.keys.length), known: log.keys.length, head });
    else await followSteps(sandbox.journal, { from: await this.#copies.beginning(head), steps, head });
    Object.assign(log, { head, keys });
    sandbox.load = head.load;
    sandbox.createdAt = head.createdAt;
  }

  #logOf(head: SandboxHead, keys: readonly string[] = []): SandboxLog {
    const store: SharedSandboxes["store"] = async (values, guard) => {
      if (mustWait(log, values.get(guard.key) as SandboxHead)) return false;
      return this.#shared.store(values, guard);
    };
    const log = new SandboxLog(head, { kept: { store }, keys });
    this.#logs.set(head.name, log);
    return log;
  }

  #keep(sandbox: Sandbox, log: SandboxLog, isNew: boolean): void {
    const { store, journal } = sandbox;
    journal.keepIn(log, isNew);
    const again =
      <A extends unknown[], R>(write: (...given: A) => Promise<R> | R) =>
      (...given: A): Promise<R> =>
        this.#write(sandbox, async () => write(...given));
    store.apply = again(store.apply.bind(store));
    store.alter = again(store.alter.bind(store));
    store.swap = again(store.swap.bind(store));
    store.remake = again(store.remake.bind(store));
    store.reset = again(store.reset.bind(store));
    store.keepReceipt = again(store.keepReceipt.bind(store));
    journal.undo = again(journal.undo.bind(journal));
    journal.keepAsBaseline = again(journal.keepAsBaseline.bind(journal));
  }

  /** Writes, again if another process has written before. */
  async #write<T>(sandbox: Sandbox, write: () => Promise<T>): Promise<T> {
    const { name } = sandbox;
    const known = this.#logs.get(name)?.head.stored ?? 0;
    for (let tries = 1; ; tries++) {
      try {
        return await write();
      } catch (thrown) {
        if (!isOutdated(thrown) || tries === MAX_TRIES) throw thrown;
        const log = await this.#caughtUp(name);
        if (this.#sandboxes.get(name) !== sandbox || !log) throw thrown;
        if ((log.head.renumbered ?? 0) > known) throw idsChanged();
      }
    }
  }

  /** The log of a sandbox as all processes know it, once no promotion holds it. */
  async #caughtUp(name: string): Promise<SandboxLog | undefined> {
    for (;;) {
      await sleep(Math.random() * RETRY_MS);
      await this.arrive(name);
      const log = this.#logs.get(name);
      if (!log || !isOnHold(log)) return log;
    }
  }

  async promote(sandbox: Sandbox, run: () => Promise<Promotion>): Promise<Promotion> {
    const release = await this.#hold(sandbox);
    let promotion: Promotion | undefined;
    try {
      promotion = await run();
      return promotion;
    } finally {
      await release(promotion);
    }
  }

  async #hold({ name }: Sandbox): Promise<Release> {
    for (let log = this.#logs.get(name); log; log = await this.#caughtUp(name)) {
      try {
        if (!isOnHold(log)) return await hold(log);
      } catch (thrown) {
        if (!isOutdated(thrown)) throw thrown;
      }
    }
    throw new StandinError("SANDBOX_NOT_FOUND", `There is no sandbox ${JSON.stringify(name)}.`);
  }

  #sweepInTime(): void {
    const now = Date.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    void this.sweep();
  }

  async sweep(): Promise<void> {
    const usedBefore = this.#sandboxes.now() - this.#sandboxes.limits.expirySeconds * 1000;
    // If it fails, the next one does it.
    await this.#shared.sweep(usedBefore).catch(() => undefined);
  }
}

/** Whether another process has changed the sandbox meanwhile. If the database is away, the next look at it says so. */
function isOutdated(thrown: unknown): boolean {
  return thrown instanceof StandinError && thrown.code === "STORE_UNAVAILABLE";
}

/** Whether a sandbox was removed and created again; one that two processes create at the same time is the same. */
function isAnother(head: SandboxHead, log: SandboxLog): boolean {
  return log.head.stored > 0 && log.head.createdAt !== head.createdAt;
}

function idsChanged(): StandinError {
  return new StandinError(
    "SANDBOX_CONFLICT",
    "The sandbox was promoted at the same time, and records got new ids; nothing was written. Read them again, and " +
      "repeat the request.",
  );
}

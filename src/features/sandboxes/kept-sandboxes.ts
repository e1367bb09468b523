import { messageOf } from "../../base/errors.ts";
import { type JsonObject, parseJson } from "../../base/json/json.ts";
import { eventOf } from "../../store/indexeddb/entry.ts";
import { State } from "../../store/memory/state.ts";
import { HEADS, stepsOf } from "../../store/shared-sandboxes.ts";
import type { KeptValues } from "../../store/store.ts";
import type { SandboxJournal } from "./sandbox-journal.ts";
import type { Sandbox, SandboxBirth, SandboxKeeper } from "./sandbox-keeper.ts";
import { type SandboxHead, SandboxLog, type Step } from "./sandbox-log.ts";
import { type Sandboxes, withoutRecords } from "./sandboxes.ts";

/** Where it is kept when each sandbox was used, by its name. */
const USED = "sandboxes used";

/** Keeps sandboxes beside the main data, as their changes against it. */
export class KeptSandboxes implements SandboxKeeper {
  readonly #kept: KeptValues;
  readonly #sandboxes: Sandboxes;
  readonly #note: (text: string) => void;
  readonly #logs = new Map<string, SandboxLog>();

  constructor(kept: KeptValues, sandboxes: Sandboxes, note: (text: string) => void) {
    this.#kept = kept;
    this.#sandboxes = sandboxes;
    this.#note = note;
  }

  /** Keeps a new sandbox from now on. */
  begin({ name, journal, load, createdAt }: Sandbox, { from, birth }: SandboxBirth): void {
    const head = { name, createdAt, load, from, birth, version: 0, epoch: "", baseline: 0, stored: 0 };
    journal.keepIn(this.#logOf(head), true);
    this.noteUse();
  }

  /** Keeps the times at which sandboxes were used. */
  noteUse(): void {
    this.#kept.write(USED, () => Object.fromEntries(this.#sandboxes.list().map(({ name, usedAt }) => [name, usedAt])));
  }

  forget(name: string): void {
    const log = this.#logs.get(name);
    this.#logs.delete(name);
    this.#hold();
    void log?.remove();
  }

  /** Brings back the sandboxes of the former run. */
  async restore(): Promise<void> {
    const heads = [...this.#kept.readAll(HEADS).values()] as SandboxHead[];
    const restored: Sandbox[] = [];
    // The latest one first, since a former version of the data is found from a later one.
    for (const head of heads.sort((a, b) => b.birth - a.birth)) restored.push(...(await this.#restored(head)));
    for (const sandbox of restored.sort((a, b) => a.createdAt - b.createdAt)) this.#sandboxes.adopt(sandbox);
  }

  /** Loads a sandbox that another worker has changed. */
  async #reload(name: string): Promise<void> {
    await this.#kept.refresh();
    const head = this.#kept.read(HEADS + name) as SandboxHead | undefined;
    const [sandbox] = head ? await this.#restored(head) : [];
    if (sandbox) this.#sandboxes.adopt(sandbox);
    else this.#sandboxes.remove(name);
  }

  async #restored(head: SandboxHead): Promise<Sandbox[]> {
    const { name, createdAt, load, from, birth } = head;
    const steps = this.#kept.readAll(stepsOf(name));
    const log = this.#logOf(head, [...steps.keys()]);
    try {
      const main = this.#kept.branchAt(birth);
      if (!(main instanceof State)) return [];
      const state = from === "empty" ? main.loadNext(withoutRecords(main)) : main;
      const used = this.#kept.read(USED) as Readonly<Record<string, number>> | undefined;
      const sandbox = this.#sandboxes.make({ name, load, createdAt, usedAt: used?.[name] ?? createdAt }, state);
      await repeat(sandbox, [...steps.values()] as Step[], head);
      sandbox.journal.keepIn(log);
      return [sandbox];
    } catch (thrown) {
      this.#note(`The sandbox ${name} is lost: ${messageOf(thrown)}`);
      this.forget(name);
      return [];
    }
  }

  #logOf(head: SandboxHead, keys: readonly string[] = []): SandboxLog {
    const log = new SandboxLog(head, { kept: this.#kept, keys, reload: () => this.#reload(head.name) });
    this.#logs.set(head.name, log);
    this.#hold();
    return log;
  }

  /** Each sandbox needs the main data that it began with. */
  #hold(): void {
    const births = [...this.#logs.values()].map(({ head }) => head.birth);
    this.#kept.heldFrom = births.length === 0 ? undefined : Math.min(...births);
  }
}

/** Does the steps of a former run again. */
async function repeat({ journal, store }: Sandbox, steps: readonly Step[], head: SandboxHead): Promise<void> {
  let time = head.createdAt;
  const unsubscribe = store.subscribe((event) => journal.past.push({ time, event }));
  for (const [position, step] of steps.entries()) {
    time = step.time ?? time;
    journal.resume({ version: step.at, epoch: head.epoch });
    await repeatStep(journal, step);
    if (position + 1 === head.baseline) await journal.keepAsBaseline();
  }
  journal.resume(head);
  unsubscribe();
}

async function repeatStep(journal: SandboxJournal, { entry, undo, swap }: Step): Promise<void> {
  if (swap !== undefined) await journal.swapNow(parseJson<JsonObject>(swap), { cause: "restore" });
  if (undo && (await journal.undo(undo)).undone.length < undo) throw new Error("its history has no room.");
  const event = entry && eventOf(entry);
  if (event?.kind === "change") await journal.commit(event.change, {}, entry?.receipt);
  else if (event?.kind === "members") await journal.alter(event.edit, {});
  else if (entry?.receipt) await journal.keep(entry.receipt);
}

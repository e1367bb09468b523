import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { type Change, type Edit, isAt, type Note, type Position } from "./change.ts";
import { afterChange, Collection, type Data, type Id, Misfit, type Slotted } from "./data.ts";
import { Diverged, type Log, OutcomeUnknown } from "./log.ts";

/** The data of a scope at one position, for one request. */
export interface View extends Pick<Data, "members"> {
  readonly at: Position;
  get(member: string, id: Id): Slotted | undefined;
}

/** Plans a write on the newest data. Synchronous, and run again where others came first. Throws to refuse. */
export type Plan<T> = (draft: Draft) => T;

export interface Origin {
  readonly by: string;
  readonly cause: string;
}

interface Waiting {
  readonly plan: Plan<unknown>;
  readonly origin: Origin;
  readonly resolve: (done: Done<unknown>) => void;
  readonly reject: (thrown: unknown) => void;
}

/** The result of a plan, and the position from which on it can be read. */
export interface Done<T> {
  readonly result: T;
  readonly at: Position;
}

interface Tools {
  readonly now: () => number;
  readonly mark: () => string;
}

/**
 * Serves one scope from memory and keeps its changes in a log. A write is planned on the newest data, appended, committed
 * and announced, in this order; writes that wait meanwhile are planned together, each on what those before it leave.
 */
export class Engine {
  readonly #log: Log;
  readonly #tools: Tools;
  #data: Data;
  #at: Position;
  #waiting: Waiting[] = [];
  #isAppending = false;
  #loading: Promise<void> | undefined;
  /** How often the data were loaded: what was planned on data that are gone is not committed. */
  #loads = 0;
  readonly #newest: () => Promise<void>;
  readonly #followers = new Set<(changes: readonly Change[]) => void>();

  private constructor(log: Log, tools: Tools, { data, at }: { data: Data; at: Position }) {
    this.#log = log;
    this.#tools = tools;
    this.#data = data;
    this.#at = at;
    this.#newest = shared(() => this.#catchUp());
  }

  static async open(log: Log, tools: Tools): Promise<Engine> {
    return new Engine(log, tools, await log.load());
  }

  /** A view that shows everything that anybody was told before this call. */
  async open(): Promise<View> {
    await this.#newest();
    return viewOf(this.#data, this.#at);
  }

  write<T>(plan: Plan<T>, origin: Origin): Promise<Done<T>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ plan, origin, resolve: resolve as Waiting["resolve"], reject });
      if (!this.#isAppending) void this.#appendAll();
    });
  }

  /** Calls back with each change once it is committed, in order; returns how to stop. */
  follow(follower: (changes: readonly Change[]) => void): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  async #appendAll(): Promise<void> {
    this.#isAppending = true;
    while (this.#waiting.length > 0) await this.#append(this.#waiting.splice(0));
    this.#isAppending = false;
  }

  async #append(writes: readonly Waiting[]): Promise<void> {
    await this.#loading;
    let planned: Planned | undefined;
    const loads = this.#loads;
    try {
      await this.#log.append(this.#at, (others) => {
        if (loads !== this.#loads) throw new Diverged("the data were loaded meanwhile");
        this.#commit(others);
        planned = planAll(viewOf(this.#data, this.#at), writes, this.#tools);
        return planned;
      });
      if (loads !== this.#loads) throw new OutcomeUnknown("the data were loaded meanwhile");
      this.#commit(planned?.changes ?? []);
    } catch (thrown) {
      // The data may be others by now than those that the plans were made on.
      if (thrown instanceof Diverged || thrown instanceof OutcomeUnknown) await this.#load();
      for (const { reject } of writes) reject(thrown);
      return;
    }
    if (!planned) throw new Error("A log runs the plan of what it appends.");
    const at = this.#at;
    for (const [position, { resolve, reject }] of writes.entries()) {
      const outcome = planned.outcomes[position]!;
      if ("thrown" in outcome) reject(outcome.thrown);
      else resolve({ result: outcome.result, at });
    }
  }

  /** Takes in changes that are in the log. Those that are known already, as another reader was faster, are passed over. */
  #commit(changes: readonly Change[]): void {
    const fresh = changes.filter(({ version }) => version > this.#at.version);
    for (const change of fresh) {
      if (change.version !== this.#at.version + 1 || change.after !== this.#at.mark)
        throw new Diverged(`version ${change.version} does not follow ${this.#at.version}`);
      this.#data = fitting(this.#data, change);
      this.#at = { version: change.version, mark: change.mark };
    }
    if (fresh.length > 0) for (const follower of this.#followers) follower(fresh);
  }

  async #catchUp(): Promise<void> {
    await this.#loading;
    const before = this.#at;
    const newest = await this.#log.position();
    if (isAt(newest, this.#at) || isAt(newest, before)) return;
    try {
      if (newest.version <= before.version)
        throw new Diverged(`the log is at ${newest.version}, not ${before.version}`);
      // It says so if our own position is none of its.
      for await (const change of this.#log.read(this.#at)) this.#commit([change]);
    } catch (thrown) {
      if (!(thrown instanceof Diverged)) throw thrown;
      await this.#load();
    }
  }

  /** Starts over with what the log has. */
  #load(): Promise<void> {
    this.#loading ??= (async () => {
      try {
        const { data, at } = await this.#log.load();
        this.#data = data;
        this.#at = at;
        this.#loads++;
      } finally {
        this.#loading = undefined;
      }
    })();
    return this.#loading;
  }
}

/** Asks one question on behalf of all who wait: each is answered by one that was asked after it came. */
function shared(ask: () => Promise<void>): () => Promise<void> {
  let asking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    asking = ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return () => {
    if (!asking) return begin();
    next ??= asking
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

function fitting(data: Data, change: Change): Data {
  try {
    return afterChange(data, change);
  } catch (thrown) {
    if (thrown instanceof Misfit) throw new Diverged(thrown.message);
    throw thrown;
  }
}

function viewOf(data: Data, at: Position): View {
  return {
    members: data.members,
    at,
    get(member, id) {
      const found = data.members.get(member);
      return found instanceof Collection ? found.get(id) : undefined;
    },
  };
}

type Outcome = { readonly result: unknown } | { readonly thrown: unknown };

interface Planned {
  readonly changes: readonly Change[];
  readonly notes: readonly Note[];
  readonly outcomes: readonly Outcome[];
}

/** Plans writes one behind the other. One that is refused leaves nothing. */
function planAll(view: View, writes: readonly Waiting[], { now, mark }: Tools): Planned {
  const changes: Change[] = [];
  const notes: Note[] = [];
  let data: Data = { members: view.members };
  let at = view.at;
  const outcomes = writes.map(({ plan, origin }): Outcome => {
    const draft = new Draft(data);
    try {
      const result = plan(draft);
      notes.push(...draft.notes);
      if (draft.edits.length > 0) {
        const next = { version: at.version + 1, mark: mark() };
        changes.push({ ...next, after: at.mark, at: now(), ...origin, edits: draft.edits });
        data = draft.data;
        at = next;
      }
      return { result };
    } catch (thrown) {
      return { thrown };
    }
  });
  return { changes, notes, outcomes };
}

/** The newest data, with the edits of a plan so far. */
export class Draft {
  readonly edits: Edit[] = [];
  readonly notes: Note[] = [];
  #data: Data;

  constructor(data: Data) {
    this.#data = data;
  }

  get data(): Data {
    return this.#data;
  }

  get(member: string, id: Id): Slotted | undefined {
    return this.#collection(member).get(id);
  }

  createMember(member: string, type: "collection" | "singleton"): void {
    this.#edit({ kind: "member created", member, type });
  }

  create(member: string, value: Json): Slotted {
    const slot = this.#collection(member).nextSlot;
    this.#edit({ kind: "created", member, slot, after: value });
    return { slot, value };
  }

  /** Sets fields of a record. */
  change(member: string, { slot, value }: Slotted, fields: JsonObject): void {
    const present = value as JsonObject;
    const before = Object.fromEntries(
      Object.keys(fields).flatMap((name) => (name in present ? [[name, present[name]!]] : [])),
    );
    this.#edit({ kind: "changed", member, slot, before, after: fields });
  }

  remove(member: string, { slot, value }: Slotted): void {
    this.#edit({ kind: "removed", member, slot, before: value });
  }

  note(key: string, value: Json | undefined): void {
    this.notes.push({ key, value });
  }

  #collection(name: string): Collection {
    const member = this.#data.members.get(name);
    if (member instanceof Collection) return member;
    throw new Error(`There is no collection "${name}".`);
  }

  #edit(edit: Edit): void {
    this.#data = afterChange(this.#data, { edits: [edit] });
    this.edits.push(edit);
  }
}

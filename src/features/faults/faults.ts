import { StandinError } from "../../base/errors.ts";
import { createRandom, seedFor } from "../../base/random.ts";
import { MAX_WAIT_MS } from "../../base/wait.ts";
import { createPathMatch } from "../../http/path-pattern.ts";
import { FaultProblem, readFault, readFaults } from "./read-fault.ts";
import type { Fault, Milliseconds } from "./types.ts";

/** More rules than this at a time are a mistake. */
const MAX_RULES = 1000;
/** Upper bound for all rules together, as JSON. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** An active rule. */
export interface ActiveFault {
  readonly id: string;
  readonly fault: Fault;
  /** How often it happened. */
  hits: number;
  /** How many requests it was for, those that it let pass included. */
  seen: number;
  /** Whether it is switched off. It keeps its hits. */
  isOff: boolean;
}

/** The facts of a request that rules match. */
export interface FaultRequest {
  readonly method: string;
  /** As the client sent it, and as it was rewritten. */
  readonly clientPath: string;
  readonly path: string;
  readonly sandbox: string | undefined;
}

interface Rule extends ActiveFault {
  readonly matchesPath: (path: string) => boolean;
  readonly random: () => number;
  /** Given at the start: stays when the others are cleared. */
  readonly isFixed: boolean;
  /** Of its JSON. */
  readonly length: number;
}

/** A fault that applies to a request. */
export interface Hit {
  /** The id of the rule; undefined where the request itself asked for the fault. */
  readonly id: string | undefined;
  readonly fault: Fault;
  /** How long to wait, for a latency. */
  readonly delayMs: number;
}

/** The fault rules. Each has its own random numbers, so that rules do not influence each other. */
export class Faults {
  readonly #seed: number | undefined;
  readonly #watchers: (() => void)[] = [];
  #rules: readonly Rule[] = [];
  #lastId = 0;

  constructor(seed?: number) {
    this.#seed = seed;
  }

  /** Adds a rule or a list of them as clients write them: all or none. Within a sandbox, they concern it alone. */
  addGiven(given: unknown, sandbox: string | undefined): ActiveFault[] {
    try {
      const rules = Array.isArray(given) ? readFaults(given) : [readFault(given)];
      return this.add(sandbox === undefined ? rules : rules.map((rule) => ({ ...rule, sandbox })));
    } catch (thrown) {
      if (!(thrown instanceof FaultProblem)) throw thrown;
      const { key, message } = thrown;
      throw new StandinError("FAULT_INVALID", key === "" ? `A fault ${message}` : `"${key}" ${message}`);
    }
  }

  /** All of them or none. Those given at the start are fixed. */
  add(faults: readonly Fault[], isFixed = false): ActiveFault[] {
    if (this.#rules.length + faults.length > MAX_RULES) {
      throw new StandinError("FAULT_INVALID", `At most ${MAX_RULES} faults at a time. DELETE /__faults removes them.`);
    }
    const measured = faults.map((fault) => ({ fault, length: JSON.stringify(fault).length }));
    if ([...this.#rules, ...measured].reduce((sum, { length }) => sum + length, 0) > MAX_LENGTH) {
      const most = MAX_LENGTH / 2 ** 20;
      throw new StandinError(
        "FAULT_INVALID",
        `All faults together may have ${most} MB. Send shorter bodies, or remove faults with DELETE /__faults.`,
      );
    }
    const added = measured.map(({ fault, length }): Rule => {
      const active = { id: String(++this.#lastId), fault, hits: 0, seen: 0, isOff: false };
      return { ...active, ...this.#tests(active), isFixed, length };
    });
    this.#setRules([...this.#rules, ...added]);
    return added;
  }

  #tests({ id, fault }: ActiveFault): Pick<Rule, "random" | "matchesPath"> {
    const seed = fault.seed ?? (this.#seed === undefined ? undefined : seedFor(this.#seed, id));
    const random = seed === undefined ? Math.random : createRandom(seed);
    return { random, matchesPath: fault.path === undefined ? () => true : createPathMatch(fault.path) };
  }

  /** Those that were added since the start, for another run. */
  get added(): ActiveFault[] {
    const fixed = new Set(this.#rules.filter(({ isFixed }) => isFixed).map(({ id }) => id));
    return this.list().filter(({ id }) => !fixed.has(id));
  }

  /** Goes on with those of another run. */
  restore(added: readonly ActiveFault[]): void {
    const rules = added.map((one): Rule => {
      const length = JSON.stringify(one.fault).length;
      return { ...one, ...this.#tests(one), isFixed: false, length };
    });
    this.#lastId = Math.max(this.#lastId, ...added.map(({ id }) => Number(id)));
    this.#rules = [...this.#rules, ...rules];
  }

  /** All of them, or those of one sandbox. */
  list(sandbox?: string): ActiveFault[] {
    const rules = this.#rules.filter(({ fault }) => sandbox === undefined || fault.sandbox === sandbox);
    return rules.map(({ id, fault, hits, seen, isOff }) => ({ id, fault, hits, seen, isOff }));
  }

  remove(id: string, sandbox?: string): void {
    const found = this.list(sandbox).find((rule) => rule.id === id);
    if (!found) throw noFault(id, "remove");
    this.#setRules(this.#rules.filter((rule) => rule.id !== id));
  }

  /** Those of one sandbox, or all but those that were given at the start. */
  clear(sandbox?: string): void {
    this.#setRules(
      this.#rules.filter(({ fault, isFixed }) => (sandbox === undefined ? isFixed : fault.sandbox !== sandbox)),
    );
  }

  /** Switches one off or on; without an id all, or those of one sandbox. */
  turn(isOff: boolean, sandbox?: string, id?: string): ActiveFault[] {
    const chosen = this.list(sandbox).filter((rule) => id === undefined || rule.id === id);
    if (id !== undefined && chosen.length === 0) throw noFault(id, "change");
    const ids = new Set(chosen.map((rule) => rule.id));
    for (const rule of this.#rules) if (ids.has(rule.id)) rule.isOff = isOff;
    this.#tell();
    return this.list(sandbox).filter((rule) => ids.has(rule.id));
  }

  /** Whether there are any to look at. */
  get hasRules(): boolean {
    return this.#rules.some(({ isOff }) => !isOff);
  }

  /** Calls back with every change of the rules, and after each hit. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  #setRules(rules: readonly Rule[]): void {
    this.#rules = rules;
    this.#tell();
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** The faults of a request: every latency that applies, and the first of any other kind. */
  meet(request: FaultRequest): Hit[] {
    const hits: Hit[] = [];
    let hasPassed = false;
    for (const rule of this.#rules) {
      if (rule.isOff || !isFor(rule, request)) continue;
      const isPassed = rule.seen++ < (rule.fault.skip ?? 0);
      hasPassed ||= isPassed;
      if (isPassed || isOver(rule)) continue;
      if (rule.fault.fault !== "latency" && hits.some(({ fault }) => fault.fault !== "latency")) continue;
      if (rule.fault.probability !== undefined && rule.random() >= rule.fault.probability) continue;
      rule.hits++;
      const { id, fault } = rule;
      hits.push({ id, fault, delayMs: fault.fault === "latency" ? draw(fault.ms, rule.random) : 0 });
    }
    if (hits.length > 0 || hasPassed) this.#tell();
    return hits;
  }
}

function noFault(id: string, todo: string): StandinError {
  return new StandinError("FAULT_NOT_FOUND", `There is no fault ${JSON.stringify(id)} to ${todo}.`);
}

function isFor({ fault, matchesPath }: Rule, { method, clientPath, path, sandbox }: FaultRequest): boolean {
  if (fault.sandbox !== undefined && (fault.sandbox ?? undefined) !== sandbox) return false;
  if (fault.method !== undefined && ![fault.method].flat().some((one) => one.toUpperCase() === method)) return false;
  if (fault.collection !== undefined && !isAbout(fault.collection, path)) return false;
  return matchesPath(clientPath) || matchesPath(path);
}

/** `/companies/1/products` is about both. */
function isAbout(collection: string, path: string): boolean {
  const [, first, , child] = path.toLowerCase().split("/");
  const wanted = encodeURIComponent(collection).toLowerCase();
  return first === wanted || child === wanted;
}

function isOver({ fault, hits }: Rule): boolean {
  return fault.count !== undefined && hits >= fault.count;
}

function draw(ms: Milliseconds, random: () => number): number {
  if (typeof ms === "number") return ms;
  if ("min" in ms) return Math.round(ms.min + random() * (ms.max - ms.min));
  // Box and Muller: two even numbers make a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(Math.round(ms.median * Math.exp(ms.sigma * normal)), MAX_WAIT_MS);
}

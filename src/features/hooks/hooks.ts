import type { Clock } from "../../base/clock.ts";
import type { Clocks } from "../../base/clocks.ts";
import { messageOf, StandinError } from "../../base/errors.ts";
import type { Json } from "../../base/json/json.ts";
import { Waiting } from "../../base/waiting-readers.ts";
import type { Service } from "../../http/contract.ts";
import { writeOnlyFields } from "../../schema/rules/rules.ts";
import type { SharedJobs } from "../../store/shared-jobs.ts";
import type { LeftChange, PastEvent, Store } from "../../store/store.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";
import { sandboxesFeature } from "../sandboxes/feature.ts";
import { targetProblem } from "./allowed-target.ts";
import type { HookRules, KnownHook } from "./hook-rules.ts";
import { HookScope, type ScopeParts } from "./hook-scope.ts";
import { isUnfinished, type Job, type JobsScope, showDelivery, showJob } from "./job.ts";
import type { Held } from "./job-list.ts";
import type { JobLog } from "./job-log.ts";
import { moveClock } from "./read-move.ts";
import { createRunJob } from "./run-job.ts";
import type { Outgoing } from "./send.ts";
import type { SharedScope } from "./shared-scope.ts";
import { REAL_TIMING } from "./timing.ts";
import type { ClockState, Delivery, DeliveryFilter, DueJob } from "./types.ts";

/** How often to look for deliveries of other processes. */
const LOOK_MS = 250;

/** Tens of thousands may wait, each with a body whose secrets are to be masked. */
const MAX_SHOWN = 500;

export interface HooksParts {
  readonly service: Service;
  readonly rules: HookRules;
  readonly log: JobLog | undefined;
  send(outgoing: Outgoing): Promise<number>;
  /** Why nothing is sent to an address, as far as that is known before its name is looked up. */
  refusal(address: string): Promise<string | undefined>;
  /** Hears of every job that has changed its state, and of moves of a clock. */
  tell(): void;
}

/** The jobs and deliveries of a server: of its main data, and of each of its sandboxes. */
export class Hooks {
  readonly rules: HookRules;
  readonly #parts: HooksParts;
  readonly #clocks: Clocks;
  readonly #scopes = new Map<string | undefined, HookScope>();
  /** The jobs of the main data, where other processes see them, too. */
  #shared: SharedScope | undefined;
  /** Settles when the jobs of the latest change are made. */
  #making: Promise<void> = Promise.resolve();
  readonly #waiting = new Waiting();
  /** Counts changes of jobs. */
  #changes = 0;
  #isStopped = false;

  constructor(parts: HooksParts) {
    this.#parts = parts;
    this.rules = parts.rules;
    this.#clocks = parts.service.clocks;
  }

  /** Goes on where an earlier run has ended. */
  async open(): Promise<void> {
    const { service, rules } = this.#parts;
    if (service.store.jobs) return this.#openShared(service.store.jobs);
    const sandboxes = service.offer(sandboxesFeature);
    sandboxes?.subscribe((event, { name }) => {
      if (event === "removed")
        void this.#scopes
          .get(name)
          ?.close()
          .then(() => this.#scopes.delete(name));
      else if (!rules.isEmpty && this.#hasOwnTime(name)) this.scope(name);
    });
    rules.watch(() => {
      const names = (sandboxes?.list() ?? []).map((one) => one.name).filter((name) => this.#hasOwnTime(name));
      for (const name of [undefined, ...names]) this.scope(name);
      this.#parts.tell();
    });
    if (rules.isEmpty || service.settings.readOnly) return;
    const main = this.scope(undefined);
    const { log } = this.#parts;
    if (!log) return;
    const { upTo, history, jobs, clock } = log.read(service.reporter.warn);
    // A start with a time sets the time; the end of a worker is no start.
    const { kind } = service.clocks.main;
    if (clock && (kind === "real" || (kind === "stopped" && service.store.kept))) service.clocks.main.takeOver(clock);
    main.resume(jobs, upTo ?? main.upTo);
    if (upTo !== undefined) await this.#catchUp(main, service.store, history);
    await log.rewrite(() => main.logged);
    service.clocks.main.watch(
      () => void log.append({ clock: service.clocks.main.setting ?? null }).catch(() => undefined),
    );
    main.start();
  }

  /** Joins the other processes on the data. */
  async #openShared(jobs: SharedJobs): Promise<void> {
    const { service, rules, tell } = this.#parts;
    const { main } = service.clocks;
    const { SharedScope } = await import("./shared-scope.ts");
    const shared = new SharedScope(this.#scopeParts(undefined, service.store), jobs);
    this.#shared = shared;
    const follow = async (): Promise<void> => {
      rules.takeOver((await jobs.settings()).hooks);
      this.#beginShared();
      tell();
    };
    // A time of one's own is a wish for all.
    if (main.kind === "stopped") await jobs.saveClock(main.setting);
    else await shared.followClock();
    await follow();
    jobs.watch(() => {
      const warn = (thrown: unknown): void => service.reporter.warn(`Hooks and clock: ${messageOf(thrown)}`);
      void Promise.all([shared.followClock(), follow()]).catch(warn);
    });
  }

  /** Makes the jobs of changes that were saved right before the last run ended. */
  async #catchUp(main: HookScope, store: Store, isOfHistory: boolean): Promise<void> {
    const { history, leftChanges = pastChanges(store.past) } = store;
    const from = main.upTo;
    const left = leftChanges.filter(({ version }) => version > from);
    // An edit of the file by another program takes the place of the journal.
    const first = left[0]?.version ?? Number.POSITIVE_INFINITY;
    const missed = history && isOfHistory ? (await history.list({ limit: history.latest - from })).versions : [];
    for (const { version, time, kind, by, isKept } of missed.toReversed()) {
      if (version <= from || version >= first || kind !== "change" || !isKept || !history) continue;
      const { edits } = await history.find(version);
      await main.catchUp({ version, edits, time, depth: by.startsWith("hook:") ? 1 : 0 });
    }
    for (const { edits, ...change } of left) await (edits ? main.catchUp({ ...change, edits }) : main.dropUnbegun());
    main.upTo = history?.latest ?? leftChanges.at(-1)?.version ?? 0;
  }

  /** Settles when the changes so far have their jobs, where those are saved. */
  async noted(): Promise<void> {
    await this.#scopes.get(undefined)?.noted();
  }

  /** The jobs of a sandbox, or of the main data. */
  scope(sandbox: string | undefined): HookScope {
    const known = this.#scopes.get(sandbox);
    if (known) return known;
    const { service } = this.#parts;
    const store = sandbox === undefined ? service.store : service.offer(sandboxesFeature)?.get(sandbox).store;
    if (!store) throw new StandinError("SANDBOXES_OFF", "This server has no sandboxes.");
    const scope = new HookScope(this.#scopeParts(sandbox, store));
    if (!service.settings.readOnly) scope.begin();
    this.#scopes.set(sandbox, scope);
    return scope;
  }

  #scopeParts(sandbox: string | undefined, store: Store): ScopeParts {
    const { service, rules, send, log } = this.#parts;
    return {
      store,
      rules,
      unsent: (collection) => this.#unsentFields(collection),
      clocks: service.clocks,
      sandbox,
      log: sandbox === undefined ? log : undefined,
      run: createRunJob({ store, rules, send }),
      held: () => this.#held,
      inTurn: (make) => {
        const making = this.#making.then(make);
        this.#making = making.catch(() => undefined);
        return making;
      },
      onChange: () => {
        this.#changes++;
        this.#waiting.look();
        this.#parts.tell();
      },
      warn: service.reporter.warn,
      timing: REAL_TIMING,
    };
  }

  /** A sandbox of its own is no way around the limits. */
  get #held(): Held {
    const sum = { waiting: 0, waitingLength: 0, endedLength: 0 };
    for (const { jobs } of this.#scopes.values()) {
      sum.waiting += jobs.held.waiting;
      sum.waitingLength += jobs.held.waitingLength;
      sum.endedLength += jobs.held.endedLength;
    }
    return sum;
  }

  /** Those that there are; a scope without jobs may not be there yet. */
  #known(sandbox: string | undefined): JobsScope | undefined {
    return sandbox === undefined ? (this.#shared ?? this.#scopes.get(sandbox)) : this.#scopes.get(sandbox);
  }

  /** Fields of a collection that no webhook has: those that no response shows, and the secrets of subscribers. */
  #unsentFields(collection: string): ReadonlySet<string> {
    const { service, rules } = this.#parts;
    return new Set([
      ...writeOnlyFields(service.offer(rulesFeature)?.rules.get(collection)),
      ...(service.offer(documentFeature)?.api.unshownFieldsOf(collection) ?? []),
      ...service.features.flatMap((feature) => feature.unshownFields?.(collection) ?? []),
      ...(rules.hooks.some(({ hook }) => hook.subscribers === collection) ? ["secret"] : []),
    ]);
  }

  clock(sandbox: string | undefined): Clock {
    return this.#clocks.of(sandbox);
  }

  /** Moves a clock; resolves when everything that became due has run. */
  async move(sandbox: string | undefined, time: () => number): Promise<ClockState> {
    if (this.rules.isEmpty && !this.#known(sandbox)) this.clock(sandbox).set(time());
    else await (this.#known(sandbox) ?? this.scope(sandbox)).moveTo(time);
    return this.clockState(sandbox);
  }

  /** Changes how a clock goes. */
  async change(sandbox: string | undefined, change: (clock: Clock) => void): Promise<ClockState> {
    await (this.#shared ? this.#shared.turn(change) : change(this.clock(sandbox)));
    return this.clockState(sandbox);
  }

  /** Adds, changes or removes a hook, in every process. */
  async rule<T>(change: (rules: HookRules) => T): Promise<T> {
    const { jobs, history } = this.#parts.service.store;
    if (!jobs) return change(this.rules);
    if (!history) throw new StandinError("HISTORY_OFF", "On PostgreSQL, hooks need the history, which is off here.");
    this.rules.takeOver((await jobs.settings()).hooks);
    const result = change(this.rules);
    await jobs.saveHooks(this.rules.changed);
    this.#beginShared();
    return result;
  }

  /** Why no delivery of a hook will be sent, with the line to add to the config. */
  async problemOf({ hook, isGiven }: KnownHook): Promise<string | undefined> {
    const { targets } = this.rules;
    if (hook.to !== undefined) {
      return (isGiven ? undefined : targetProblem(hook.to, targets)) ?? this.#parts.refusal(hook.to);
    }
    if (targets.length > 0) return undefined;
    return 'TARGET_NOT_ALLOWED: add "hookTargets" with the origins of the subscribers to the config, such as ["http://localhost:4000"].';
  }

  /** A read-only process leaves all jobs to others. */
  #beginShared(): void {
    if (!this.rules.isEmpty && !this.#parts.service.settings.readOnly) this.#shared?.begin();
  }

  /** A sandbox of a page has the time of the main data, and no timeline. */
  #hasOwnTime(sandbox: string): boolean {
    return this.clock(sandbox) !== this.#clocks.main;
  }

  /** Moves a clock as a request asks for. */
  async turn(sandbox: string | undefined, move: Json | undefined): Promise<ClockState> {
    if (sandbox !== undefined && !this.#hasOwnTime(sandbox)) {
      throw new StandinError("OPTION_UNAVAILABLE", "A sandbox has a time of its own only where standin runs on Node.");
    }
    try {
      return await moveClock(this, sandbox, move);
    } finally {
      this.#parts.tell();
    }
  }

  clockState(sandbox: string | undefined): ClockState {
    const clock = this.clock(sandbox);
    return { now: new Date(clock.now()).toISOString(), kind: clock.kind, rate: clock.rate };
  }

  /** What is due, in the order of time. */
  async due(sandbox: string | undefined): Promise<DueJob[]> {
    return (await this.jobs(sandbox)).filter(isUnfinished).map(showJob);
  }

  async jobs(sandbox: string | undefined): Promise<readonly Job[]> {
    return (await this.#known(sandbox)?.all()) ?? [];
  }

  /** The latest, newest first. */
  async deliveries(sandbox: string | undefined, filter: DeliveryFilter = {}): Promise<Delivery[]> {
    return (await this.#jobsLike(sandbox, filter)).slice(-MAX_SHOWN).map(showDelivery).toReversed();
  }

  async #jobsLike(sandbox: string | undefined, { hook, status, event }: DeliveryFilter): Promise<readonly Job[]> {
    return (await this.jobs(sandbox)).filter(
      (job) =>
        job.kind === "delivery" &&
        (hook === undefined || job.rule === hook) &&
        (status === undefined || job.state === status) &&
        (event === undefined || job.event === event),
    );
  }

  /** Resolves when there is a delivery like that, or the time is over. */
  async untilDelivery(sandbox: string | undefined, filter: DeliveryFilter, ms: number): Promise<Delivery | undefined> {
    for (const end = performance.now() + ms; ; ) {
      const changes = this.#changes;
      const [found] = await this.#jobsLike(sandbox, filter);
      const left = end - performance.now();
      if (found || left <= 0 || this.#isStopped) return found && showDelivery(found);
      // Other processes do not tell of theirs.
      await this.#waiting.until(() => this.#changes !== changes, this.#shared ? Math.min(left, LOOK_MS) : left);
    }
  }

  async delivery(sandbox: string | undefined, id: string): Promise<Job> {
    const job = (await this.jobs(sandbox)).find((one) => one.id === id && one.kind === "delivery");
    if (job) return job;
    throw new StandinError("DELIVERY_NOT_FOUND", `There is no delivery ${id}. GET /__deliveries lists the latest.`);
  }

  /** Sends a delivery again, under its id and with the next number. */
  async redeliver(sandbox: string | undefined, id: string): Promise<Delivery> {
    const job = await this.delivery(sandbox, id);
    if (job.state === "sending") throw new StandinError("HOOK_INVALID", `The delivery ${id} is being sent right now.`);
    await (this.#known(sandbox) ?? this.scope(sandbox)).repeat(job);
    return showDelivery(job);
  }

  /** Ends waiting readers. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.close();
  }

  async close(): Promise<void> {
    await this.#shared?.close();
    for (const scope of this.#scopes.values()) await scope.close();
    await this.#parts.log?.close();
  }
}

/** The latest changes of an earlier run, where the store knows those. */
function pastChanges(past: readonly PastEvent[] = []): LeftChange[] {
  return past.flatMap(({ time, event }) => {
    if (event.kind === "change") return { ...event.change, time, depth: 0 };
    return event.kind === "exchange" ? { version: event.version, time, depth: 0 } : [];
  });
}

import type { Clock } from "../../base/clock.ts";
import type { Clocks } from "../../base/clocks.ts";
import { messageOf } from "../../base/errors.ts";
import { inBackground } from "../../base/timers.ts";
import type { Store, StoreEvent, Write } from "../../store/store.ts";
import type { HookRules } from "./hook-rules.ts";
import { type Job, type JobScope, type JobsScope, laneOf, type RunJob, receiptOf } from "./job.ts";
import { type Held, JobList, MAX_JOBS_LENGTH } from "./job-list.ts";
import type { JobLog, LoggedJobs } from "./job-log.ts";
import { type HookedChange, jobsOfChange } from "./jobs-of-change.ts";
import { clockBusy } from "./read-move.ts";
import type { Timing } from "./timing.ts";

/** Deliveries at a time, of all hooks together. */
export const MAX_RUNNING = 8;
/** The most that one move of the clock runs. */
export const MAX_JOBS = 1000;
export const MAX_MOVE_MS = 30_000;
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** Changes without jobs are noted once in so many, so that a new run has few to look at. */
const NOTED_EVERY = 100;

export interface ScopeParts {
  readonly store: Store;
  readonly rules: HookRules;
  readonly clocks: Clocks;
  /** The name of the sandbox, if it is one. */
  readonly sandbox: string | undefined;
  /** Fields of a collection that no webhook has. */
  readonly unsent: (collection: string) => ReadonlySet<string>;
  /** Where jobs outlive the process; undefined where the data does not. */
  readonly log: JobLog | undefined;
  readonly run: RunJob;
  /** What the jobs of all scopes take up. */
  readonly held: () => Held;
  /** Makes the jobs of one change at a time, so that each knows what those of other scopes take up. */
  readonly inTurn: (make: () => Promise<void>) => Promise<void>;
  /** Hears of every job that has changed its state. */
  readonly onChange: () => void;
  readonly warn: (text: string) => void;
  readonly timing: Timing;
}

/** The jobs of the main data, or of a sandbox: made by its changes, and run by its clock. */
export class HookScope implements JobScope, JobsScope {
  readonly jobs = new JobList();
  readonly #parts: ScopeParts;
  readonly #clock: Clock;
  #unsubscribe: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The lanes in which a job is under way. */
  readonly #busy = new Map<string, Promise<void>>();
  /** Those to be run although time stands still. */
  readonly #wanted = new Set<Job>();
  /** Settles when the events so far have their jobs. */
  #taking: Promise<void> = Promise.resolve();
  #moving: Promise<unknown> = Promise.resolve();
  #isMoving = false;
  #isClosed = false;
  /** The version up to which changes have their jobs. */
  upTo: number;
  #notedUpTo: number;

  constructor(parts: ScopeParts) {
    this.#parts = parts;
    this.#clock = parts.clocks.of(parts.sandbox);
    this.upTo = parts.store.history?.latest ?? 0;
    this.#notedUpTo = this.upTo;
    this.#clock.watch(() => this.#runDue());
  }

  get clock(): Clock {
    return this.#clock;
  }

  get sandbox(): string | undefined {
    return this.#parts.sandbox;
  }

  /** Makes jobs of changes from now on. */
  begin(): void {
    this.#unsubscribe ??= this.#parts.store.subscribe((event) => this.#take(event));
  }

  /** Makes jobs of a change that an earlier run has not come to. */
  async catchUp(change: HookedChange): Promise<void> {
    await this.#make(change);
  }

  #take(event: StoreEvent): void {
    const time = this.#clock.now();
    const taking = this.#taking.then(() => this.#note(event, time));
    this.#taking = taking.catch((thrown) => this.#parts.warn(`A change has no webhooks: ${messageOf(thrown)}`));
  }

  async #note(event: StoreEvent, time: number): Promise<void> {
    if (event.kind === "change") {
      const { change, depth = 0 } = event;
      await this.#make({ ...change, time: event.time ?? time, depth });
      if (!this.#isMoving) this.#runDue();
      return;
    }
    this.upTo = event.version;
    // What is due stays so when another program edits the file.
    if (event.kind === "exchange" && !event.isOutside) await this.dropUnbegun();
  }

  /** Drops what follows from records that are gone: steps, and webhooks that nobody has begun to send. */
  async dropUnbegun(): Promise<void> {
    const dropped = this.jobs.drop(({ kind, attempts }) => kind === "timeline" || attempts.length === 0);
    if (dropped.length === 0) return;
    for (const job of dropped) this.#wanted.delete(job);
    await this.#parts.log?.append({ dropped: dropped.map(({ id }) => id) });
    this.#parts.onChange();
  }

  /** Settles when the changes so far have their jobs. */
  noted(): Promise<void> {
    return this.#taking;
  }

  #make(change: HookedChange): Promise<void> {
    return this.#parts.inTurn(() => this.#makeNow(change));
  }

  async #makeNow(change: HookedChange): Promise<void> {
    const { log, held, onChange } = this.#parts;
    const made = await jobsOfChange(change, this.#parts, held);
    const jobs = made ?? [];
    this.upTo = change.version;
    // A change that had too many is noted, too, so that no start counts them again.
    if (!made || jobs.length > 0 || change.version - this.#notedUpTo >= NOTED_EVERY) {
      this.#notedUpTo = change.version;
      await log?.append({ upTo: change.version, jobs });
    }
    this.jobs.add(jobs);
    if (jobs.length > 0) onChange();
  }

  /** Runs what is due by now, and wakes up for the next one. */
  #runDue(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#isMoving) return;
    // While time stands still, jobs run only where it is moved on, or where somebody asks for one.
    const isStopped = this.#clock.kind === "stopped";
    if (isStopped && this.#wanted.size === 0) return;
    const now = this.#clock.now();
    while (this.#busy.size < MAX_RUNNING) {
      const job = isStopped
        ? [...this.#wanted].find((one) => !this.#busy.has(laneOf(one)))
        : this.jobs.firstFree(this.#busy);
      if (!job || job.dueAt > now) break;
      const lane = laneOf(job);
      const running = this.#run(job).finally(() => {
        this.#busy.delete(lane);
        this.#runDue();
      });
      this.#busy.set(lane, running);
    }
    const next = this.#busy.size < MAX_RUNNING ? this.jobs.firstFree(this.#busy) : undefined;
    const ms = next ? this.#clock.realMsUntil(next.dueAt) : Number.POSITIVE_INFINITY;
    if (ms < MAX_TIMER_MS) this.#timer = inBackground(setTimeout(() => this.#runDue(), Math.ceil(ms)));
  }

  async #run(job: Job): Promise<void> {
    const { run, log, held, onChange, warn } = this.#parts;
    this.jobs.begin(job);
    this.#wanted.delete(job);
    try {
      await run(job, this);
    } catch (thrown) {
      job.state = "failed";
      job.reason = messageOf(thrown);
      warn(`${job.rule} failed: ${job.reason}`);
    }
    if (job.state === "waiting") this.jobs.repeat(job);
    else this.jobs.end(job);
    while (held().endedLength > MAX_JOBS_LENGTH && this.jobs.held.endedLength > 0) this.jobs.forget();
    await this.log(job).catch((thrown) => warn(`The state of a webhook cannot be saved: ${messageOf(thrown)}`));
    if (log?.isTooLong) await log.rewrite(() => this.logged);
    onChange();
  }

  /** What a new run has to know. */
  get logged(): LoggedJobs {
    const history = this.#parts.store.history !== undefined;
    return { upTo: this.upTo, history, jobs: this.jobs.all, clock: this.#clock.setting };
  }

  async log({ id, dueAt, state, attempts, reason }: Job): Promise<void> {
    await this.#parts.log?.append({ job: { id, dueAt, state, attempts, reason } });
  }

  async write(job: Job, write: Write): Promise<void> {
    const { clocks, sandbox, store } = this.#parts;
    const receipt = this.#parts.log && receiptOf(job, this.#clock);
    const isMade = receipt && (await store.findReceipt(receipt.key)).receipt;
    if (isMade) return;
    const options = { by: `hook:${job.rule}`, depth: job.depth + 1, receipt };
    const apply = () => store.apply(write, options);
    await (sandbox === undefined ? apply() : clocks.within(sandbox, apply));
    await this.#taking;
  }

  async repeat(job: Job): Promise<void> {
    job.state = "waiting";
    job.dueAt = this.#clock.now();
    this.jobs.repeat(job);
    this.#wanted.add(job);
    await this.log(job);
    this.#runDue();
  }

  async all(): Promise<readonly Job[]> {
    await this.#taking;
    return this.jobs.all;
  }

  async turn(change: (clock: Clock) => void): Promise<void> {
    change(this.#clock);
  }

  moveTo(time: () => number): Promise<void> {
    const moving = this.#moving.then(() => this.#moveTo(time()));
    this.#moving = moving.catch(() => undefined);
    return moving;
  }

  async #moveTo(time: number): Promise<void> {
    await this.#taking;
    const { rate } = this.#clock;
    // What runs on the way takes no time: else what it causes might become due after the end. Throws where it cannot move.
    this.#clock.run(0);
    this.#isMoving = true;
    try {
      await Promise.all(this.#busy.values());
      // An earlier time runs nothing, and moves nothing that is due.
      if (time >= this.#clock.now()) await this.#runUntil(time);
      this.#clock.set(time);
    } finally {
      if (rate > 0) this.#clock.run(rate);
      this.#isMoving = false;
      this.#runDue();
    }
  }

  async #runUntil(time: number): Promise<void> {
    const { timing } = this.#parts;
    const giveUpAt = timing.elapsed() + MAX_MOVE_MS;
    for (let count = 0; ; count++) {
      const [job] = this.jobs.waiting;
      if (!job || job.dueAt > time) return;
      if (count >= MAX_JOBS || timing.elapsed() > giveUpAt) {
        throw clockBusy(this.#clock, count, this.jobs.waiting.filter(({ dueAt }) => dueAt <= time).length);
      }
      if (job.dueAt > this.#clock.now()) this.#clock.set(job.dueAt);
      await this.#run(job);
      await this.#taking;
    }
  }

  /** Takes over the jobs of an earlier run. */
  resume(jobs: readonly Job[], upTo: number): void {
    this.upTo = upTo;
    this.#notedUpTo = upTo;
    for (const job of jobs) if (job.state === "sending") job.state = "waiting";
    this.jobs.add(jobs);
    for (const job of jobs) {
      if (job.state === "waiting") continue;
      this.jobs.begin(job);
      this.jobs.end(job);
    }
  }

  /** Begins with what is due. */
  start(): void {
    this.#runDue();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    await this.#taking;
  }
}

import type { Clock } from "../../base/clock.ts";
import { messageOf, StandinError } from "../../base/errors.ts";
import { createHash } from "../../base/platform/crypto.ts";
import { inBackground, sleep } from "../../base/timers.ts";
import { randomId } from "../../store/ids.ts";
import { RequestRepeated } from "../../store/receipts.ts";
import type { LaneLease, LeasedJob, SharedJob, SharedJobs } from "../../store/shared-jobs.ts";
import type { Write } from "../../store/store.ts";
import { MAX_JOBS, MAX_MOVE_MS, MAX_RUNNING, MAX_TIMER_MS, type ScopeParts } from "./hook-scope.ts";
import { isUnfinished, type Job, type JobScope, type JobsScope, laneOf, receiptOf } from "./job.ts";
import { jobsOfChange } from "./jobs-of-change.ts";
import { clockBusy } from "./read-move.ts";

type SharedParts = Omit<ScopeParts, "held" | "inTurn">;

/** How often to look for what other processes have left behind, or begun. */
const LOOK_MS = 5000;
const RENEW_MS = 10_000;
/** How long to wait for another process. */
const WAIT_MS = 20;
/** A job that is due, but not to be had: somebody else takes it, or moves the clock. */
const TAKEN_MS = 250;

/** Its state could not be saved, so that another process may run it, or does: this one must not go on. */
class LeaseLost extends Error {}

/** The jobs of data that several processes serve: each is run by one of them, and the others take over if that ends. */
export class SharedScope implements JobScope, JobsScope {
  readonly sandbox = undefined;
  readonly clock: Clock;
  readonly #parts: SharedParts;
  readonly #jobs: SharedJobs;
  readonly #leases = new Map<string, LaneLease>();
  readonly #busy = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  /** Set once it makes and runs jobs; a read-only process leaves them to others. */
  #stopLooking: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #isStale = false;
  #isMoving = false;
  #isClosed = false;
  /** Counts what this process does to the clock: what was read before is outdated. */
  #moves = 0;

  constructor(parts: SharedParts, jobs: SharedJobs) {
    this.#parts = parts;
    this.#jobs = jobs;
    this.clock = parts.clocks.main;
  }

  /** Makes jobs of changes from now on, and runs those that are due. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#jobs.begin(() => this.#look());
    this.#stopLooking = this.#parts.timing.every(LOOK_MS, () => this.#look());
    this.#look();
  }

  get #hasBegun(): boolean {
    return this.#stopLooking !== undefined;
  }

  async all(): Promise<Job[]> {
    // The jobs of an acknowledged change are in the list, whichever process makes them.
    if (this.#hasBegun) await this.#makeAll();
    return (await this.#jobs.list()).map(jobFrom);
  }

  /** Looks for work; once more, if it is doing so. */
  #look(): void {
    this.#isStale = true;
    this.#looking ??= this.#work().finally(() => {
      this.#looking = undefined;
    });
  }

  async #work(): Promise<void> {
    while (this.#isStale && !this.#isClosed && !this.#isMoving) {
      this.#isStale = false;
      try {
        await this.#makeAll();
        await this.#runDue();
      } catch (thrown) {
        // The database is away: the next look may find it.
        if (!(thrown instanceof StandinError)) this.#parts.warn(`No webhooks at present: ${messageOf(thrown)}`);
      }
    }
  }

  /** Makes the jobs of all changes, whichever process has made these. */
  async #makeAll(): Promise<void> {
    for (;;) {
      const changes = await this.#jobs.unhooked();
      for (const { version, depth } of changes) await this.#make(version, depth);
      if (changes.length === 0) return;
    }
  }

  async #make(version: number, depth: number): Promise<void> {
    const { store, warn, onChange } = this.#parts;
    const jobs = await (async () => {
      const kept = await store.history?.find(version);
      return kept ? await jobsOfChange({ ...kept, depth }, this.#parts, () => this.#jobs.held()) : [];
    })().catch((thrown: unknown) => {
      // Too large to be kept, or replaced meanwhile.
      if (!(thrown instanceof StandinError) || thrown.status >= 500) throw thrown;
      warn(`A change has no webhooks: ${thrown.message}`);
      return [];
    });
    await this.#jobs.add(version, (jobs ?? []).map(sharedJob));
    if (jobs?.length) onChange();
  }

  async #runDue(): Promise<void> {
    clearTimeout(this.#timer);
    // While time stands still, jobs run only where it is moved on, or where somebody asks for one.
    if (this.clock.kind === "stopped") return;
    while (this.#busy.size < MAX_RUNNING && !this.#isMoving) {
      const taken = await this.#jobs.take({ now: this.clock.now() });
      if (!taken) break;
      this.#start(taken);
    }
    const next = this.#busy.size < MAX_RUNNING ? await this.#jobs.nextDue() : undefined;
    if (next === undefined || this.#isClosed) return;
    const ms = this.clock.realMsUntil(next) || TAKEN_MS;
    if (ms < MAX_TIMER_MS) this.#timer = inBackground(setTimeout(() => this.#look(), Math.ceil(ms)));
  }

  #start(taken: LeasedJob): void {
    const running = this.#run(taken).finally(() => {
      this.#busy.delete(running);
      this.#look();
    });
    this.#busy.add(running);
  }

  async #run({ content, lease }: LeasedJob): Promise<void> {
    const { run, onChange, warn, timing } = this.#parts;
    const job = jobFrom(content);
    this.#leases.set(job.id, lease);
    const stopRenewing = timing.every(RENEW_MS, () => void this.#jobs.renew(lease).catch(() => undefined));
    try {
      await run(job, this).catch((thrown: unknown) => {
        if (thrown instanceof LeaseLost) throw thrown;
        job.state = "failed";
        job.reason = messageOf(thrown);
        warn(`${job.rule} failed: ${job.reason}`);
      });
      await this.#jobs.save(sharedJob(job), lease, true);
    } catch {
      // The job stays in the database. When the lease has run out, another process runs it.
    } finally {
      stopRenewing();
      this.#leases.delete(job.id);
      onChange();
    }
  }

  async log(job: Job): Promise<void> {
    const lease = this.#leases.get(job.id);
    const isSaved = lease && (await this.#jobs.save(sharedJob(job), lease, false).catch(() => false));
    if (!isSaved) throw new LeaseLost();
  }

  async write(job: Job, write: Write): Promise<void> {
    const options = { by: `hook:${job.rule}`, depth: job.depth + 1 };
    // Kept with the change: a step is taken once, although its end may not be saved.
    const receipt = receiptOf(job, this.clock);
    try {
      await this.#parts.store.apply(write, { ...options, receipt });
    } catch (thrown) {
      if (!(thrown instanceof RequestRepeated)) throw thrown;
    }
  }

  async repeat(job: Job): Promise<void> {
    job.state = "waiting";
    job.dueAt = this.clock.now();
    if (!(await this.#jobs.reopen(sharedJob(job)))) {
      throw new StandinError("HOOK_INVALID", `The delivery ${job.id} is being sent right now.`);
    }
    const taken = await this.#jobs.take({ now: job.dueAt, id: job.id });
    if (taken) this.#start(taken);
    else this.#look();
  }

  /** Shows the time that all processes show. */
  async followClock(): Promise<void> {
    if (this.clock.kind === "program" || this.#isMoving) return;
    const moves = this.#moves;
    const { clock } = await this.#jobs.settings();
    if (moves !== this.#moves || this.#isMoving) return;
    this.clock.takeOver(clock);
    if (this.#hasBegun) this.#look();
  }

  /** Changes the clock for all processes. */
  async turn(change: (clock: Clock) => void): Promise<void> {
    await this.#alone(async () => {
      change(this.clock);
      await this.#jobs.saveClock(this.clock.setting);
    });
  }

  async moveTo(time: () => number): Promise<void> {
    await this.#alone(async (mover, giveUpAt) => {
      const { rate } = this.clock;
      const until = time();
      this.clock.run(0);
      try {
        // What other processes have begun belongs to the time before.
        while (!(await this.#jobs.isIdle())) {
          if (this.#parts.timing.elapsed() > giveUpAt) throw clockBusy(this.clock, 0, await this.#jobs.countDue(until));
          await sleep(WAIT_MS);
        }
        // An earlier time runs nothing, and moves nothing that is due. Nor does a process that leaves jobs to others.
        if (until >= this.clock.now() && this.#hasBegun) await this.#runUntil(until, { mover, giveUpAt, rate });
        this.clock.set(until);
      } finally {
        if (rate > 0) this.clock.run(rate);
        await this.#jobs.saveClock(this.clock.setting);
      }
    });
  }

  /** Does something while no process moves the clock, or takes a job. */
  async #alone(work: (mover: string, giveUpAt: number) => Promise<void>): Promise<void> {
    if (this.clock.kind === "program") return this.clock.takeOver(undefined);
    const mover = randomId();
    const giveUpAt = this.#parts.timing.elapsed() + MAX_MOVE_MS;
    while (!(await this.#jobs.beginMove(mover))) {
      if (this.#parts.timing.elapsed() > giveUpAt)
        throw clockBusy(this.clock, 0, await this.#jobs.countDue(this.clock.now()));
      await sleep(WAIT_MS);
    }
    try {
      await this.#looking;
      this.clock.takeOver((await this.#jobs.settings()).clock);
      this.#isMoving = true;
      this.#moves++;
      await work(mover, giveUpAt);
    } finally {
      this.#isMoving = false;
      await this.#jobs.endMove(mover);
      if (this.#hasBegun) this.#look();
    }
  }

  async #runUntil(time: number, { mover, giveUpAt, rate }: Move): Promise<void> {
    for (let count = 0; ; count++) {
      await this.#makeAll();
      const isOver = count >= MAX_JOBS || this.#parts.timing.elapsed() > giveUpAt;
      const left = isOver ? await this.#jobs.countDue(time) : 0;
      if (left > 0) throw clockBusy(this.clock, count, left);
      const taken = await this.#jobs.take({ now: time, mover });
      if (!taken) return;
      const { dueAt } = jobFrom(taken.content);
      if (dueAt > this.clock.now()) {
        this.clock.set(dueAt);
        // If this process ends on the way, the others go on from here.
        await this.#jobs.saveClock(this.clock.setting && { ...this.clock.setting, rate });
      }
      await this.#run(taken);
      await this.#jobs.beginMove(mover);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopLooking?.();
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all(this.#busy);
  }
}

interface Move {
  readonly mover: string;
  readonly giveUpAt: number;
  /** Of the clock, while it is not moved. */
  readonly rate: number;
}

function sharedJob(job: Job): SharedJob {
  const lane = createHash("sha256").update(laneOf(job)).digest("hex").slice(0, 32);
  const { id, dueAt, attempts } = job;
  return { id, lane, dueAt, isOpen: isUnfinished(job), isBegun: attempts.length > 0, content: JSON.stringify(job) };
}

function jobFrom(content: string): Job {
  return JSON.parse(content) as Job;
}

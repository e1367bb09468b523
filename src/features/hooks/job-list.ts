import { type Job, laneOf } from "./job.ts";

/** Of the jobs that have ended, the latest are kept. */
const MAX_ENDED = 500;
/** The most characters of the jobs that wait, in all scopes together, and of those that have ended. */
export const MAX_JOBS_LENGTH = 64 * 2 ** 20;

/** What jobs take up: how many wait or are under way, their characters, and those of the ones that have ended. */
export interface Held {
  waiting: number;
  waitingLength: number;
  endedLength: number;
}

/** The jobs of a scope: those that wait, in the order in which they are due, and the latest that have ended. */
export class JobList {
  /** By time, and of one time in the order of their creation. */
  readonly #waiting: Job[] = [];
  /** The same by lane. */
  readonly #lanes = new Map<string, Job[]>();
  readonly #ended: Job[] = [];
  /** Those under way. */
  readonly #running = new Set<Job>();
  readonly held: Held = { waiting: 0, waitingLength: 0, endedLength: 0 };

  get waiting(): readonly Job[] {
    return this.#waiting;
  }

  /** The first that is due in a lane that is not busy. */
  firstFree(busy: { has(lane: string): boolean }): Job | undefined {
    // Where there are few lanes, thousands may wait in a busy one: a look at the first of each lane takes less time.
    let left = this.#lanes.size;
    for (const job of this.#waiting) {
      if (!busy.has(laneOf(job))) return job;
      if (left-- === 0) break;
    }
    let first: Job | undefined;
    for (const [lane, [job]] of this.#lanes) {
      if (job && !busy.has(lane) && !(first && first.dueAt <= job.dueAt)) first = job;
    }
    return first;
  }

  /** All that are known, oldest first. */
  get all(): readonly Job[] {
    return [...this.#ended, ...this.#running, ...this.#waiting];
  }

  /** Adds new jobs, in the order of their creation. */
  add(jobs: readonly Job[]): void {
    for (const job of jobs) this.#hold(job, 1);
    this.#insert(jobs);
  }

  #insert(jobs: readonly Job[]): void {
    insertInto(this.#waiting, jobs);
    const added = new Map<string, Job[]>();
    for (const job of jobs) {
      const lane = laneOf(job);
      const known = added.get(lane);
      if (known) known.push(job);
      else added.set(lane, [job]);
    }
    for (const [lane, some] of added) {
      const queue = this.#lanes.get(lane) ?? [];
      insertInto(queue, some);
      this.#lanes.set(lane, queue);
    }
  }

  #hold(job: Job, by: 1 | -1): void {
    this.held.waiting += by;
    this.held.waitingLength += by * lengthOfJob(job);
  }

  #take(job: Job): void {
    const lane = laneOf(job);
    const queue = this.#lanes.get(lane) ?? [];
    for (const jobs of [this.#waiting, queue]) {
      const at = jobs.indexOf(job);
      if (at !== -1) jobs.splice(at, 1);
    }
    if (queue.length === 0) this.#lanes.delete(lane);
  }

  /** Takes a job out of those that wait, to run it. */
  begin(job: Job): void {
    this.#take(job);
    this.#running.add(job);
  }

  /** Lets a job wait again. */
  repeat(job: Job): void {
    const at = this.#ended.indexOf(job);
    if (at !== -1) {
      this.#ended.splice(at, 1);
      this.held.endedLength -= lengthOfJob(job);
      this.#hold(job, 1);
    } else if (!this.#running.delete(job)) this.#take(job);
    this.#insert([job]);
  }

  end(job: Job): void {
    this.#running.delete(job);
    this.#hold(job, -1);
    this.#ended.push(job);
    this.held.endedLength += lengthOfJob(job);
    if (this.#ended.length > MAX_ENDED) this.forget();
  }

  /** Forgets the oldest of those that have ended. */
  forget(): void {
    const oldest = this.#ended.shift();
    if (oldest) this.held.endedLength -= lengthOfJob(oldest);
  }

  /** Drops those that wait and are not wanted any more; returns them. */
  drop(isDropped: (job: Job) => boolean): Job[] {
    const dropped = new Set(this.#waiting.filter(isDropped));
    const kept = this.#waiting.filter((job) => !dropped.has(job));
    this.#waiting.length = 0;
    this.#lanes.clear();
    this.#insert(kept);
    for (const job of dropped) this.#hold(job, -1);
    return [...dropped];
  }
}

/** The characters of a job that are up to clients. */
export function lengthOfJob({ record, delivery }: Job): number {
  const { body = "", url = "", subscriber = "" } = delivery ?? {};
  return body.length + url.length + String(record).length + String(subscriber).length;
}

/** Inserts jobs by time. All at once: one after the other, each would pass all that are due later. */
function insertInto(queue: Job[], jobs: readonly Job[]): void {
  const first = jobs.reduce((least, { dueAt }) => Math.min(least, dueAt), Number.POSITIVE_INFINITY);
  let at = queue.length;
  while (at > 0 && (queue[at - 1]?.dueAt ?? 0) > first) at--;
  const later = queue.splice(at);
  for (const job of [...later, ...jobs].sort((one, other) => one.dueAt - other.dueAt)) queue.push(job);
}

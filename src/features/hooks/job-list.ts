import { type Job, laneOf } from "./job.ts";

/** Of the jobs that have ended, the latest are kept. */
const MAX_ENDED = 500;

/** The jobs of a scope: those that wait, in the order in which they are due, and the latest that have ended. */
export class JobList {
  /** By time, and of one time in the order of their creation. */
  readonly #waiting: Job[] = [];
  /** How many wait in each lane. */
  readonly #lanes = new Map<string, number>();
  readonly #ended: Job[] = [];
  /** Those under way. */
  readonly #running = new Set<Job>();

  get waiting(): readonly Job[] {
    return this.#waiting;
  }

  /** The lanes in which any waits. */
  get lanes(): ReadonlyMap<string, number> {
    return this.#lanes;
  }

  /** All that are known, oldest first. */
  get all(): readonly Job[] {
    return [...this.#ended, ...this.#running, ...this.#waiting];
  }

  find(id: string): Job | undefined {
    return this.all.find((job) => job.id === id);
  }

  add(job: Job): void {
    let at = this.#waiting.length;
    while (at > 0 && (this.#waiting[at - 1]?.dueAt ?? 0) > job.dueAt) at--;
    this.#waiting.splice(at, 0, job);
    this.#count(job, 1);
  }

  #count(job: Job, by: number): void {
    const lane = laneOf(job);
    const count = (this.#lanes.get(lane) ?? 0) + by;
    if (count === 0) this.#lanes.delete(lane);
    else this.#lanes.set(lane, count);
  }

  #take(job: Job): void {
    this.#waiting.splice(this.#waiting.indexOf(job), 1);
    this.#count(job, -1);
  }

  /** Takes a job out of those that wait, to run it. */
  begin(job: Job): void {
    this.#take(job);
    this.#running.add(job);
  }

  /** Lets a job wait again. */
  repeat(job: Job): void {
    this.#running.delete(job);
    const at = this.#ended.indexOf(job);
    if (at !== -1) this.#ended.splice(at, 1);
    this.add(job);
  }

  end(job: Job): void {
    this.#running.delete(job);
    this.#ended.push(job);
    if (this.#ended.length > MAX_ENDED) this.#ended.shift();
  }

  /** Drops those that wait and are not wanted any more; returns them. */
  drop(isDropped: (job: Job) => boolean): Job[] {
    const dropped = this.#waiting.filter(isDropped);
    for (const job of dropped) this.#take(job);
    return dropped;
  }
}

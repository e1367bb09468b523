import type { ClockSetting } from "../base/clock.ts";

/** A job as the database keeps it. Its content is the business of the feature that made it. */
export interface SharedJob {
  readonly id: string;
  /** Of one lane, one job at a time runs. */
  readonly lane: string;
  readonly dueAt: number;
  /** False once it has ended. */
  readonly isOpen: boolean;
  /** Whether it outlives a replacement of all data. */
  readonly isBegun: boolean;
  readonly content: string;
}

/** The right to run the jobs of a lane, for as long as it is renewed. */
export interface LaneLease {
  readonly lane: string;
  readonly holder: string;
}

export interface LeasedJob {
  readonly content: string;
  readonly lease: LaneLease;
}

export interface WantedJob {
  /** The time at which it must be due. */
  readonly now: number;
  /** The process that asks, if it is moving the clock. */
  readonly mover?: string;
  /** This one alone. */
  readonly id?: string;
}

/** A change whose jobs are still to be made. */
export interface UnhookedChange {
  readonly version: number;
  /** How many jobs led to it. */
  readonly depth: number;
}

/** Settings that all processes share. */
export interface SharedSettings {
  /** Undefined while the time is the real one. */
  readonly clock: ClockSetting | undefined;
  /** The hooks that were added or changed over HTTP, as the feature writes them. */
  readonly hooks: string | undefined;
}

/** Jobs that all processes on the data make, take and see. */
export interface SharedJobs {
  /** From now on, every change of this process waits for its jobs in the same transaction. `onChange` hears of each. */
  begin(onChange: () => void): void;
  /** The changes of all processes that have no jobs yet, oldest first. */
  unhooked(): Promise<readonly UnhookedChange[]>;
  /** Adds the jobs of a change, unless another process has done so. */
  add(version: number, jobs: readonly SharedJob[]): Promise<void>;
  /** Leases the lane of the oldest job that is due. While somebody moves the clock, nobody else takes a job. */
  take(wanted: WantedJob): Promise<LeasedJob | undefined>;
  renew(lease: LaneLease): Promise<void>;
  /** Saves a job of a leased lane; `isLast` gives the lane back. Resolves to false if the lease was lost. */
  save(job: SharedJob, lease: LaneLease, isLast: boolean): Promise<boolean>;
  /** Saves a job that nobody runs; resolves to false if somebody does. */
  reopen(job: SharedJob): Promise<boolean>;
  /** When the next job is due whose lane is free. */
  nextDue(): Promise<number | undefined>;
  /** The open jobs that are due at a time. */
  countDue(time: number): Promise<number>;
  /** How many open jobs there are, and the bytes of their contents. */
  held(): Promise<{ readonly waiting: number; readonly waitingLength: number }>;
  /** Whether no process runs a job. */
  isIdle(): Promise<boolean>;
  /** The contents of the latest jobs that have ended, and of all open ones, in the order of time. */
  list(): Promise<string[]>;
  settings(): Promise<SharedSettings>;
  /** Calls the listener when the settings may have changed. */
  watch(listener: () => void): void;
  saveClock(clock: ClockSetting | undefined): Promise<void>;
  saveHooks(hooks: string): Promise<void>;
  /** Keeps other processes from moving the clock, and from taking jobs; false if one of them was faster. Renews itself. */
  beginMove(mover: string): Promise<boolean>;
  endMove(mover: string): Promise<void>;
}

import type { Clock } from "../../base/clock.ts";
import type { Eventually } from "../../base/eventually.ts";
import { maskBody } from "../../base/secrets/mask-body.ts";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import type { Id } from "../../store/ids.ts";
import type { OpenReceipt, Write } from "../../store/store.ts";
import type { Delivery, DeliveryAttempt, DueJob, JobState } from "./types.ts";

/** Something to be done at a time of the clock, because of a change. */
export interface Job {
  /** The same in every attempt, and after a crash. */
  readonly id: string;
  readonly kind: "delivery" | "timeline";
  /** The name of the hook, or of the step of the timeline. */
  readonly rule: string;
  readonly event: string;
  readonly collection: string;
  readonly record: Id;
  /** How many jobs led to the change, one after the other. */
  readonly depth: number;
  readonly delivery?: Posting | undefined;
  dueAt: number;
  state: JobState;
  attempts: readonly DeliveryAttempt[];
  reason?: string | undefined;
}

/** What a webhook sends, and where to. */
export interface Posting {
  readonly url: string;
  readonly body: string;
  /** The record of the subscriber, which has the secret. */
  readonly subscriber?: Id | undefined;
}

/** Runs a job; its state says how that went. `waiting` means that it is to run again when it is due. */
export type RunJob = (job: Job, scope: JobScope) => Promise<void>;

/** The surroundings of a job: the main data, or a sandbox. */
export interface JobScope {
  readonly clock: Clock;
  /** The name of the sandbox, if it is one. */
  readonly sandbox: string | undefined;
  /** Saves the state of a job. */
  log(job: Job): Promise<void>;
  /** Makes a change on behalf of a job; settles when that has its own jobs. */
  write(job: Job, write: Write): Promise<void>;
}

/** The jobs of a scope, as people see and move them. */
export interface JobsScope {
  /** All that are known: those that have ended, and those to come in the order of time. */
  all(): Eventually<readonly Job[]>;
  /** Moves the clock on to a time, and runs everything that becomes due on the way, in order. */
  moveTo(time: () => number): Promise<void>;
  /** Changes how the clock goes. */
  turn(change: (clock: Clock) => void): Promise<void>;
  /** Lets a job that has ended run again. */
  repeat(job: Job): Promise<void>;
  close(): Promise<void>;
}

/** Bodies are kept for people to look at, up to this many characters. */
const SHOWN_LENGTH = 10_000;

export function showDelivery({ id, rule, event, record, state, dueAt, attempts, reason, delivery }: Job): Delivery {
  const { url = "", body = "" } = delivery ?? {};
  return {
    id,
    hook: rule,
    event,
    target: maskAddress(url),
    status: state,
    dueAt: new Date(dueAt).toISOString(),
    attempts,
    body: body.length > SHOWN_LENGTH ? `${maskBody(body.slice(0, SHOWN_LENGTH))}…` : maskBody(body),
    record,
    ...(reason !== undefined && { reason }),
  };
}

export function showJob({ id, kind, rule, event, record, state, dueAt, reason }: Job): DueJob {
  const due = new Date(dueAt).toISOString();
  return { id, kind, rule, event, record, status: state, dueAt: due, ...(reason !== undefined && { reason }) };
}

/** Whether it is still to run, or under way. */
export function isUnfinished({ state }: Job): boolean {
  return state === "waiting" || state === "sending";
}

/** Kept with the change that a job makes: it is made once, although its end may not be saved. */
export function receiptOf({ id, attempts }: Job, clock: Clock): OpenReceipt {
  return { key: `${id} ${attempts.length}`, request: id, at: clock.now(), respond: () => ({ status: 204 }) };
}

/** One delivery at a time goes to a target of a hook, and one step of the timeline is taken at a time. */
export function laneOf({ kind, rule, delivery }: Job): string {
  return kind === "timeline" ? kind : `${rule} ${delivery?.url}`;
}

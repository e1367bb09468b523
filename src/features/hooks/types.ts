import type { ClockKind } from "../../base/clock.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";

/** The forms of a signature: Standard Webhooks, as GitHub, as Stripe, or a plain HMAC of the body. */
export const SIGNATURES = ["standard", "github", "stripe", "hmac"] as const;

export interface Signing {
  readonly as: (typeof SIGNATURES)[number];
  readonly secret: string;
}

/** What goes wrong with the deliveries of a hook, on purpose. */
export interface DeliveryFault {
  readonly fault: "drop" | "double" | "delay";
  /** For a delay. */
  readonly ms?: number;
  /** How often it happens at most. */
  readonly count?: number;
}

/**
 * Tells other programs of changes.
 *
 * @example
 * const hook: Hook = { name: "paid", on: "orders.changed", if: "status=paid", to: "http://localhost:4000/hook" };
 */
export interface Hook {
  readonly name: string;
  /** Such as `orders.created`, `orders.changed`, `orders.removed`, or `*` for every change. */
  readonly on: string | readonly string[];
  /** A filter on the record; `before.` in front of a name means the record before the change. */
  readonly if?: string;
  readonly to?: string;
  /** A collection whose records `{ url, events, secret }` are the targets. */
  readonly subscribers?: string;
  readonly sign?: Signing;
  /** How long after the change, such as `500ms`. */
  readonly after?: string;
  /** How often a failed delivery is repeated; five times unless given. */
  readonly retry?: number;
  /** Whether changes in sandboxes are sent, too. */
  readonly sandboxes?: boolean;
  readonly faults?: readonly DeliveryFault[];
}

/** A change that follows another one after a while. */
export interface TimelineStep {
  readonly name?: string;
  readonly on: string | readonly string[];
  readonly after: string;
  /** Judged when it is due, on the record as it is then. */
  readonly if?: string;
  /** Fields to change; `{{now}}` is the time of the clock. */
  readonly set?: JsonObject;
  readonly remove?: true;
}

export interface DeliveryAttempt {
  /** Counts from 1. */
  readonly number: number;
  readonly time: string;
  /** Of the response; without one, `problem` says why. */
  readonly status?: number;
  readonly problem?: string;
  readonly durationMs: number;
}

export const JOB_STATES = ["waiting", "sending", "done", "failed", "skipped"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A webhook on its way, or at its end. */
export interface Delivery {
  readonly id: string;
  readonly hook: string;
  /** Such as `orders.created`. */
  readonly event: string;
  /** Secrets are masked. */
  readonly target: string;
  readonly status: JobState;
  readonly dueAt: string;
  readonly attempts: readonly DeliveryAttempt[];
  /** As it is sent, with secrets masked; a long one is cut. */
  readonly body: string;
  readonly record: Json;
  /** Why it ended without success. */
  readonly reason?: string;
}

/** Something that is due at a time of the clock. */
export interface DueJob {
  readonly id: string;
  readonly kind: "delivery" | "timeline";
  /** The name of its hook, or of its step of the timeline. */
  readonly rule: string;
  readonly event: string;
  readonly record: Json;
  readonly status: JobState;
  readonly dueAt: string;
  readonly reason?: string;
}

export interface DeliveryFilter {
  readonly hook?: string;
  readonly status?: JobState;
  readonly event?: string;
}

export interface ClockState {
  readonly now: string;
  readonly kind: ClockKind;
  /** 0 while it stands still. */
  readonly rate: number;
}

/** The clock of a server or of a sandbox, as a program moves it. Jobs that become due have run when a move resolves. */
export interface ClockControl {
  now(): Date;
  advance(duration: string | number): Promise<ClockState>;
  set(time: string | Date): Promise<ClockState>;
  rate(rate: number): Promise<ClockState>;
  real(): Promise<ClockState>;
}

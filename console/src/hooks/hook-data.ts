import { askJson } from "../api/ask.ts";
import type { Json, JsonObject } from "../api/json.ts";
import { createStore } from "../api/store.ts";

/** The part that a hook and a step of the timeline share. */
export interface Rule {
  readonly name: string;
  readonly on: string | readonly string[];
  readonly if?: string;
  readonly after?: string;
}

/** A hook, as `GET /__hooks` lists it: without its secret. */
export interface Hook extends Rule {
  readonly to?: string;
  readonly subscribers?: string;
  readonly sign?: { readonly as: string };
  readonly retry?: number;
  readonly sandboxes?: boolean;
  readonly off?: boolean;
  /** It stands in the config. */
  readonly given: boolean;
}

export interface Step extends Rule {
  readonly set?: JsonObject;
  readonly remove?: true;
}

export interface Delivery {
  readonly id: string;
  readonly hook: string;
  readonly event: string;
  readonly record: Json;
  readonly target: string;
  readonly status: JobStatus;
  readonly dueAt: string;
  readonly attempts: readonly Attempt[];
  readonly body: string;
  readonly reason?: string;
}

export const JOB_STATUSES = ["waiting", "sending", "done", "failed", "skipped"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface Attempt {
  readonly number: number;
  readonly time: string;
  readonly status?: number;
  readonly problem?: string;
  readonly durationMs: number;
}

export interface DueJob {
  readonly id: string;
  readonly kind: "delivery" | "timeline";
  readonly rule: string;
  readonly event: string;
  readonly record: Json;
  readonly dueAt: string;
}

export interface HookData {
  readonly hooks: readonly Hook[];
  readonly timeline: readonly Step[];
  /** Origins that hooks added here may name. */
  readonly targets: readonly string[];
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  readonly jobs: readonly DueJob[];
}

/** The rules, and what has become of them, as of the last `loadHooks`. */
export const hookData = createStore<HookData | undefined>(undefined);

export async function loadHooks(): Promise<void> {
  const [rules, sent, due] = await Promise.all([
    askJson<Pick<HookData, "hooks" | "timeline" | "targets">>("GET", "/__hooks"),
    askJson<Pick<HookData, "deliveries">>("GET", "/__deliveries"),
    askJson<Pick<HookData, "jobs">>("GET", "/__jobs"),
  ]);
  hookData.set({ ...rules, ...sent, jobs: due.jobs });
}

export async function addHook(body: JsonObject): Promise<void> {
  await askJson("POST", "/__hooks", { body });
}

export async function changeHook(name: string, body: JsonObject): Promise<void> {
  await askJson("PATCH", hookPath(name), { body });
}

export async function removeHook(name: string): Promise<void> {
  await askJson("DELETE", hookPath(name));
}

export async function redeliver(id: string): Promise<void> {
  await askJson("POST", `/__deliveries/${encodeURIComponent(id)}/redeliver`);
}

function hookPath(name: string): string {
  return `/__hooks/${encodeURIComponent(name)}`;
}

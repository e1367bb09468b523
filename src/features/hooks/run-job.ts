import { messageOf, StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Store } from "../../store/store.ts";
import { targetProblem } from "./allowed-target.ts";
import { isMet } from "./hook-condition.ts";
import type { HookRules, KnownHook } from "./hook-rules.ts";
import type { Job, JobScope, Posting, RunJob } from "./job.ts";
import { isWebAddress, type ReadStep } from "./read-hooks.ts";
import type { Outgoing } from "./send.ts";
import type { DeliveryAttempt, DeliveryFault, Signing } from "./types.ts";

/** How long to wait before each further attempt. */
const RETRY_MS = [1000, 5000, 30_000, 120_000, 600_000];
const DEFAULT_RETRY = 5;
const NOW = "{{now}}";
const GONE = 410;

export interface JobTools {
  readonly store: Store;
  readonly rules: HookRules;
  send(outgoing: Outgoing): Promise<number>;
}

export function createRunJob({ store, rules, send }: JobTools): RunJob {
  return async (job, scope) => {
    if (job.kind === "timeline") return takeStep(job, scope, { store, step: rules.step(job.rule) });
    const hook = rules.find(job.rule);
    if (!hook || !job.delivery) return end(job, "skipped", "The hook is gone.");
    await deliver(job, scope, { store, hook, rules, send, posting: job.delivery });
  };
}

interface Taking {
  readonly store: Store;
  readonly step: ReadStep | undefined;
}

async function takeStep(job: Job, scope: JobScope, { store, step }: Taking): Promise<void> {
  if (!step) return end(job, "skipped", "The timeline has no such step any more.");
  const { collection } = job;
  const id = String(job.record);
  const found = store.kindOf(collection) === "collection" ? await store.get(collection, id) : undefined;
  if (!found) return end(job, "skipped", "The record is gone.");
  if (!isMet(step.condition, found.value, undefined)) return end(job, "skipped", "The condition does not hold.");
  const { set } = step.step;
  try {
    if (!set) await scope.write(job, { kind: "remove", collection, id, dependents: [] });
    else await scope.write(job, { kind: "patch", collection, id, body: filled(set, scope.clock.now()) });
  } catch (thrown) {
    if (!(thrown instanceof StandinError)) throw thrown;
    return end(job, "failed", thrown.message);
  }
  end(job, "done");
}

/** Fields with the time of the clock in place of `{{now}}`. */
function filled(set: JsonObject, now: number): JsonObject {
  const fill = (value: Json): Json => {
    if (value === NOW) return new Date(now).toISOString();
    if (Array.isArray(value)) return value.map(fill);
    return isJsonObject(value) ? filled(value, now) : value;
  };
  return Object.fromEntries(Object.entries(set).map(([field, value]) => [field, fill(value ?? null)]));
}

interface Delivering extends JobTools {
  readonly hook: KnownHook;
  readonly posting: Posting;
}

async function deliver(job: Job, scope: JobScope, delivering: Delivering): Promise<void> {
  const { hook, posting, rules } = delivering;
  if (!isWebAddress(posting.url)) {
    return end(job, "failed", "TARGET_NOT_ALLOWED: a target is an http or https address without user information.");
  }
  if (!hook.isGiven || posting.subscriber !== undefined) {
    const refusal = targetProblem(posting.url, rules.targets);
    if (refusal !== undefined) return end(job, "failed", refusal);
  }
  const fault = nextFault(hook, job);
  if (fault?.fault === "delay") {
    job.dueAt = scope.clock.now() + (fault.ms ?? 0);
    job.state = "waiting";
    return;
  }
  const attempt = await attemptOnce(job, scope, { ...delivering, isDropped: fault?.fault === "drop" });
  if (fault?.fault === "double") await attemptOnce(job, scope, { ...delivering, isDropped: false });
  const { status = 0, problem } = attempt;
  if (status >= 200 && status < 300) return end(job, "done");
  if (status === GONE && posting.subscriber !== undefined) {
    await endSubscriber(job, scope, hook.hook.subscribers ?? "");
    return end(job, "failed", "410: the subscriber has ended its subscription.");
  }
  const isRefused = problem?.startsWith("TARGET_NOT_ALLOWED") ?? false;
  const { retry = DEFAULT_RETRY } = hook.hook;
  if (isRefused || job.attempts.length > retry)
    return end(job, "failed", problem ?? `The receiver responded ${status}.`);
  job.dueAt = scope.clock.now() + (RETRY_MS[Math.min(job.attempts.length, RETRY_MS.length) - 1] ?? 0);
  job.state = "waiting";
}

interface OneAttempt extends Delivering {
  readonly isDropped: boolean;
}

/** The number of the attempt is saved before anything is sent: after a crash, the next one has another number. */
async function attemptOnce(
  job: Job,
  scope: JobScope,
  { hook, posting, store, send, isDropped }: OneAttempt,
): Promise<DeliveryAttempt> {
  const number = job.attempts.length + 1;
  const begun = { number, time: new Date(scope.clock.now()).toISOString(), durationMs: 0 };
  const earlier = job.attempts;
  job.state = "sending";
  job.attempts = [...earlier, begun];
  await scope.log(job);
  const startedAt = performance.now();
  const outcome = isDropped
    ? { problem: "dropped by a fault" }
    : await signingOf(hook, posting, store)
        .then((signing) =>
          send({
            ...posting,
            id: job.id,
            event: job.event,
            attempt: number,
            signing,
            sandbox: scope.sandbox,
            depth: job.depth + 1,
          }),
        )
        .then(
          (status) => ({ status }),
          (thrown: unknown) => ({ problem: messageOf(thrown) }),
        );
  const attempt = { ...begun, ...outcome, durationMs: Math.round(performance.now() - startedAt) };
  job.attempts = [...earlier, attempt];
  return attempt;
}

/** A subscriber signs with its own secret, in the form of the hook. */
async function signingOf({ hook }: KnownHook, { subscriber }: Posting, store: Store): Promise<Signing | undefined> {
  if (subscriber === undefined || hook.subscribers === undefined) return hook.sign;
  const record = await store.get(hook.subscribers, String(subscriber));
  const secret = isJsonObject(record?.value) ? record.value.secret : undefined;
  if (typeof secret !== "string" || secret === "") return hook.sign?.secret === undefined ? undefined : hook.sign;
  return { as: hook.sign?.as ?? "standard", secret };
}

async function endSubscriber(job: Job, scope: JobScope, collection: string): Promise<void> {
  const write = { kind: "patch", collection, id: String(job.delivery?.subscriber), body: { active: false } } as const;
  await scope.write(job, write).catch(() => undefined);
}

/** The first fault of the hook that has not happened often enough; a delivery is delayed once. */
function nextFault({ hook, faultHits }: KnownHook, job: Job): DeliveryFault | undefined {
  for (const [position, fault] of (hook.faults ?? []).entries()) {
    const hits = faultHits[position] ?? 0;
    if (hits >= (fault.count ?? Number.POSITIVE_INFINITY) || (fault.fault === "delay" && job.reason === "delayed"))
      continue;
    faultHits[position] = hits + 1;
    if (fault.fault === "delay") job.reason = "delayed";
    return fault;
  }
  return undefined;
}

function end(job: Job, state: "done" | "failed" | "skipped", reason?: string): void {
  job.state = state;
  job.reason = reason;
}

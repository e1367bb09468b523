import { isJsonObject, type Json, stringifyJson } from "../../base/json/json.ts";
import { createHash } from "../../base/platform/crypto.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { withoutFields } from "../../schema/rules/write-only-fields.ts";
import type { VersionEdit } from "../../store/history.ts";
import { type Id, idOf } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import { editedRecord, type StoredRecord } from "../../store/stored-record.ts";
import { isMet } from "./hook-condition.ts";
import type { HookRules } from "./hook-rules.ts";
import type { Job, Posting } from "./job.ts";
import type { ReadRule } from "./read-hooks.ts";

/** Jobs cause changes, and changes jobs: so many times in a row, and no further. */
const MAX_CAUSES = 5;
/** The most jobs of a scope. */
const MAX_WAITING = 100_000;
/** The most characters of the webhooks of one change. */
const MAX_BODIES = 64 * 2 ** 20;

/** A change, as far as its jobs depend on it. */
export interface HookedChange {
  readonly version: number;
  readonly edits: readonly VersionEdit[];
  readonly time: number;
  /** How many jobs led to it. */
  readonly depth: number;
}

export interface HookedData {
  readonly store: Store;
  readonly rules: HookRules;
  readonly sandbox: string | undefined;
  /** Fields of a collection that no webhook has. */
  readonly unsent: (collection: string) => ReadonlySet<string>;
}

/** One record that a change has changed, as rules see it. */
interface HookedEdit {
  readonly event: string;
  readonly collection: string;
  readonly id: Id;
  readonly record: Json;
  readonly before: Json | undefined;
}

/** The jobs that a change causes. The same change has the same jobs, whenever it is asked. */
export async function jobsOfChange(change: HookedChange, data: HookedData): Promise<Job[]> {
  const { rules, store, sandbox } = data;
  const hooks = rules.hooks.filter(({ isOff, hook }) => !isOff && (sandbox === undefined || hook.sandboxes === true));
  const jobs: Job[] = [];
  const subscribers = new Map<string, Promise<readonly StoredRecord[]>>();
  const subscribersIn = (collection: string): Promise<readonly StoredRecord[]> => {
    const found = subscribers.get(collection) ?? readSubscribers(store, collection);
    subscribers.set(collection, found);
    return found;
  };
  for (const [position, edit] of change.edits.entries()) {
    const hooked = hookedEdit(edit, store);
    if (!hooked) continue;
    const make = (rule: ReadRule, kind: Job["kind"], delivery?: Posting): Job => ({
      id: jobId([rule.name, delivery?.url ?? "", String(change.version), String(position), String(change.time)]),
      kind,
      rule: rule.name,
      event: hooked.event,
      collection: hooked.collection,
      record: hooked.id,
      depth: change.depth,
      delivery,
      dueAt: change.time + rule.afterMs,
      state: "waiting",
      attempts: [],
    });
    for (const step of rules.steps) if (isNamed(step, hooked.event)) jobs.push(make(step, "timeline"));
    for (const hook of hooks) {
      if (!isNamed(hook, hooked.event) || !isMet(hook.condition, hooked.record, hooked.before)) continue;
      const { to, subscribers: collection = "" } = hook.hook;
      const targets =
        to === undefined
          ? targetsAmong(await subscribersIn(collection), hooked.event, store.idKeyOf(collection))
          : [{ url: to }];
      if (targets.length === 0) continue;
      const body = bodyOf(sendable(hooked, data), change, sandbox);
      for (const target of targets) jobs.push(make(hook, "delivery", { ...target, body }));
    }
  }
  return jobs;
}

/** The jobs of a change, or none where there would be no end to them: data routes are open to anybody. */
export function withinLimits(jobs: readonly Job[], waiting: number, warn: (text: string) => void): readonly Job[] {
  const [first] = jobs;
  if (!first) return jobs;
  const bodies = jobs.reduce((sum, { delivery }) => sum + (delivery?.body.length ?? 0), 0);
  const problem =
    first.depth >= MAX_CAUSES
      ? `Hooks and the timeline cause each other: after ${MAX_CAUSES} changes in a row, they stop.`
      : waiting + jobs.length > MAX_WAITING
        ? `${waiting} webhooks and steps wait already, so a change that causes ${jobs.length} more has none.`
        : bodies > MAX_BODIES
          ? `The ${jobs.length} webhooks of a change have ${bodies} characters, so none of them is sent.`
          : undefined;
  if (problem === undefined) return jobs;
  warn(problem);
  return [];
}

function hookedEdit(edit: VersionEdit, store: Store): HookedEdit | undefined {
  const { name, before, after } = edit;
  const kind = before ? (after ? "changed" : "removed") : "created";
  const id = idOf(editedRecord(edit).value, store.idKeyOf(name));
  if (id === undefined) return undefined;
  return {
    event: `${name}.${kind}`,
    collection: name,
    id,
    record: (after ?? before)?.value ?? null,
    before: before?.value,
  };
}

function sendable(edit: HookedEdit, { unsent }: HookedData): HookedEdit {
  const fields = unsent(edit.collection);
  if (fields.size === 0) return edit;
  const before = edit.before === undefined ? undefined : withoutFields(edit.before, fields);
  return { ...edit, record: withoutFields(edit.record, fields), before };
}

function isNamed({ events }: ReadRule, event: string): boolean {
  return events.includes("*") || events.includes(event);
}

async function readSubscribers(store: Store, collection: string): Promise<readonly StoredRecord[]> {
  return store.kindOf(collection) === "collection" ? (await store.find(collection, EVERYTHING)).records : [];
}

function targetsAmong(
  subscribers: readonly StoredRecord[],
  event: string,
  idKey: string,
): readonly Omit<Posting, "body">[] {
  return subscribers.flatMap(({ value }) => {
    const subscriber = idOf(value, idKey);
    if (!isJsonObject(value) || subscriber === undefined || value.active === false) return [];
    const { url, events = "*" } = value;
    const wanted = Array.isArray(events) ? events : [events];
    // One that cannot be sent to fails, so that its delivery says why.
    if (typeof url !== "string" || !(wanted.includes("*") || wanted.includes(event))) return [];
    return [{ url, subscriber }];
  });
}

function bodyOf({ event, record, before }: HookedEdit, { version, time }: HookedChange, sandbox?: string): string {
  return stringifyJson({
    type: event,
    timestamp: new Date(time).toISOString(),
    version,
    data: record,
    ...(before !== undefined && event.endsWith(".changed") && { before }),
    ...(sandbox !== undefined && { sandbox }),
  });
}

function jobId(parts: readonly string[]): string {
  return `msg_${createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24)}`;
}

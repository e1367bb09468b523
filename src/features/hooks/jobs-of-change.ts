import type { Eventually } from "../../base/eventually.ts";
import { isJsonObject, type Json, stringifyJson } from "../../base/json/json.ts";
import { createHash } from "../../base/platform/crypto.ts";
import { inSlices, settled, type Work } from "../../base/slices.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { withoutFields } from "../../schema/rules/rules.ts";
import type { VersionEdit } from "../../store/history.ts";
import { type Id, idOf } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import { editedRecord } from "../../store/stored-record.ts";
import { isMet } from "./hook-condition.ts";
import type { HookRules } from "./hook-rules.ts";
import type { Job, Posting } from "./job.ts";
import { type Held, lengthOfJob, MAX_JOBS_LENGTH } from "./job-list.ts";
import type { ReadHook, ReadRule, ReadStep } from "./read-hooks.ts";

/** Jobs cause changes, and changes jobs: so many times in a row, and no further. */
const MAX_CAUSES = 5;
/** The most jobs that wait, in all scopes together. */
const MAX_WAITING = 100_000;

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
  readonly warn: (text: string) => void;
}

/** One record that a change has changed, as rules see it. */
interface HookedEdit {
  readonly event: string;
  readonly collection: string;
  readonly id: Id;
  readonly record: Json;
  readonly before: Json | undefined;
}

/** A rule that an edit meets, with a target for each job. */
interface Meeting {
  readonly edit: HookedEdit;
  /** The position of the edit in its change. */
  readonly position: number;
  readonly rule: ReadHook | ReadStep;
  readonly targets: readonly (Target | undefined)[];
}

/** Where a webhook goes; a step of the timeline goes nowhere. */
type Target = Omit<Posting, "body">;
const NOWHERE = [undefined];

/**
 * The jobs that a change causes; undefined where they would be too many. The same change has the same jobs, whenever it is asked.
 * Both the records of a change and the subscribers are up to clients, so the product is counted before anything is built.
 */
export function jobsOfChange(
  change: HookedChange,
  data: HookedData,
  held: () => Eventually<Pick<Held, "waiting" | "waitingLength">>,
): Promise<Job[] | undefined> {
  return inSlices(makeJobs(change, data, held));
}

function* makeJobs(
  change: HookedChange,
  data: HookedData,
  held: () => Eventually<Pick<Held, "waiting" | "waitingLength">>,
): Work<Job[] | undefined> {
  const { warn, sandbox } = data;
  const { count, meetings } = yield* meetingsOf(change, data);
  if (count === 0) return [];
  if (change.depth >= MAX_CAUSES) {
    warn(`Hooks and the timeline cause each other: after ${MAX_CAUSES} changes in a row, they stop.`);
    return undefined;
  }
  const { waiting, waitingLength } = yield* settled(held());
  if (waiting + count > MAX_WAITING) {
    warn(`${waiting} webhooks and steps wait already, so a change that causes ${count} more has none.`);
    return undefined;
  }
  const jobs: Job[] = [];
  let length = waitingLength;
  for (const { edit, position, rule, targets } of meetings) {
    const body = rule.kind === "delivery" ? bodyOf(sendable(edit, data), change, sandbox) : "";
    for (const target of targets) {
      yield;
      const job: Job = {
        id: jobId([rule.name, target?.url ?? "", String(change.version), String(position), String(change.time)]),
        kind: rule.kind,
        rule: rule.name,
        event: edit.event,
        collection: edit.collection,
        record: edit.id,
        depth: change.depth,
        delivery: target && { ...target, body },
        dueAt: change.time + rule.afterMs,
        state: "waiting",
        attempts: [],
      };
      length += lengthOfJob(job);
      if (length > MAX_JOBS_LENGTH) {
        warn(
          `A change causes ${count} webhooks and steps, which would take those that wait beyond ${MAX_JOBS_LENGTH} characters, so none of them is sent.`,
        );
        return undefined;
      }
      jobs.push(job);
    }
  }
  return jobs;
}

/** The rules that the edits of a change meet, as long as they cause no more jobs than may wait; and how many they cause. */
function* meetingsOf(
  change: HookedChange,
  { rules, store, sandbox }: HookedData,
): Work<{ count: number; meetings: readonly Meeting[] }> {
  const hooks = rules.hooks.filter(({ isOff, hook }) => !isOff && (sandbox === undefined || hook.sandboxes === true));
  const meetings: Meeting[] = [];
  let count = 0;
  const meet = (meeting: Meeting): void => {
    count += meeting.targets.length;
    if (count <= MAX_WAITING && meeting.targets.length > 0) meetings.push(meeting);
  };
  /** By collection and event: looking through all subscribers for each record would multiply them, too. */
  const known = new Map<string, readonly Target[]>();
  for (const [position, changed] of change.edits.entries()) {
    yield;
    const edit = hookedEdit(changed, store);
    if (!edit) continue;
    for (const step of rules.steps) {
      if (isNamed(step, edit.event)) meet({ edit, position, rule: step, targets: NOWHERE });
    }
    for (const hook of hooks) {
      if (!isNamed(hook, edit.event) || !isMet(hook.condition, edit.record, edit.before)) continue;
      const { to, subscribers = "" } = hook.hook;
      const key = `${subscribers} ${edit.event}`;
      const targets =
        to !== undefined ? [{ url: to }] : (known.get(key) ?? (yield* targetsIn(subscribers, edit.event, store)));
      if (to === undefined) known.set(key, targets);
      meet({ edit, position, rule: hook, targets });
    }
  }
  return { count, meetings };
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

/** The subscribers of a collection that want an event. */
function* targetsIn(collection: string, event: string, store: Store): Work<readonly Target[]> {
  if (store.kindOf(collection) !== "collection") return [];
  const { records } = yield* settled(store.find(collection, EVERYTHING));
  const targets: Target[] = [];
  for (const { value } of records) {
    yield;
    const subscriber = idOf(value, store.idKeyOf(collection));
    if (!isJsonObject(value) || subscriber === undefined || value.active === false) continue;
    const { url, events = "*" } = value;
    const wanted = Array.isArray(events) ? events : [events];
    // One that cannot be sent to fails, so that its delivery says why.
    if (typeof url !== "string" || !(wanted.includes("*") || wanted.includes(event))) continue;
    targets.push({ url, subscriber });
  }
  return targets;
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

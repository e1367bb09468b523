import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";
import type { Change, Edit, Lenience, RecordAccess, SingleWrite, Transaction, Write } from "../../store/store.ts";
import type { Resolution } from "../../store/upsert.ts";
import type { Call } from "../call.ts";
import type { DataService } from "../contract.ts";
import type { Preferences } from "../preferences.ts";
import { keptResponse, type Reply } from "../response/reply.ts";
import { warningOf } from "../response/warning.ts";

/** Expects a body to be an object. No body counts as an empty one, as in 0.17. */
export function asObject(body: Json | undefined): JsonObject {
  if (body === undefined) return {};
  if (isJsonObject(body)) return body;
  const found = Array.isArray(body) ? "an array" : body === null ? "null" : `a ${typeof body}`;
  throw new StandinError("BODY_NOT_OBJECT", `A record must be a JSON object, not ${found}.`);
}

/** The preferences of a write; undefined without any, as most requests come. */
export function writePreferences(call: Call): Preferences | undefined {
  const { preferences } = call;
  if (preferences && call.isWriteOnly) refuseReading(preferences);
  return preferences;
}

/** A dry run shows what would happen, and a representation what is there: both read. */
function refuseReading(preferences: Preferences): void {
  const reading = isDryRun(preferences)
    ? "tx=rollback"
    : wantsRecords(preferences)
      ? "return=representation"
      : undefined;
  if (reading === undefined) return;
  throw new StandinError("FORBIDDEN_READ", `Prefer: ${reading} shows data, and these credentials may only write.`);
}

/** Whether a write by filter is to return the records: `Prefer: return=representation`. */
export function wantsRecords(preferences: Preferences | undefined): boolean {
  return preferences?.get("return")?.toLowerCase() === "representation";
}

/** The reply to a write that shows more of a record than the request has; nothing of it to credentials that may only write. */
export function shownRecord(call: Call, reply: Reply): Reply {
  return call.isWriteOnly ? { ...reply, json: "{}", etag: undefined } : reply;
}

/** Whether a write is only to be tried: `Prefer: tx=rollback`. */
export function isDryRun(preferences: Preferences | undefined): boolean {
  return preferences?.get("tx")?.toLowerCase() === "rollback";
}

/**
 * Applies a write, or only plans it where the request prefers that, and responds to it. With an `Idempotency-Key` the store
 * makes the response itself, before it commits the change, to keep both together.
 */
export async function carryOut(
  call: Call,
  service: DataService,
  write: Write,
  respond: (change: Change) => Reply,
): Promise<Reply> {
  const preferences = writePreferences(call);
  if (!preferences || !service.rules || !isLenient(preferences)) return apply(call, service, write, respond);
  const lenience: Lenience = { broken: new Set() };
  return apply(call, service, withLenience(write, lenience), (change) => warned(respond(change), lenience));
}

async function apply(
  call: Call,
  { store, receipt }: DataService,
  write: Write,
  respond: (change: Change) => Reply,
): Promise<Reply> {
  if (isDryRun(call.preferences)) return respond(await store.apply(write, { isDryRun: true }));
  const origin = { by: call.changedBy, depth: call.depth };
  const respondTo =
    call.isOfConsole && store.history
      ? (change: Change) => withVersion(respond(change), change, store.history?.versionOf(change))
      : respond;
  if (!receipt) {
    const made = await store.apply(write, origin);
    noteVersion(call, store, made);
    return applied(made, store, respondTo);
  }
  let reply: Reply | undefined;
  const keep = (made: Change) => {
    reply = respondTo(made);
    return keptResponse(reply);
  };
  const change = await store.apply(write, { ...origin, receipt: { ...receipt, respond: keep } });
  noteVersion(call, store, change);
  return applied(change, store, (made) => reply ?? respondTo(made));
}

/** Lets the traffic log say what the request has changed. */
function noteVersion(call: Call, { history }: Pick<RecordAccess, "history">, change: Change): void {
  if (change.edits.length > 0) call.madeVersion = history?.versionOf(change);
}

/** Tells the console the version that its write has made, so that it can revert exactly that one. */
function withVersion(reply: Reply, { edits }: Change, version: number | undefined): Reply {
  if (edits.length === 0 || version === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, "X-Standin-Version": String(version) } };
}

/** Responds to a change that is made; says so where it was too large for the history, so that it cannot be reverted. */
function applied(
  change: Change,
  { history }: Pick<RecordAccess, "history">,
  respond: (change: Change) => Reply,
): Reply {
  const reply = respond(change);
  if (!history?.isTooLarge(change)) return reply;
  return { ...reply, headers: { ...reply.headers, "X-Standin-History": "not-kept" } };
}

/** `Prefer: resolution=...` on POST. */
export function resolutionOf(preferences: Preferences): Resolution | undefined {
  const given = preferences.get("resolution")?.toLowerCase();
  if (given === undefined || given === "merge-duplicates" || given === "ignore-duplicates") return given;
  throw new StandinError("QUERY_INVALID", `Prefer: resolution=${given}: use merge-duplicates or ignore-duplicates.`);
}

/**
 * The reply to a write, with the preferences that were applied. Nothing has the version that a dry run speaks of, so its
 * ETag is left out.
 */
export function asApplied(reply: Reply, preferences: Preferences | undefined, more: readonly string[] = []): Reply {
  const isTrial = isDryRun(preferences);
  const applied = isTrial ? [...more, "tx=rollback"] : more;
  if (applied.length === 0) return reply;
  const headers = { ...reply.headers, "Preference-Applied": applied.join(", ") };
  return { ...reply, headers, etag: isTrial ? undefined : reply.etag };
}

/** Whether a write may leave records that break their schema: `Prefer: handling=lenient`. */
function isLenient(preferences: Preferences): boolean {
  return preferences.get("handling")?.toLowerCase() === "lenient";
}

/** The same write without the schemas of the rules; a transaction with all its parts. */
function withLenience(write: Write, lenience: Lenience): Write {
  if (write.kind !== "transaction") return { ...write, lenience };
  return { ...write, run: (data) => write.run(leniently(data, lenience)) };
}

function leniently(data: Transaction, lenience: Lenience): Transaction {
  return {
    get: (collection, id) => data.get(collection, id),
    singleton: (name) => data.singleton(name),
    matching: (collection, match) => data.matching(collection, match),
    apply: (write: SingleWrite): Work<readonly Edit[]> => data.apply({ ...write, lenience }),
    newId: (collection, options) => data.newId(collection, options),
  };
}

/** The reply with the rules that the write broke, in a `Warning`. */
function warned(reply: Reply, { broken }: Lenience): Reply {
  const applied = [reply.headers?.["Preference-Applied"], "handling=lenient"].filter(Boolean).join(", ");
  const headers = { ...reply.headers, "Preference-Applied": applied };
  if (broken.size === 0) return { ...reply, headers };
  return { ...reply, headers: { ...headers, Warning: warningOf("Breaks the rules", [...broken]) } };
}

import { type Answer, ask } from "../api/ask.ts";
import { isSameJson, type JsonObject } from "../api/json.ts";
import { noteChange } from "../api/live-data.ts";
import { Refusal } from "../api/refusal.ts";
import { Conflict, type ReadRecord } from "./conflict.ts";
import { isDotId, recordPath } from "./record-address.ts";
import { type RevertedRecord, revert } from "./revert.ts";
import { madeBy, type SentWrite } from "./sent-write.ts";
import { announce } from "./undoing.ts";

/** Reads a record at its own address, or the only one of a list (see `readingPath`). */
export async function readRecord(path: string): Promise<ReadRecord> {
  const { value, etag } = asRead(await ask("GET", path));
  if (!Array.isArray(value)) return { value, etag };
  const [first] = value as JsonObject[];
  if (first === undefined) throw new Refusal(404, "RECORD_NOT_FOUND", "Record not found", "It no longer exists.");
  return { value: first, etag };
}

export async function createRecord(collection: string, idKey: string, body: JsonObject): Promise<ReadRecord> {
  const path = `/${encodeURIComponent(collection)}`;
  const { read, write } = await send("POST", path, undefined, body);
  const id = String(read.value[idKey]);
  const created = recordPath(collection, id);
  const undo = isDotId(id) ? undefined : async () => (await sendChecked("DELETE", created, read, undefined)).write;
  announce(`Created ${created.slice(1)}`, { ...write, created: { collection, id } }, undo);
  return read;
}

/** Puts a record that a version has removed back in its place, as it was before or with another value. */
export async function returnRecord(version: number, record: RevertedRecord, value: JsonObject): Promise<void> {
  const write = await revert(version, { record });
  const path = recordPath(record.collection, record.id);
  announce(`Restored ${path.slice(1)}`, write);
  const returned = await readRecord(path);
  if (!isSameJson(returned.value, value)) await changeRecord(path, returned, "PUT", value);
}

/** Changes a record; throws `Conflict` if it is no longer as it was read. */
export async function changeRecord(
  path: string,
  was: ReadRecord,
  method: "PATCH" | "PUT",
  body: JsonObject,
): Promise<ReadRecord> {
  const { read, write } = await sendChecked(method, path, was, body);
  announce(`Changed ${path.slice(1)}`, write, async () => (await sendChecked("PUT", path, read, was.value)).write);
  return read;
}

export async function removeRecord(path: string, was: ReadRecord): Promise<void> {
  const { write } = await sendChecked("DELETE", path, was, undefined);
  const collectionPath = path.slice(0, path.lastIndexOf("/"));
  const undo = async () => (await send("POST", collectionPath, undefined, was.value)).write;
  announce(`Deleted ${path.slice(1)}`, write, undo);
}

/**
 * A write that applies only to the record as it was read. If an interceptor may change responses, their tags are weak and
 * belong to the response, not to the record: then the record itself is compared just before.
 */
async function sendChecked(method: string, path: string, was: ReadRecord, body: JsonObject | undefined) {
  const isWeak = was.etag === undefined || was.etag.startsWith("W/");
  try {
    if (isWeak) await expectSame(path, was);
    return await send(method, path, isWeak ? undefined : was.etag, body);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    if (thrown.status === 404) throw new Conflict(undefined);
    if (thrown.status === 412) throw new Conflict(await readRecord(path));
    throw thrown;
  }
}

async function expectSame(path: string, was: ReadRecord): Promise<void> {
  const now = await readRecord(path);
  if (!isSameJson(now.value, was.value)) throw new Conflict(now);
}

async function send(method: string, path: string, etag: string | undefined, body: JsonObject | undefined) {
  const headers: Record<string, string> = etag === undefined ? {} : { "If-Match": etag };
  const answer = await ask(method, path, body === undefined ? { headers } : { headers, body });
  noteChange();
  const { status, durationMs } = answer;
  const sent = { method, path, headers: Object.entries(headers), body };
  const write: SentWrite = { ...sent, status, durationMs, made: madeBy(answer) };
  return { read: asRead(answer), write };
}

function asRead({ text, headers }: Answer): ReadRecord {
  return { value: JSON.parse(text) as JsonObject, etag: headers.get("ETag") ?? undefined };
}

import { type Answer, ask } from "../api/ask.ts";
import { isSameJson, type Json, type JsonObject } from "../api/json.ts";
import { noteChange } from "../api/live-data.ts";
import type { Pair } from "../api/parameters.ts";
import { Refusal } from "../api/refusal.ts";
import { createStore } from "../api/store.ts";
import { isDotId, recordPath } from "./record-address.ts";

/** A record as it was read: what it held, and the tag by which the server knows that state. */
export interface ReadRecord {
  readonly value: JsonObject;
  readonly etag: string | undefined;
}

/** A write as it was sent, for users who want to send it themselves. */
export interface SentWrite {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Pair[];
  readonly body: Json | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** The last change made here, and the way back. */
export interface LastChange {
  readonly title: string;
  readonly write: SentWrite;
  /** Undefined for what was itself an undoing. */
  readonly undo: (() => Promise<void>) | undefined;
}

export const lastChange = createStore<LastChange | undefined>(undefined);

/** The record was changed elsewhere. `theirs` is undefined if it was removed. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  readonly theirs: ReadRecord | undefined;

  constructor(theirs: ReadRecord | undefined) {
    super("The record has changed in the meantime.");
    this.theirs = theirs;
  }
}

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
  const undo = isDotId(id) ? undefined : () => removeAgain(created, read);
  announce(`Created ${created.slice(1)}`, write, undo);
  return read;
}

/** Changes a record; throws `Conflict` if it is no longer as it was read. */
export async function changeRecord(
  path: string,
  was: ReadRecord,
  method: "PATCH" | "PUT",
  body: JsonObject,
): Promise<ReadRecord> {
  const { read, write } = await sendChecked(method, path, was, body);
  const undo = async (): Promise<void> => {
    const undone = await sendChecked("PUT", path, read, was.value);
    announce(`Undone: ${path.slice(1)} is as it was`, undone.write, undefined);
  };
  announce(`Changed ${path.slice(1)}`, write, undo);
  return read;
}

export async function removeRecord(path: string, was: ReadRecord): Promise<void> {
  const { write } = await sendChecked("DELETE", path, was, undefined);
  const collectionPath = path.slice(0, path.lastIndexOf("/"));
  const undo = async (): Promise<void> => {
    const undone = await send("POST", collectionPath, undefined, was.value);
    announce(`Undone: ${path.slice(1)} is back`, undone.write, undefined);
  };
  announce(`Deleted ${path.slice(1)}`, write, undo);
}

async function removeAgain(path: string, created: ReadRecord): Promise<void> {
  const { write } = await sendChecked("DELETE", path, created, undefined);
  announce(`Undone: ${path.slice(1)} is gone`, write, undefined);
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
  const write: SentWrite = { method, path, headers: Object.entries(headers), body, status, durationMs };
  return { read: asRead(answer), write };
}

function asRead({ text, headers }: Answer): ReadRecord {
  return { value: JSON.parse(text) as JsonObject, etag: headers.get("ETag") ?? undefined };
}

/** Makes a change the last one. */
export function announce(title: string, write: SentWrite, undo: (() => Promise<void>) | undefined): void {
  lastChange.set({ title, write, undo });
}

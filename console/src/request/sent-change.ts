import { ownHeaders } from "../api/ask.ts";
import { MOUNT, SANDBOX_PREFIX, SERVER_URL, withoutBase } from "../api/base.ts";
import { parseJson } from "../api/json.ts";
import { overview } from "../api/live-data.ts";
import type { Member } from "../api/overview.ts";
import { lastOf } from "../api/resource.ts";
import { type BatchRequest, sendReverting } from "../records/batch.ts";
import type { SentWrite } from "../records/sent-write.ts";
import { type ShownEdit, undoingRequests } from "../records/undo-change.ts";
import { announce } from "../records/undoing.ts";
import { capitalise, formatCount } from "../ui/format.ts";
import type { ReadyRequest } from "./request-draft.ts";
import type { ReceivedResponse } from "./response-body.tsx";

/** An entry of `/__changes`; one without edits concerns whole collections. */
interface ShownChange {
  readonly version: number;
  readonly edits?: readonly ShownEdit[];
}

/** A database on PostgreSQL announces changes a moment after the response. */
const WAIT_MS = 500;

/** As much of a response as tells whether there was a change. */
type ResponseHead = Pick<ReceivedResponse, "status" | "headers" | "durationMs">;

/**
 * Prepares for the change that a request is about to make. Returns a function to call with the response: it announces the
 * change, with a way back. It does nothing if there was no change, or if others made changes at the same time.
 */
export async function watchChange(
  request: ReadyRequest,
  members: readonly Member[],
): Promise<(response: ResponseHead) => Promise<void>> {
  const place = placeOf(request);
  const before = (await changesAfter(place, 0, 0))?.at(-1)?.version ?? 0;
  return async (response) => {
    if (response.status >= 400 || isWithoutEffect(response.headers)) return;
    const [change, another] = (await changesAfter(place, before, WAIT_MS)) ?? [];
    if (!change || another) return;
    const { edits = [], version } = change;
    const write = sentWrite(request, response);
    if (hasHistory()) return announce(titleOf(edits), { ...write, made: { version, place } });
    const requests = undoingRequests(edits, members);
    if (edits.length > 0) announce(titleOf(edits), write, requests && (() => undo(place, requests)));
  };
}

/** The address of the shared data, or of the sandbox that a request is for. */
function placeOf({ url, headers }: ReadyRequest): string {
  const inPath = /^\/__sandbox\/[^/?]+/.exec(url.slice(SERVER_URL.length));
  if (inPath) return inPath[0];
  const named = headers.find(([name]) => name.toLowerCase() === "x-standin-sandbox")?.[1];
  return named === undefined ? "" : `${SANDBOX_PREFIX}${encodeURIComponent(named)}`;
}

/** Without asking for credentials: the request itself may need none. */
async function changesAfter(place: string, version: number, waitMs: number): Promise<ShownChange[] | undefined> {
  const headers = { Accept: "application/json", ...ownHeaders() };
  try {
    const path = `${MOUNT}${place}/__changes?after=${version}&wait=${waitMs}`;
    const response = await fetch(path, { headers, cache: "no-store" });
    return response.ok ? ((await response.json()) as { changes: ShownChange[] }).changes : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the server says that it only tried the request, or has repeated an earlier response. */
function isWithoutEffect(headers: ResponseHead["headers"]): boolean {
  const has = (name: string, part: string): boolean =>
    headers.some(([other, value]) => other.toLowerCase() === name && value.includes(part));
  return has("preference-applied", "tx=rollback") || has("idempotency-replayed", "true");
}

async function undo(place: string, requests: readonly BatchRequest[]): Promise<SentWrite> {
  return (await sendReverting(requests, place)).write;
}

function hasHistory(): boolean {
  return lastOf(overview.get())?.history !== null;
}

function sentWrite({ method, url, headers, body }: ReadyRequest, { status, durationMs }: ResponseHead) {
  const write: SentWrite = {
    method,
    path: withoutBase(url.slice(SERVER_URL.length)),
    headers,
    body: body === undefined ? undefined : parseJson(body),
    status,
    durationMs,
  };
  return write;
}

/** Such as `Created 1, changed 2 records`. */
function titleOf(edits: readonly ShownEdit[]): string {
  const [only, ...more] = edits;
  if (!only) return "Changed the data";
  const words = { created: "created", changed: "changed", removed: "deleted" };
  if (more.length === 0) return capitalise(`${words[only.kind]} ${nameOf(only)}`);
  const parts = Object.entries(words).flatMap(([kind, word]) => {
    const count = edits.filter((edit) => edit.kind === kind).length;
    return count === 0 ? [] : `${word} ${formatCount(count)}`;
  });
  return `${capitalise(parts.join(", "))} records`;
}

function nameOf({ name, id }: ShownEdit): string {
  return id === null ? name : `${name}/${id}`;
}

import { ask, askJson } from "../../api/ask.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { noteChange } from "../../api/live-data.ts";
import { Refusal } from "../../api/refusal.ts";
import { type BatchRequest, MAX_REQUESTS, sendBatch } from "../../records/batch.ts";
import { Conflict } from "../../records/conflict.ts";
import { recordPath } from "../../records/record-address.ts";
import { madeBy } from "../../records/sent-write.ts";
import { announce } from "../../records/undoing.ts";
import { plural } from "../../ui/format.ts";
import { formatListQuery, type ListQuery, windowPath } from "../list-query.ts";
import { fetchWindow } from "../use-records.ts";
import {
  changingRequests,
  choosingQueries,
  type FieldChange,
  inParts,
  matchingRequest,
  removingRequests,
  revertingRequests,
  type TaggedRecord,
} from "./bulk-requests.ts";
import { countSelected, idOf, type Selection } from "./selection.ts";

/** Records of a list that were picked. */
export interface Picked {
  readonly collection: string;
  readonly idKey: string;
  readonly query: ListQuery;
  /** How many records the query matches. */
  readonly total: number;
  readonly selection: Selection;
}

/** Whether one batch can hold the picked records; more are changed by one request with their filter. */
export function fitsBatch({ selection, total }: Picked): boolean {
  return countSelected(selection, total) <= MAX_REQUESTS;
}

/** Sets or takes away a field of every picked record. Resolves to the number of records that changed. */
export async function changePicked(picked: Picked, change: FieldChange): Promise<number> {
  if (!fitsBatch(picked)) return writeMatching(picked, change);
  const records = await readPicked(picked);
  return sendChanges(picked, records, changingRequests(records, change));
}

/** Sets a field of every picked record to a value of its own, or leaves it as it is. They must fit into one batch. */
export async function changeEach(
  picked: Picked,
  field: string,
  valueFor: (record: JsonObject) => Json | undefined | Promise<Json | undefined>,
): Promise<number> {
  const records = await readPicked(picked);
  const requests: BatchRequest[] = [];
  for (const record of records) {
    const value = await valueFor(record.value);
    if (value !== undefined) requests.push(...changingRequests([record], { field, value }));
  }
  return sendChanges(picked, records, requests);
}

async function sendChanges(picked: Picked, records: readonly TaggedRecord[], requests: readonly BatchRequest[]) {
  if (requests.length === 0) return 0;
  const { responses, write } = await sendAll(requests);
  const undo = () => sendUndo(revertingRequests(records, requests, responses));
  announce(`Changed ${wordsFor(requests.length, picked)}`, write, undo);
  return requests.length;
}

/** Removes every picked record. */
export async function removePicked(picked: Picked): Promise<number> {
  if (!fitsBatch(picked)) return writeMatching(picked, undefined);
  const records = await readPicked(picked);
  if (records.length === 0) return 0;
  const { write } = await sendAll(removingRequests(records));
  const undo = () => {
    const path = `/${encodeURIComponent(picked.collection)}`;
    const parts = inParts(records.map(({ value }) => value));
    return sendUndo(parts.map((body) => ({ method: "POST", path, body })));
  };
  announce(`Deleted ${wordsFor(records.length, picked)}`, write, undo);
  return records.length;
}

/** The requests by filter that write to more records than a batch can name. */
export function matchingRequests({ collection, idKey, query, selection, total }: Picked, change?: FieldChange) {
  const most = countSelected(selection, total);
  return choosingQueries(query, idKey, selection).map((choosing) =>
    matchingRequest(collection, choosing, change, most),
  );
}

async function writeMatching(picked: Picked, change: FieldChange | undefined): Promise<number> {
  const [first, ...others] = matchingRequests(picked, change);
  const { count, write } =
    others.length === 0
      ? await writeOnce(first as WriteRequest)
      : await writeInBatch([first as WriteRequest, ...others]);
  noteChange();
  announce(`${change ? "Changed" : "Deleted"} ${wordsFor(count, picked)}`, write);
  return count;
}

type WriteRequest = ReturnType<typeof matchingRequest>;

async function writeOnce({ method, path, headers, body }: WriteRequest) {
  const answer = await ask(method, path, body === undefined ? { headers } : { headers, body });
  const { text, status, durationMs } = answer;
  const { count } = JSON.parse(text) as { count: number };
  const sent = { method, path, headers: Object.entries(headers), body };
  return { count, write: { ...sent, status, durationMs, made: madeBy(answer) } };
}

async function writeInBatch(requests: readonly WriteRequest[]) {
  const { responses, write } = await sendBatch(requests);
  const count = responses.reduce((sum, { body }) => sum + (body as { count: number }).count, 0);
  return { count, write };
}

/** Reads the records in one batch, with their tags. Those that no longer exist are left out. */
async function readPicked(picked: Picked): Promise<TaggedRecord[]> {
  const ids = await idsOf(picked);
  try {
    return await readTagged(picked.collection, ids);
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.status !== 404) throw thrown;
    return readTagged(picked.collection, await existing(picked, ids));
  }
}

/** Reads records in one batch, with their tags. */
export async function readTagged(collection: string, ids: readonly string[]): Promise<TaggedRecord[]> {
  const paths = ids.map((id) => recordPath(collection, id));
  const { responses } = await sendBatch(paths.map((path) => ({ method: "GET", path })));
  return responses.map(({ headers, body }, at) => ({
    path: paths[at] as string,
    value: body as JsonObject,
    etag: headers.ETag ?? "",
  }));
}

async function idsOf({ collection, idKey, query, selection, total }: Picked): Promise<string[]> {
  if (selection.kind === "some") return [...selection.ids];
  const text = formatListQuery({ ...query, fields: [idKey], grouping: undefined });
  const window = await fetchWindow(windowPath(collection, text, 0, total), new AbortController().signal);
  const { records } = window;
  // Others have added or removed some: these are not the ones that were picked.
  if (window.total !== total) throw new Conflict(undefined);
  return records.flatMap((record) => idOf(record, idKey) ?? []).filter((id) => !selection.ids.has(id));
}

/** Those of the ids that the collection still has. In a body, since they may be too many for an address. */
async function existing({ collection, idKey }: Picked, ids: readonly string[]): Promise<string[]> {
  const body = { _where: { [idKey]: { in: [...ids] } }, _fields: idKey };
  const records = await askJson<JsonObject[]>("QUERY", `/${encodeURIComponent(collection)}`, { body });
  return records.flatMap((record) => idOf(record, idKey) ?? []);
}

export async function sendAll(requests: readonly BatchRequest[]) {
  const sent = await sendBatch(requests);
  noteChange();
  return sent;
}

/** One batch, or as many as it takes: large records that were removed together must come back all the same. */
export async function sendUndo(requests: readonly BatchRequest[]) {
  const [first = [], ...others] = inParts(requests);
  try {
    let { write } = await sendAll(first);
    for (const part of others) write = (await sendAll(part)).write;
    return write;
  } catch (thrown) {
    const isChanged = thrown instanceof Refusal && [404, 409, 412].includes(thrown.status);
    throw isChanged ? new Conflict(undefined) : thrown;
  }
}

/** How many records of which collection. */
function wordsFor(count: number, { collection }: Picked): string {
  return `${plural(count, "record")} of ${collection}`;
}

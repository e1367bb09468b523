import { ask } from "../../api/ask.ts";
import { API_URL } from "../../api/base.ts";
import { loadOverview, noteChange } from "../../api/live-data.ts";
import type { Member } from "../../api/overview.ts";
import { madeBy, type SentWrite } from "../../records/sent-write.ts";
import { announce } from "../../records/undoing.ts";
import { watchChange } from "../../request/sent-change.ts";
import type { ImportRequest } from "./import-request.ts";

/** One request takes no more than this. */
export const MAX_BYTES = 10 * 1024 * 1024;
/** As many new records can be undone in one step. */
export const UNDOABLE = 500;

/** Creates the records in one change, which can be undone. */
export async function importRecords(request: ImportRequest, title: string, members: readonly Member[]): Promise<void> {
  const { method, path, headers, body } = request;
  const pairs = Object.entries(headers);
  const ready = { method, url: `${API_URL}${path}`, headers: pairs, body: JSON.stringify(body) };
  const seeChange = await watchChange(ready, members);
  const answer = await ask(method, path, { headers, body });
  noteChange();
  const { status, durationMs } = answer;
  const made = madeBy(answer);
  const write: SentWrite = { method, path, headers: pairs, body, status, durationMs, made };
  announce(title, write);
  if (!made) await seeChange({ status, durationMs, headers: [...answer.headers] });
  await loadOverview();
}

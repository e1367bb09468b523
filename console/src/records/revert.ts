import { ask } from "../api/ask.ts";
import type { Reverted } from "../api/history.ts";
import type { Json } from "../api/json.ts";
import { noteChange } from "../api/live-data.ts";
import type { SentWrite } from "./sent-write.ts";

interface RevertOptions {
  /** Keeps later changes of other fields. */
  readonly fields?: boolean;
  /** In front of the path: another sandbox than that of the page. */
  readonly place?: string | undefined;
  /** The only record to take back. */
  readonly record?: RevertedRecord;
}

export interface RevertedRecord {
  readonly collection: string;
  readonly id: string;
}

/** Takes one version back, as a new version, which can be taken back as well. */
export function revert(version: number, { fields, place = "", record }: RevertOptions = {}): Promise<SentWrite> {
  return send(`/__history/${version}/revert`, { ...(fields && { fields }), ...record }, place);
}

/** Makes all data what it was at a version, as a new version. */
export function restoreTo(version: number): Promise<SentWrite> {
  return send("/__history/restore", { at: version }, "");
}

async function send(path: string, body: Json, place: string): Promise<SentWrite> {
  const { text, status, durationMs } = await ask("POST", `${place}${path}`, { body });
  noteChange();
  const { version, unchanged = false } = JSON.parse(text) as Reverted;
  return {
    method: "POST",
    path,
    headers: [],
    body,
    status,
    durationMs,
    made: unchanged ? undefined : { version, place },
  };
}

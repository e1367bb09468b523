import type { Json } from "../../../base/json/json.ts";
import type { Origin } from "../../history.ts";
import { TOO_LARGE } from "../../memory/history/kept-change.ts";
import type { Edit, MemberEdit } from "../../store.ts";

/** The most characters of records before a change; with more, the way back is lost. As much as memory keeps. */
export const MAX_PAST_LENGTH = 64 * 2 ** 20;

/** When a version was made, and by whom. */
export interface PastPart {
  readonly t: number;
  readonly by: string;
  readonly cause?: string;
  /** How many jobs led to it. */
  readonly depth?: number;
  /** Why the way back is not known. */
  readonly lost?: string;
}

/**
 * The way back to a member: a script makes the former records from parts of the new ones, `[from, count]`, and others,
 * `{ r: record }`; `gone` are the new records that are in no part. `was` is the former content of other members. A new
 * member has neither.
 */
export interface MemberDelta {
  readonly name: string;
  readonly script?: readonly (readonly [from: number, count: number] | { readonly r: Json })[];
  readonly gone?: readonly Json[];
  readonly was?: Json;
}

/** Who makes a change, and when. */
export interface Noted {
  readonly origin: Origin;
  readonly time: number;
}

/** The latest origin and time, encoded: one client often makes many changes, and several in a millisecond. */
let latest = { by: "", text: "" };
let latestTime = { time: Number.NaN, text: "" };

/** The head of a line: members of a JSON object, each behind a comma. */
export function encodeHead({ origin: { by = "program", cause, depth }, time }: Noted): string {
  if (by !== latest.by) latest = { by, text: `,"by":${JSON.stringify(by)}` };
  if (time !== latestTime.time) latestTime = { time, text: `,"t":${time}` };
  const more = (cause === undefined ? "" : `,"cause":${JSON.stringify(cause)}`) + (depth ? `,"depth":${depth}` : "");
  return latestTime.text + latest.text + more;
}

export function encodeLost(reason: string): string {
  return `,"lost":${JSON.stringify(reason)}`;
}

/** The head, and the edit of a member. */
export function encodePastMember(edit: MemberEdit, noted: Noted): string {
  return `${encodeHead(noted)},"member":${JSON.stringify(edit)}`;
}

/** The head, and the records before a change. Reuses their texts. */
export function encodePast(edits: readonly Edit[], noted: Noted): string {
  let was = "";
  for (const { before } of edits) if (before) was += (was === "" ? "" : ",") + before.text;
  return encodeHead(noted) + (was === "" ? "" : `,"was":[${was}]`);
}

/** The same for a large change. */
export function* pastTexts(edits: readonly Edit[], noted: Noted): Generator<string> {
  yield encodeHead(noted);
  if (lengthBefore(edits) > MAX_PAST_LENGTH) {
    yield encodeLost(TOO_LARGE);
    return;
  }
  let separator = ',"was":[';
  for (const { before } of edits) {
    if (!before) continue;
    yield separator + before.text;
    separator = ",";
  }
  if (separator === ",") yield "]";
}

function lengthBefore(edits: readonly Edit[]): number {
  let length = 0;
  for (const { before } of edits) length += before?.text.length ?? 0;
  return length;
}

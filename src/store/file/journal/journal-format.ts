import { crc32 } from "node:zlib";
import { type Json, type JsonObject, parseJson, stringifyJson } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import type { Receipt } from "../../receipts.ts";
import type { Change, Edit, Exported, MemberEdit } from "../../store.ts";
import { encodePast, type MemberDelta, type Noted, type PastPart, pastTexts } from "../history/past-text.ts";
import { digits, encodeLongLine } from "./long-line.ts";

/**
 * A journal consists of lines `<crc32 of the rest, 8 hex digits> <JSON>`. The first is the header; then come entries
 * (changes) and notes (which file content holds the entries up to a version).
 */
export type Hashes = Readonly<Record<string, string>>;

/** The content of every data file, by file name, once it held all changes up to version `v`; empty for an absent file. */
export interface Header {
  readonly standin: 1;
  readonly v: number;
  readonly base: Hashes;
}

/** `+` adds a record, last if it has no position, `=` puts one in place of another, `-` removes one; singletons have none. */
export type JournalEdit =
  | readonly ["+", name: string, record: Json, at?: number]
  | readonly ["=", name: string, at: number | null, record: Json]
  | readonly ["-", name: string, at: number];

export interface EditsEntry extends Partial<PastPart> {
  readonly v: number;
  readonly edits: readonly JournalEdit[];
  /** The response to the request that made the change; a request that changed nothing has no edits. */
  readonly receipt?: Receipt;
  /** The records before those edits that have one, for the history. */
  readonly was?: readonly Json[];
}

/** `+` adds a member with this content, `-` removes one, `~` gives one another name. */
export type JournalMemberEdit =
  | readonly ["+", name: string, content: Json]
  | readonly ["-", name: string]
  | readonly ["~", name: string, to: string];

/** Collections or singletons came or went. */
export interface MembersEntry extends Partial<PastPart> {
  readonly v: number;
  readonly members: readonly JournalMemberEdit[];
  /** The same for the history, with what a removed member was. */
  readonly member?: MemberEdit;
  readonly was?: { readonly at: number; readonly content: Json };
}

/** The whole database was replaced, by a restore or a reset. */
export interface SwapEntry extends Partial<PastPart> {
  readonly v: number;
  readonly database: JsonObject;
  /** The way back, for the history. */
  readonly names?: readonly string[];
  readonly swap?: readonly MemberDelta[];
}

/** Files with these hashes hold every entry up to version `v`. `inPlace` names the complete copy a file is written from. */
export interface FoldNote {
  readonly v: number;
  readonly folded: Hashes;
  readonly inPlace?: string;
}

/** No entries exist between versions `since` and `v`: writes that the disk refused have used up these numbers. */
export interface GapNote {
  readonly v: number;
  readonly since: number;
}

/** All data after the entries up to version `v`, for the case that no file has the data they build on. */
export interface WholeNote {
  readonly v: number;
  readonly whole: JsonObject;
}

export type JournalLine = EditsEntry | MembersEntry | SwapEntry | FoldNote | GapNote | WholeNote;

export interface JournalContent {
  readonly header: Header;
  readonly lines: readonly JournalLine[];
  /** The lines of the file, each with its line break. */
  readonly texts: readonly string[];
  /**
   * `whole`: nothing follows the last valid line. `torn`: a line whose write was cut off. `damaged`: a complete line that
   * is no longer valid or does not follow the one before it.
   */
  readonly end: "whole" | "torn" | "damaged";
}

const LINE_BREAK = 0x0a;
const CHECKSUM_LENGTH = 8;

export function encodeLine(json: string): string {
  return `${checksum(json)} ${json}\n`;
}

/** Reads a journal; undefined when its header is not valid, or when a later version of standin wrote a line. */
export function decodeJournal(content: Buffer): JournalContent | undefined {
  const decoded: (Header | JournalLine)[] = [];
  const texts: string[] = [];
  let start = 0;
  let last: number | undefined;
  for (let end = content.indexOf(LINE_BREAK); end !== -1; end = content.indexOf(LINE_BREAK, start)) {
    const line = decodeLine<Header | JournalLine>(content.subarray(start, end));
    if (line === undefined) break;
    last = versionAfter(last, line);
    if (last === undefined) break;
    decoded.push(line);
    texts.push(content.toString("utf8", start, end + 1));
    start = end + 1;
  }
  const [header, ...lines] = decoded;
  if (!header || !("standin" in header) || header.standin !== 1 || !lines.every(isKnown)) return undefined;
  return {
    header,
    lines: lines as JournalLine[],
    texts: texts.slice(1),
    end: endOf(content.subarray(start)),
  };
}

/** Whether we know what a line says, and every edit in it. */
function isKnown(line: Header | JournalLine): boolean {
  if ("edits" in line) return line.edits.every(([kind]) => kind === "+" || kind === "=" || kind === "-");
  if ("members" in line) return line.members.every(([kind]) => kind === "+" || kind === "-" || kind === "~");
  return ["database", "folded", "since", "whole"].some((key) => key in line);
}

/** The version of the database after a line; undefined when lines are missing before it or it is a duplicate. */
function versionAfter(last: number | undefined, line: Header | JournalLine): number | undefined {
  if (last === undefined || "standin" in line) return last === undefined ? line.v : undefined;
  if ("folded" in line || "whole" in line) return line.v <= last ? last : undefined;
  const before = "since" in line ? line.since : line.v - 1;
  return before === last && line.v > last ? line.v : undefined;
}

function endOf(rest: Buffer): JournalContent["end"] {
  if (rest.length === 0) return "whole";
  // A write that was cut off leaves neither a line break nor a whole line with another character in place of it.
  return rest.includes(LINE_BREAK) || decodeLine(rest.subarray(0, -1)) !== undefined ? "damaged" : "torn";
}

/** The content of a line without its line break; undefined when it is damaged. */
export function decodeLine<Line extends object>(line: Buffer): Line | undefined {
  const json = line.subarray(CHECKSUM_LENGTH + 1);
  if (line.toString("latin1", 0, CHECKSUM_LENGTH + 1) !== `${checksum(json)} `) return undefined;
  const decoded = parseJson<Line>(json.toString("utf8"));
  return typeof decoded === "object" && decoded !== null ? decoded : undefined;
}

function checksum(text: string | Buffer): string {
  return digits(crc32(text));
}

interface Naming {
  readonly isSingleton: (name: string) => boolean;
  readonly receipt?: Receipt | undefined;
  /** With it, the line has what the history needs. */
  readonly noted?: Noted | undefined;
}

interface Encoding extends Naming {
  /** The positions of the edits. */
  readonly positions: readonly number[];
}

interface LongEncoding extends Naming {
  readonly positionOf: (edit: Edit) => number;
}

/** Encodes a change. Reuses the texts of the records. */
export function encodeChange(change: Change, { positions, isSingleton, receipt, noted }: Encoding): string {
  let parts = "";
  for (let at = 0; at < change.edits.length; at++) {
    parts += `${at === 0 ? "" : ","}${encodeEdit(change.edits[at]!, positions[at]!, isSingleton)}`;
  }
  const past = noted ? encodePast(change.edits, noted) : "";
  return `{"v":${change.version},"edits":[${parts}]${past}${receipt ? `,"receipt":${JSON.stringify(receipt)}` : ""}}`;
}

/** Encodes a change as a whole line, with pauses. */
export function encodeLargeChange(change: Change, encoding: LongEncoding): Work<readonly string[]> {
  return encodeLongLine(changeTexts(change, encoding));
}

function* changeTexts(change: Change, { positionOf, isSingleton, receipt, noted }: LongEncoding): Generator<string> {
  let before = `{"v":${change.version},"edits":[`;
  for (const edit of change.edits) {
    yield before + encodeEdit(edit, positionOf(edit), isSingleton);
    before = ",";
  }
  yield change.edits.length === 0 ? `${before}]` : "]";
  if (noted) yield* pastTexts(change.edits, noted);
  if (receipt) {
    yield ',"receipt":';
    yield JSON.stringify(receipt);
  }
  yield "}";
}

/** Encodes the replacement of the whole database as a whole line, with pauses. */
export function encodeSwap(
  version: number,
  members: readonly Exported[],
  past: Iterable<string> = [],
): Work<readonly string[]> {
  return encodeLongLine(databaseTexts(`{"v":${version},"database":{`, members, past), "The data");
}

/** Encodes all data as a note, with pauses. */
export function encodeWhole(version: number, members: readonly Exported[]): Work<readonly string[]> {
  return encodeLongLine(databaseTexts(`{"v":${version},"whole":{`, members, []), "The data");
}

function* databaseTexts(start: string, members: readonly Exported[], past: Iterable<string>): Generator<string> {
  yield start;
  for (const [position, member] of members.entries()) {
    yield `${position === 0 ? "" : ","}${JSON.stringify(member.name)}:`;
    yield* contentTexts(member);
  }
  yield "}";
  yield* past;
  yield "}";
}

/** Encodes the edit of a member. */
export function encodeMemberEdit(version: number, edit: MemberEdit, past = ""): string {
  return `{"v":${version},"members":[${encodeEditOfMember(edit)}]${past}}`;
}

function encodeEditOfMember(edit: MemberEdit): string {
  const name = JSON.stringify(edit.name);
  if (edit.kind === "created") return `["+",${name},${edit.type === "collection" ? "[]" : "{}"}]`;
  return edit.kind === "removed" ? `["-",${name}]` : `["~",${name},${JSON.stringify(edit.to)}]`;
}

/** Encodes a renamed member as one that is removed and added again with its content: a whole line, with pauses. */
export function encodeMovedMember(content: Exported, to: string, line: MemberLine): Work<readonly string[]> {
  return encodeLongLine(movedTexts(content, to, line));
}

/** Encodes the removal of a member with its content, for the history: a whole line, with pauses. */
export function encodeRemovedMember(edit: MemberEdit, removed: RemovedMember): Work<readonly string[]> {
  return encodeLongLine(removedTexts(edit, removed));
}

interface RemovedMember extends MemberLine {
  readonly at: number;
  readonly content: Exported;
}

function* removedTexts(edit: MemberEdit, { version, past, at, content }: RemovedMember): Generator<string> {
  yield `{"v":${version},"members":[${encodeEditOfMember(edit)}]${past},"was":{"at":${at},"content":`;
  yield* contentTexts(content);
  yield "}}";
}

/** The version of a line, and its part for the history. */
interface MemberLine {
  readonly version: number;
  readonly past: string;
}

function* movedTexts(content: Exported, to: string, { version, past }: MemberLine): Generator<string> {
  yield `{"v":${version},"members":[["-",${JSON.stringify(content.name)}],["+",${JSON.stringify(to)},`;
  yield* contentTexts(content);
  yield `]]${past}}`;
}

function* contentTexts(member: Exported): Generator<string> {
  if (member.kind === "aside") yield stringifyJson(member.value);
  else if (member.kind === "singleton") yield member.record.text;
  else {
    let before = "[";
    for (const { text } of member.records) {
      yield before + text;
      before = ",";
    }
    yield member.records.length === 0 ? "[]" : "]";
  }
}

function encodeEdit(edit: Edit, position: number, isSingleton: Naming["isSingleton"]): string {
  const { name, before, after } = edit;
  const quoted = JSON.stringify(name);
  if (!before) return `["+",${quoted},${after?.text}${edit.isReturn ? `,${position}` : ""}]`;
  if (!after) return `["-",${quoted},${position}]`;
  return `["=",${quoted},${isSingleton(name) ? null : position},${after.text}]`;
}

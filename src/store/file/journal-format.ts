import { crc32 } from "node:zlib";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { Change } from "../store.ts";

/**
 * The journal is lines of `<crc32 of the rest, 8 hex digits> <JSON>`. The first is the header; then come entries (what
 * changed) and notes (which file content holds the entries up to a version).
 */
export type Hashes = Readonly<Record<string, string>>;

/** The content of every data file, by file name, once it held all changes up to version `v`; empty for an absent file. */
export interface Header {
  readonly standin: 1;
  readonly v: number;
  readonly base: Hashes;
}

/** `+` appends a record, `=` puts one in place of another, `-` removes one; a singleton has no position. */
export type JournalEdit =
  | readonly ["+", name: string, record: Json]
  | readonly ["=", name: string, at: number | null, record: Json]
  | readonly ["-", name: string, at: number];

export interface EditsEntry {
  readonly v: number;
  readonly edits: readonly JournalEdit[];
}

/** The whole database was exchanged: a restore, a reset. */
export interface SwapEntry {
  readonly v: number;
  readonly database: JsonObject;
}

/** Files with these hashes hold every entry up to version `v`. `inPlace` names the complete copy a file is written from. */
export interface FoldNote {
  readonly v: number;
  readonly folded: Hashes;
  readonly inPlace?: string;
}

export type JournalLine = EditsEntry | SwapEntry | FoldNote;

export interface JournalContent {
  readonly header: Header;
  readonly lines: readonly JournalLine[];
  /** The lines as they stand in the file, each with its line break. */
  readonly texts: readonly string[];
  /** What follows the last sound line: nothing, the torn end of the last one, or a damaged line with sound ones after it. */
  readonly end: "whole" | "torn" | "damaged";
}

export function encodeLine(json: string): string {
  return `${checksum(json)} ${json}\n`;
}

/** Reads a journal; undefined when not even its header is sound, so that nothing can be known of it. */
export function decodeJournal(text: string): JournalContent | undefined {
  const parts = text.split("\n");
  const rest = parts.pop();
  const sound = parts.findIndex((line) => decodeLine(line) === undefined);
  const good = sound === -1 ? parts : parts.slice(0, sound);
  const [header, ...lines] = good.map(decodeLine);
  if (!isJsonObject(header) || header.standin !== 1) return undefined;
  const bad = sound === -1 ? [] : parts.slice(sound + 1);
  const isDamaged = bad.some((line) => decodeLine(line) !== undefined);
  const end = isDamaged ? "damaged" : sound !== -1 || rest !== "" ? "torn" : "whole";
  const texts = good.slice(1).map((line) => `${line}\n`);
  return { header: header as unknown as Header, lines: lines as unknown as JournalLine[], texts, end };
}

function decodeLine(line: string): Json | undefined {
  const json = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksum(json)) return undefined;
  return JSON.parse(json) as Json;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** A change as the journal keeps it; `positions` are where each edit was made. Record texts are taken over, not made anew. */
export function encodeChange(
  { version, edits }: Change,
  positions: readonly number[],
  isSingleton: (name: string) => boolean,
): string {
  const parts = edits.map(({ name, before, after }, index) => {
    const quoted = JSON.stringify(name);
    if (!before) return `["+",${quoted},${after?.text}]`;
    if (!after) return `["-",${quoted},${positions[index]}]`;
    return `["=",${quoted},${isSingleton(name) ? null : positions[index]},${after.text}]`;
  });
  return `{"v":${version},"edits":[${parts.join(",")}]}`;
}

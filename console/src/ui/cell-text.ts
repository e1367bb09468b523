import type { Json, JsonObject } from "../api/json.ts";

/** How much of a value a cell shows; the rest is in the record. */
const LONGEST = 160;

/**
 * A value as one short line. Never makes the whole text of a large value first: a cell must cost the same whether it holds
 * a word or ten megabytes.
 */
export function cellText(value: Json | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string") return cut(value);
  if (typeof value !== "object" || value === null) return String(value);
  const pieces: string[] = [];
  const room = { left: LONGEST };
  write(value, pieces, room, 0);
  return cut(pieces.join(""));
}

function write(value: Json, pieces: string[], room: { left: number }, depth: number): void {
  if (room.left <= 0) return;
  if (typeof value !== "object" || value === null) {
    push(typeof value === "string" ? JSON.stringify(value.slice(0, LONGEST)) : String(value), pieces, room);
  } else writeInner(value, pieces, room, depth);
}

function writeInner(value: Json[] | JsonObject, pieces: string[], room: { left: number }, depth: number): void {
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const length = Array.isArray(value) ? value.length : (keys?.length ?? 0);
  push(keys ? "{" : "[", pieces, room);
  if (depth > 4) push("…", pieces, room);
  for (let index = 0; index < length && room.left > 0 && depth <= 4; index++) {
    const key = keys?.[index];
    if (index > 0) push(", ", pieces, room);
    if (key !== undefined) push(`${key}: `, pieces, room);
    write((value as JsonObject)[key ?? index] as Json, pieces, room, depth + 1);
  }
  push(keys ? "}" : "]", pieces, room);
}

function push(text: string, pieces: string[], room: { left: number }): void {
  pieces.push(text);
  room.left -= text.length;
}

function cut(text: string): string {
  const line = text.length > LONGEST ? `${safeSlice(text, LONGEST)}…` : text;
  return line.replace(/\s+/g, " ");
}

/** Not through the middle of an emoji. */
function safeSlice(text: string, end: number): string {
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}

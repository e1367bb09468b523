import type { Work } from "../../slices.ts";

/** Characters that are converted or scanned between two pauses. */
const STRIDE = 256 * 1024;

/** A position near `wanted` that does not split a surrogate pair. */
export function cutNear(text: string, wanted: number, end: number): number {
  if (wanted >= end) return end;
  const code = text.charCodeAt(wanted - 1);
  return code >= 0xd800 && code <= 0xdbff ? wanted - 1 : wanted;
}

/** The same within a JSON string, without splitting an escape; `from` is the previous cut. */
export function cutStringNear(text: string, from: number, wanted: number, end: number): number {
  const cut = cutNear(text, wanted, end);
  if (cut === end) return end;
  // No escape is longer than six characters.
  for (let at = cut - 1; at >= cut - 5; at--) {
    if (text.charCodeAt(at) !== 0x5c) continue;
    let first = at;
    while (first > from && text.charCodeAt(first - 1) === 0x5c) first--;
    const isEscape = (at - first) % 2 === 0;
    if (!isEscape) return cut;
    const length = text[at + 1] === "u" ? 6 : 2;
    return at + length > cut ? at : cut;
  }
  return cut;
}

export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const cut = cutNear(text, at + STRIDE, text.length);
    yield text.slice(at, cut);
    at = cut;
  }
}

/** Encodes a text as UTF-8, with pauses. */
export function* toBytes(text: string): Work<Buffer> {
  return Buffer.concat(yield* toByteParts(text));
}

/** Encodes a text that is in parts, with pauses. */
export function* joinedBytes(parts: readonly string[]): Work<Buffer> {
  let length = 0;
  for (const part of parts) {
    length += Buffer.byteLength(part);
    yield;
  }
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    at += bytes.write(part, at);
    yield;
  }
  return bytes;
}

/** The same in parts, for those who can send one after the other: joining large ones takes many slices in one turn. */
export function* toByteParts(text: string, edit: (piece: string) => string = same): Work<Buffer[]> {
  const parts: Buffer[] = [];
  for (const piece of piecesOf(text)) {
    parts.push(Buffer.from(edit(piece)));
    yield;
  }
  return parts;
}

const same = (piece: string): string => piece;

import { createHash, type Hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import fresh from "fresh";
import { StandinError } from "../../base/errors.ts";
import { piecesOf } from "../../base/json/large/pieces.ts";
import type { Work } from "../../base/slices.ts";
import type { Expectation, Store } from "../../store/store.ts";

/** The end of a tag for records in a form of their own: the same for the same form. */
export function formMark(hash: string): string {
  return `.f${hash}`;
}

const FORM_MARK = /\.f[\w-]+(?="$)/;

/** Weak: the response depends on these members in ways that the tag does not spell out. */
export function stampTag(stamp: string): string {
  return `W/"${stamp}"`;
}

/** A hash of the text, for responses without a version. */
export function contentTag(text: string): string {
  return `"${shortHash(text)}"`;
}

/** The same for a large text, with pauses. */
export function* contentTagInPieces(text: string): Work<string> {
  const hash = createHash("sha256");
  for (const piece of piecesOf(text)) {
    hash.update(piece);
    yield;
  }
  return `"${shortened(hash)}"`;
}

/** A hash to be part of a tag. */
export function shortHash(text: string): string {
  return shortened(createHash("sha256").update(text));
}

function shortened(hash: Hash): string {
  return hash.digest("base64url").slice(0, 16);
}

/** Whether the client already has the version of this tag; `Cache-Control: no-cache` asks again all the same. */
export function isFresh(headers: IncomingHttpHeaders, etag: string): boolean {
  return headers["if-none-match"] !== undefined && fresh(headers, { etag });
}

/** `If-Match` as an expectation: the record about to be written must still be the one the client saw, in any form. */
export function expectMatch(store: Store, header: string | undefined): Expectation | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const tags = new Set(header.split(",").map((tag) => tag.trim().replace(FORM_MARK, "")));
  return (current) => {
    const tag = current.tag(store);
    if (tags.has(tag)) return;
    throw new StandinError(
      "RECORD_CHANGED",
      `The record has changed: its ETag is now ${tag}, not ${header}. GET it again and repeat the change.`,
      { ETag: tag },
    );
  };
}

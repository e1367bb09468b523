import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import { isFresh } from "../../http/response/headers.ts";
import type { EventSink, Reply } from "../../http/response/reply.ts";
import { disposition, shownName } from "./file-name.ts";
import type { FileStore } from "./file-store.ts";
import { HEAD_BYTES } from "./file-store.ts";
import { sentAs } from "./file-type.ts";
import { requestedRange } from "./range.ts";
import type { Uploads } from "./uploads.ts";

export interface ServedFile {
  readonly sha256: string;
  readonly name: string;
  /** The value of `Cache-Control`. */
  readonly cache: string;
}

/** No proxy may change the bytes that a range counts. */
export const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";
export const PRIVATE = "private, no-cache, no-transform";

/**
 * Sends a stored file, or a part of it. Nothing that a client uploaded can act in our origin: only types that run no
 * script are shown, by their first bytes, and all others are downloads.
 */
export async function serveFile(call: Call, uploads: Uploads, { sha256, name, cache }: ServedFile): Promise<Reply> {
  const { store } = uploads;
  const file = await uploads.find(call, sha256);
  if (!file) throw fileNotFound();
  const etag = `"${sha256}"`;
  const caching = { "Cache-Control": cache, "Accept-Ranges": "bytes" };
  if (isFresh(call.headers, etag)) return { status: 304, etag, headers: caching };
  const range = requestedRange(
    // Ranges are defined for GET alone (RFC 9110, 14.2).
    {
      range: call.method === "HEAD" ? undefined : call.headers.range,
      ifRange: call.headers["if-range"] as string | undefined,
    },
    file.size,
    etag,
  );
  const { type, isInline } = sentAs(await headOf(store, sha256, file.size));
  const kind = isInline && !call.parameters.has("download") ? "inline" : "attachment";
  const length = range ? range.last - range.first + 1 : file.size;
  const content = await store.open(sha256, range);
  if (!content) throw fileNotFound();
  return {
    status: range ? 206 : 200,
    etag,
    headers: {
      ...caching,
      "Content-Type": type,
      "Content-Length": String(length),
      "Content-Disposition": disposition(kind, shownName(name)),
      "Content-Security-Policy": type === "application/pdf" ? "default-src 'none'" : "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
      ...(range && { "Content-Range": `bytes ${range.first}-${range.last}/${file.size}` }),
    },
    stream: (sink) => passOn(content, sink),
  };
}

export function fileNotFound(): StandinError {
  return new StandinError("FILE_NOT_FOUND", "There is no such file, or you may not read a record that has it.");
}

async function headOf(store: FileStore, sha256: string, size: number): Promise<Uint8Array> {
  const head = new Uint8Array(Math.min(size, HEAD_BYTES));
  let at = 0;
  for await (const piece of (await store.open(sha256, { first: 0, last: head.length - 1 })) ?? []) {
    head.set(piece, at);
    at += piece.length;
  }
  return head.subarray(0, at);
}

/** As fast as the client takes it. */
async function passOn(content: AsyncIterable<Uint8Array>, sink: EventSink): Promise<void> {
  let isOpen = true;
  let go = (): void => undefined;
  sink.once("close", () => {
    isOpen = false;
    go();
  });
  try {
    for await (const piece of content) {
      if (!isOpen) return;
      if (sink.write(piece)) continue;
      await new Promise<void>((resolve) => {
        go = resolve;
        sink.once("drain", resolve);
        if (!isOpen) resolve();
      });
    }
    sink.end();
  } catch {
    // The length is promised already: only an end in the middle tells the client.
    sink.destroy();
  }
}

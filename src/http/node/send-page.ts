import { acceptedEncoding, compressOnce, MIN_COMPRESSED_BYTES } from "../response/compression.ts";
import { isFresh } from "../response/headers.ts";
import type { ServiceSettings } from "../settings.ts";
import type { NodeCall } from "./node-call.ts";

/** A file of the console or the guide. It is compressed once, so it must stay the same object. */
export interface Page {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

export interface PageReply {
  readonly page: Page;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a page. It holds no data, so it is neither logged nor recorded. */
export async function sendPage(
  { res, headers: requested, method }: NodeCall,
  { page, headers }: PageReply,
  { compression }: ServiceSettings,
): Promise<void> {
  const { bytes, type, etag } = page;
  const isLong = compression && bytes.length >= MIN_COMPRESSED_BYTES;
  const encoding = isLong ? acceptedEncoding(requested["accept-encoding"]) : undefined;
  for (const [name, value] of Object.entries({ ...headers, ETag: etag })) res.setHeader(name, value);
  if (isFresh(requested, etag)) {
    res.writeHead(304).end();
    return;
  }
  const [body = bytes] = encoding ? await compressOnce(page, [bytes], encoding) : [];
  if (encoding) res.setHeader("Content-Encoding", encoding);
  res.writeHead(200, { "Content-Type": type, "Content-Length": body.length });
  res.end(method === "HEAD" ? undefined : body);
}

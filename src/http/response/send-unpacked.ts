import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import type { Request, Response } from "express";
import type { Exchange } from "../exchange.ts";
import { isFresh } from "./etag.ts";

interface PackedFile {
  readonly folder: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly packedType: string;
}

/**
 * Sends a file that is stored compressed to a client that does not accept Brotli: browsers do so over plain HTTP, unless
 * the host is this machine. Most of them accept gzip. The path is a known name, so nothing in it leaves the folder.
 */
export async function sendUnpacked(
  { req, res }: Exchange,
  { folder, path, headers = {}, packedType }: PackedFile,
  hasCompression: boolean,
): Promise<"sent" | "missing"> {
  const stored = join(folder, `${path}.br`);
  const found = await stat(stored).catch(() => undefined);
  if (!found) return "missing";
  const etag = `W/"${found.size.toString(16)}-${Math.floor(found.mtimeMs).toString(16)}"`;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader("ETag", etag);
  res.setHeader("Vary", "Accept-Encoding");
  if (isFresh(req.headers, etag)) res.statusCode = 304;
  else res.setHeader("Content-Type", packedType);
  if (res.statusCode === 304 || req.method === "HEAD") {
    res.end();
    return "sent";
  }
  if (hasCompression) {
    const { default: compression } = await import("compression");
    await new Promise<void>((resolve) => compression()(req as Request, res as Response, () => resolve()));
  }
  // A client that goes away ends it.
  await pipeline(createReadStream(stored), createBrotliDecompress(), res).catch(() => res.destroy());
  return "sent";
}

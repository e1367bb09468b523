import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Buffer } from "./buffer.ts";

/** Rejects with the code ERR_BUFFER_TOO_LARGE where the result would be longer. */
export type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** By the encodings of HTTP. */
export const DECOMPRESSORS: Readonly<Record<string, Decompress>> = {
  gzip: promisify(gunzip) as Decompress,
  deflate: promisify(inflate) as Decompress,
  br: promisify(brotliDecompress) as Decompress,
};

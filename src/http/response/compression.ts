import { Readable } from "node:stream";
import { promisify } from "node:util";
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import Negotiator from "negotiator";
import type { Buffer } from "../../base/platform/buffer.ts";

/** Below this size compression costs more time than it saves. */
export const MIN_COMPRESSED_BYTES = 1024;

export type Encoding = "br" | "gzip";
const PREFERRED: Encoding[] = ["br", "gzip"];
/** Clients send the same few headers over and over. */
const MAX_REMEMBERED = 100;
const remembered = new Map<string, Encoding | undefined>();

/** The published types lag behind the library, which takes the server's own preference for equal qualities. */
interface PreferringNegotiator extends Negotiator {
  encoding(available?: string[], options?: { preferred: string[] }): string | undefined;
}

/** The compression a client accepts and we prefer; undefined for none. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  if (remembered.has(header)) return remembered.get(header);
  const negotiator = new Negotiator({ headers: { "accept-encoding": header } }) as PreferringNegotiator;
  const best = negotiator.encoding(["identity", ...PREFERRED], { preferred: PREFERRED });
  const encoding = PREFERRED.find((name) => name === best);
  if (remembered.size < MAX_REMEMBERED) remembered.set(header, encoding);
  return encoding;
}

const runGzip = promisify(gzip);
const runBrotli = promisify(brotliCompress);

/** Compresses off the event loop, at levels for responses that are compressed once and sent once. */
export async function compress(parts: readonly Buffer[], encoding: Encoding): Promise<readonly Buffer[]> {
  const [only, ...more] = parts;
  if (only && more.length === 0)
    return [await (encoding === "gzip" ? runGzip(only, GZIP) : runBrotli(only, brotliOptions(only.length)))];
  // Joining the parts of a large body would take many slices in one turn.
  const stream = encoding === "gzip" ? createGzip(GZIP) : createBrotliCompress(brotliOptions(bytesIn(parts)));
  return Readable.from(parts).pipe(stream).toArray();
}

export function bytesIn(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

const GZIP = { level: 6 };

function brotliOptions(length: number): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  };
}

/** Compressed bodies of fixed responses, by encoding; collected with the response. */
const compressed = new WeakMap<object, Map<Encoding, Promise<readonly Buffer[]>>>();

/** Compresses a fixed response once, when it is first sent. */
export function compressOnce(reply: object, parts: readonly Buffer[], encoding: Encoding): Promise<readonly Buffer[]> {
  const known = compressed.get(reply) ?? new Map<Encoding, Promise<readonly Buffer[]>>();
  compressed.set(reply, known);
  const made = known.get(encoding) ?? compress(parts, encoding);
  known.set(encoding, made);
  return made;
}

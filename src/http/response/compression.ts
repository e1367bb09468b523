import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";

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
export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return runGzip(bytes, { level: 6 });
  return runBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** Compressed bodies of fixed responses, by encoding; collected with the response. */
const compressed = new WeakMap<object, Map<Encoding, Promise<Buffer>>>();

/** Compresses a fixed response once, when it is first sent. */
export function compressOnce(reply: object, bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = compressed.get(reply) ?? new Map<Encoding, Promise<Buffer>>();
  compressed.set(reply, known);
  const made = known.get(encoding) ?? compress(bytes, encoding);
  known.set(encoding, made);
  return made;
}

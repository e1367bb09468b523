type Encoding = "utf8" | "base64" | "base64url" | "hex" | "latin1";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** The most bytes that are handed to one call as arguments. */
const PIECE = 8192;

/** Without its static functions, of which `from` is another one here. */
const Bytes: {
  new (length: number): Uint8Array<ArrayBuffer>;
  new (bytes: ArrayLike<number>): Uint8Array<ArrayBuffer>;
  new (buffer: ArrayBuffer, offset?: number, length?: number): Uint8Array<ArrayBuffer>;
} = Uint8Array;

/** The part of Node's `Buffer` that modules for both places use. */
export class Buffer extends Bytes {
  static from(data: string | ArrayBuffer | ArrayLike<number>, encoding?: Encoding): Buffer {
    if (typeof data === "string") return over(encode(data, encoding));
    return data instanceof ArrayBuffer ? new Buffer(data) : new Buffer(data);
  }

  static alloc(length: number): Buffer {
    return new Buffer(length);
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }

  static byteLength(data: string | Uint8Array): number {
    return typeof data === "string" ? utf8Length(data) : data.length;
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const whole = Buffer.alloc(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  override toString(encoding: Encoding = "utf8"): string {
    if (encoding === "utf8") return decoder.decode(this);
    if (encoding === "hex") return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    let letters = "";
    for (let at = 0; at < this.length; at += PIECE) letters += String.fromCharCode(...this.subarray(at, at + PIECE));
    if (encoding === "latin1") return letters;
    const text = btoa(letters);
    return encoding === "base64" ? text : text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
}

function over(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return new Buffer(bytes.buffer, bytes.byteOffset, bytes.length);
}

function encode(text: string, encoding: Encoding = "utf8"): Uint8Array<ArrayBuffer> {
  if (encoding === "utf8") return encoder.encode(text);
  if (encoding === "hex") return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return Uint8Array.from(encoding === "latin1" ? text : lettersOf(text), (letter) => letter.charCodeAt(0));
}

/** As forgiving as Node: characters that do not belong are skipped. */
function lettersOf(base64: string): string {
  const clean = base64
    .replace(/=.*/s, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z\d+/]/g, "");
  // One letter alone holds no byte.
  return atob(clean.length % 4 === 1 ? clean.slice(0, -1) : clean);
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) length += code > 0x7ff ? 2 : 1;
    // The second half of a pair: both together take four bytes.
    if (code >= 0xdc00 && code <= 0xdfff && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) length -= 2;
  }
  return length;
}

/** As in Chromium; other browsers allow more. */
export const constants = { MAX_STRING_LENGTH: 2 ** 29 - 24 };

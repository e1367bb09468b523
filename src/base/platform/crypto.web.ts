import { scrypt, scryptAsync } from "@noble/hashes/scrypt.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer } from "./buffer.web.ts";

/** As Node's, for the one kind of hash that is used. Made at once, unlike those of the browser. */
export class Hash {
  readonly #hash = sha256.create();

  update(data: string | Uint8Array): this {
    this.#hash.update(typeof data === "string" ? Buffer.from(data) : data);
    return this;
  }

  digest(encoding: "base64" | "base64url" | "hex"): string {
    return Buffer.from(this.#hash.digest()).toString(encoding);
  }
}

export function createHash(_algorithm: "sha256"): Hash {
  return new Hash();
}

export function hash(algorithm: "sha256", data: string | Uint8Array): string {
  return createHash(algorithm).update(data).digest("hex");
}

export function randomBytes(length: number): Buffer {
  return crypto.getRandomValues(Buffer.alloc(length));
}

/** A whole number in [0, limit), each as likely as the others. */
export function randomInt(limit: number): number {
  // Of 48 bits, as Node's; those behind the last multiple of the limit would favour small numbers.
  const end = 2 ** 48 - (2 ** 48 % limit);
  for (;;) {
    const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2));
    const drawn = (high & 0xffff) * 2 ** 32 + low;
    if (drawn < end) return drawn % limit;
  }
}

/** Pages without TLS lack the browser's own. */
export function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Takes as long for texts that differ early as for those that differ late. */
export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) throw new RangeError("Input buffers must have the same byte length");
  let difference = 0;
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0);
  return difference === 0;
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export async function deriveKey(
  password: string,
  salt: Uint8Array,
  length: number,
  { N, r, p }: Cost,
): Promise<Buffer> {
  return Buffer.from(await scryptAsync(Buffer.from(password), salt, { N, r, p, dkLen: length }));
}

export function deriveKeyAtOnce(password: string, salt: Uint8Array, length: number, { N, r, p }: Cost): Buffer {
  return Buffer.from(scrypt(Buffer.from(password), salt, { N, r, p, dkLen: length }));
}

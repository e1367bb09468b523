import { scrypt, scryptAsync } from "@noble/hashes/scrypt.js";
import { Buffer } from "./buffer.web.ts";

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

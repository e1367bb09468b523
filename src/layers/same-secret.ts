import { Buffer } from "../base/platform/buffer.ts";
import { hash, timingSafeEqual } from "../base/platform/crypto.ts";

/** A secret made ready for comparison: all digests have the same length. */
export type Digest = Buffer;

export function digest(secret: string): Digest {
  // A digest as text and its letters as bytes take half the time of a digest as bytes.
  return Buffer.from(hash("sha256", secret), "latin1");
}

/** Compares in a time that tells nothing of where, or whether, the two differ. */
export function isSameSecret(actual: Digest, expected: Digest): boolean {
  return timingSafeEqual(actual, expected);
}

/** Hashes and random values. The half for the web has the same functions, as far as modules for both need them. */
import { type ScryptOptions, scrypt, scryptSync } from "node:crypto";
import { promisify } from "node:util";

export { createHash, type Hash, hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
export { scryptSync as deriveKeyAtOnce };

/** Hashes a password by scrypt. */
export const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

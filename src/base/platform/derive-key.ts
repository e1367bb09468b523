import { type ScryptOptions, scrypt, scryptSync } from "node:crypto";
import { promisify } from "node:util";

export { scryptSync as deriveKeyAtOnce };

/** Hashes a password by scrypt. */
export const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

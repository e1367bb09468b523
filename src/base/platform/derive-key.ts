import { type ScryptOptions, scrypt } from "node:crypto";
import { promisify } from "node:util";

/** Hashes a password by scrypt. */
export const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

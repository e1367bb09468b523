/** Hashes and random values. The half for the web has the same functions, as far as modules for both need them. */
export { createHash, type Hash, hash, randomBytes, randomInt, randomUUID, timingSafeEqual } from "node:crypto";

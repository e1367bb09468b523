import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Call } from "../../http/call.ts";
import { senderOf } from "./sender-of.ts";

const HOUR_MS = 3_600_000;
/** Addresses stay the same for this long, so that browsers find what they have. */
const STEP_MS = 600_000;
const MAX_READERS = 10_000;
const TOKEN = /^([\da-z]{1,12})\.([\w-]{22})\.([\w-]{43})$/;

/** On whose behalf an address was given out. */
export type Reader = Pick<Call, "user" | "credentialName" | "sandbox">;

/**
 * Signs addresses of files for the user that gets them: pictures and videos send no credentials. Users are remembered by
 * the server that signed, so that an address shows nothing of them.
 */
export class Signatures {
  readonly #secret = randomBytes(32);
  readonly #readers = new Map<string, Reader>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The function that signs hashes for a reader. */
  signerFor({ user, credentialName, sandbox }: Reader): (sha256: string) => string {
    const reader: Reader = { user, credentialName, sandbox };
    const key = this.#hash(`${senderOf(reader)}\n${sandbox ?? ""}`).slice(0, 22);
    this.#readers.delete(key);
    this.#readers.set(key, reader);
    const [oldest] = this.#readers.keys();
    if (this.#readers.size > MAX_READERS && oldest !== undefined) this.#readers.delete(oldest);
    const end = (Math.floor(this.#now() / STEP_MS) * STEP_MS + HOUR_MS).toString(36);
    return (sha256) => `${end}.${key}.${this.#hash(`${end}.${key}.${sha256}`)}`;
  }

  /** The reader that an address was given to; undefined where the signature is wrong or too old. */
  readerOf(token: string, sha256: string): Reader | undefined {
    const [, end = "", key = "", given = ""] = TOKEN.exec(token) ?? [];
    if (given === "" || Number.parseInt(end, 36) <= this.#now()) return undefined;
    const expected = this.#hash(`${end}.${key}.${sha256}`);
    return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? this.#readers.get(key) : undefined;
  }

  #hash(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64url");
  }
}

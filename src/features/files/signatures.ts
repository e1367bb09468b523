import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";
import type { Call } from "../../http/call.ts";

const HOUR_MS = 3_600_000;
/** Addresses stay the same for this long, so that browsers find what they have. */
const STEP_MS = 600_000;
const CIPHER = "aes-256-ctr";
const IV_BYTES = 16;
const TOKEN = /^([\da-z]{1,12})\.([\w-]{22,10000})\.([\w-]{43})$/;

/** On whose behalf an address was given out. */
export type Reader = Pick<Call, "user" | "credentialName" | "sandbox">;

/**
 * Signs addresses of files for the user that gets them: pictures and videos send no credentials. An address carries its
 * user encrypted, so it shows nothing of them, and any server with the same secret can read it.
 */
export class Signatures {
  readonly #secret: () => Uint8Array;
  readonly #now: () => number;
  #keys: Record<"sign" | "hide", Buffer> | undefined;

  /** `secret` is asked for once, with the first address. */
  constructor(secret: () => Uint8Array, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  /** The function that signs hashes for a reader. */
  signerFor(reader: Reader): (sha256: string) => string {
    const hidden = this.#hide(textOf(reader));
    const end = (Math.floor(this.#now() / STEP_MS) * STEP_MS + HOUR_MS).toString(36);
    return (sha256) => `${end}.${hidden}.${this.#sign(`${end}.${hidden}.${sha256}`)}`;
  }

  /** The reader that an address was given to; undefined where the signature is wrong or too old. */
  readerOf(token: string, sha256: string): Reader | undefined {
    const [, end = "", hidden = "", given = ""] = TOKEN.exec(token) ?? [];
    if (given === "" || Number.parseInt(end, 36) <= this.#now()) return undefined;
    const expected = this.#sign(`${end}.${hidden}.${sha256}`);
    return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? readerIn(this.#show(hidden)) : undefined;
  }

  get #key(): Record<"sign" | "hide", Buffer> {
    if (!this.#keys) {
      const secret = this.#secret();
      this.#keys = { sign: derived(secret, "sign"), hide: derived(secret, "hide") };
    }
    return this.#keys;
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#key.sign).update(text).digest("base64url");
  }

  /** The same text gives the same letters, so that addresses stay the same. The signature covers them. */
  #hide(text: string): string {
    const iv = createHmac("sha256", this.#key.sign).update(`reader\n${text}`).digest().subarray(0, IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key.hide, iv);
    return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final()]).toString("base64url");
  }

  #show(hidden: string): string {
    const bytes = Buffer.from(hidden, "base64url");
    const decipher = createDecipheriv(CIPHER, this.#key.hide, bytes.subarray(0, IV_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString("utf8");
  }
}

function derived(secret: Uint8Array, use: string): Buffer {
  return createHmac("sha256", secret).update(`files\n${use}`).digest();
}

/** Without the times of a token, which differ each time that the user signs in. */
function textOf({ user, credentialName, sandbox }: Reader): string {
  const lasting = (key: string, value: unknown): unknown => (key === "iat" || key === "exp" ? undefined : value);
  return JSON.stringify({ user, credentialName, sandbox }, lasting);
}

function readerIn(text: string): Reader {
  const { user, credentialName, sandbox } = JSON.parse(text) as Partial<Reader>;
  return { user, credentialName, sandbox };
}

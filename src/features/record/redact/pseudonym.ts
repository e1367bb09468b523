import { createHmac } from "node:crypto";

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const HTTP = /^https?:\/\//i;
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const DATE = /^\d{4}-\d\d-\d\d([T ][\d:.,]+(Z|[+-][\d:]+)?)?$/i;
/** Names of schemes, which stand where secrets do. */
const SCHEME = /^(?:basic|bearer|digest|dpop|jwt|mac)$/i;
const PSEUDONYM = /^redacted-[\da-f]{8}/;
/** The most digits that every double holds. */
const MAX_DIGITS = 15;

/** Whether a text cannot be a secret, whatever its name: empty, a time, the name of a scheme, or a pseudonym already. */
export function isHarmless(text: string): boolean {
  return text.trim() === "" || DATE.test(text) || SCHEME.test(text) || PSEUDONYM.test(text);
}

/**
 * Values in place of secrets: the same for the same secret, so that references still join, and of the same form. Without
 * the key, nothing leads back to the secret.
 */
export class Pseudonyms {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  text(secret: string): string {
    return `redacted-${this.#hex(secret, 8)}`;
  }

  /** Keeps the format of a value that has one. */
  formatted(secret: string): string {
    const name = this.text(secret);
    if (UUID.test(secret)) {
      const hex = this.#hex(secret, 32);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    }
    if (EMAIL.test(secret)) return `${name}@example.com`;
    if (HTTP.test(secret)) return `https://example.com/${name}`;
    if (IPV4.test(secret)) return `192.0.2.${Number.parseInt(this.#hex(secret, 2), 16)}`;
    return name;
  }

  /** A number with as many digits. */
  number(secret: number): number {
    const digits = Math.min(MAX_DIGITS, String(secret).replace(/\..*|\D/g, "").length || 1);
    const drawn = Number.parseInt(this.#hex(String(secret), 12), 16);
    const least = digits === 1 ? 0 : 10 ** (digits - 1);
    return least + (drawn % (10 ** digits - least));
  }

  #hex(secret: string, length: number): string {
    return createHmac("sha256", this.#key).update(secret).digest("hex").slice(0, length);
  }
}

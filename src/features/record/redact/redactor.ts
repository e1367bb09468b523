import { Buffer } from "../../../base/platform/buffer.ts";
import { type Masking, maskAddress, maskSearch, maskText } from "../../../base/secrets/mask-text.ts";
import { isSecretName } from "../../../base/secrets/secret-name.ts";
import { CARD_PATTERN, EMAIL_PATTERN, hasCheckDigit, SECRET_PATTERNS } from "../../../base/secrets/secret-patterns.ts";
import { isHarmless, Pseudonyms } from "./pseudonym.ts";

/** Texts that may be base64 or its form for addresses. */
const BASE64 = /[\w+/-]{16,}={0,2}/g;
const MAX_DEPTH = 3;
/** Shorter secrets, and words, may stand elsewhere by chance. */
const MIN_KNOWN = 8;
const MAX_KNOWN = 2000;
/** Names of fields that are secret, but may also name a record: `key`, `group_key`, `access_key_id`. */
const KEY_NAME = /keys?(?:_?ids?)?$/i;

/**
 * Replaces the secrets in texts: by the names of the one masker, by their look, and by having been a secret elsewhere.
 * Counts what it replaces by name, and never tells a value.
 */
export class Redactor {
  readonly pseudonyms: Pseudonyms;
  readonly #counts = new Map<string, number>();
  /** Secrets that were found, with their pseudonyms. */
  readonly #known = new Map<string, string>();
  /** Pseudonyms of keys by which paths name records, by the path above and the key. */
  readonly #keysBelow = new Map<string, Map<string, string>>();
  #takenKeys: Map<string, string> | undefined;
  readonly #words: ReadonlySet<string>;
  readonly #masking: Masking;

  /** `words` are names of fields to redact beside those that are secret. */
  constructor(key: string, words: readonly string[] = []) {
    this.pseudonyms = new Pseudonyms(key);
    this.#words = new Set(words.map((word) => word.toLowerCase()));
    this.#masking = { isSecret: (name) => this.isSecret(name), replace: (secret, name) => this.take(secret, name) };
  }

  /** How often values of each name were replaced. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  isSecret(name: string): boolean {
    if (isSecretName(name)) return true;
    return this.#words.size > 0 && name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).some((word) => this.#isWord(word));
  }

  /** Replaces a secret, and remembers it. In addresses it may be percent-encoded. */
  take(secret: string, name: string): string {
    if (isHarmless(secret)) return secret;
    const plain = decodedOnce(secret);
    const pseudonym = this.pseudonyms.formatted(plain);
    this.#learn(plain, pseudonym);
    if (KEY_NAME.test(name)) this.#takenKeys?.set(plain, pseudonym);
    return this.count(name, pseudonym);
  }

  /**
   * Remembers the keys in the bodies of a path: `/flags/beta` names the record whose `key` is `beta`, and has to do so when
   * that is replaced.
   */
  withKeysOf<T>(url: string, redactBodies: () => T): T {
    const taken = new Map<string, string>();
    this.#takenKeys = taken;
    const bodies = redactBodies();
    this.#takenKeys = undefined;
    if (taken.size === 0 || this.#keysBelow.size >= MAX_KNOWN) return bodies;
    const path = url.split(/[?#]/, 1)[0] ?? "";
    for (const above of [path, path.slice(0, path.lastIndexOf("/"))]) {
      for (const known of new Set([above, this.path(above)])) {
        this.#keysBelow.set(known, new Map([...(this.#keysBelow.get(known) ?? []), ...taken]));
      }
    }
    return bodies;
  }

  /** Replaces the keys of records in a path. */
  path(path: string): string {
    if (this.#keysBelow.size === 0) return path;
    let above = "";
    let redacted = "";
    for (const segment of path.split("/").slice(1)) {
      const plain = decodedOnce(segment);
      const pseudonym = this.#keysBelow.get(above)?.get(plain) ?? this.#keysBelow.get(redacted)?.get(plain);
      above += `/${segment}`;
      redacted += `/${pseudonym === undefined ? segment : encodeURIComponent(pseudonym)}`;
    }
    return redacted;
  }

  count<T>(name: string, replaced: T): T {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return replaced;
  }

  /** Replaces the secrets in any text. */
  text(text: string, depth = 0): string {
    if (text.length < 4) return text;
    return this.#byLook(this.known(maskText(text, true, this.#masking)), depth);
  }

  /** Replaces the secrets in an address or a path with a query. */
  address(address: string): string {
    const masked = maskAddress(address, this.#masking);
    const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(masked) ?? [];
    return (
      path.replace(/[^/]+/g, (segment) => this.#encoded(segment)) +
      rest.replace(/(?<==)[^&#=]+/g, (value) => this.#encoded(value))
    );
  }

  /** Replaces the secrets in a query string or a form. */
  search(search: string): string {
    return maskSearch(search, this.#masking).replace(/(?<==)[^&=]+/g, (value) => this.#encoded(value));
  }

  /** Replaces what was found to be a secret anywhere, so that a second look finds what came before it was known. */
  known(text: string): string {
    let redacted = text;
    for (const [secret, pseudonym] of this.#known) {
      if (redacted.includes(secret)) redacted = this.count("repeated", redacted.replaceAll(secret, pseudonym));
    }
    return redacted;
  }

  #isWord(word: string): boolean {
    const lower = word.toLowerCase();
    return this.#words.has(lower) || (lower.endsWith("s") && this.#words.has(lower.slice(0, -1)));
  }

  /** A part of an address. It stays as it is written unless it has a secret. */
  #encoded(part: string): string {
    const plain = decodedOnce(part);
    const redacted = this.text(plain);
    return redacted === plain ? part : encodeURIComponent(redacted);
  }

  #byLook(text: string, depth: number): string {
    let redacted = text;
    for (const { name, pattern } of SECRET_PATTERNS)
      redacted = redacted.replace(pattern, (one) => this.take(one, name));
    redacted = redacted.replace(CARD_PATTERN, (one) => (hasCheckDigit(one) ? this.take(one, "card number") : one));
    if (this.#words.has("email")) redacted = redacted.replace(EMAIL_PATTERN, (one) => this.take(one, "email"));
    if (depth === MAX_DEPTH) return redacted;
    return redacted.replace(BASE64, (one) => (this.#hidesSecret(one, depth) ? this.take(one, "base64") : one));
  }

  #hidesSecret(encoded: string, depth: number): boolean {
    const plain = Buffer.from(encoded, "base64").toString();
    // Most words are not base64, and become bytes that are no text.
    if (!/^[\t\n\r\x20-\x7e\u00a0-\uffef]+$/.test(plain)) return false;
    // User and password as `Authorization: Basic` has them are taken by that name.
    return this.text(plain, depth + 1) !== plain;
  }

  #learn(secret: string, pseudonym: string): void {
    const isDistinct = secret.length >= MIN_KNOWN && /\d/.test(secret) && /\D/.test(secret);
    if (!isDistinct || this.#known.size >= MAX_KNOWN) return;
    this.#known.set(secret, pseudonym);
    const encoded = encodeURIComponent(secret);
    if (encoded !== secret) this.#known.set(encoded, pseudonym);
    this.#known.set(Buffer.from(secret).toString("base64"), pseudonym);
  }
}

function decodedOnce(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

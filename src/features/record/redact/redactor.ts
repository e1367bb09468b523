import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  setField,
  stringifyJson,
} from "../../../base/json/json.ts";
import { Buffer } from "../../../base/platform/buffer.ts";
import { maskJson } from "../../../base/secrets/mask-body.ts";
import { maskAddress, maskSearch, maskText } from "../../../base/secrets/mask-text.ts";
import { type Masking, ofCredentials } from "../../../base/secrets/masking.ts";
import { isSecretValue } from "../../../base/secrets/secret-name.ts";
import { isHarmless, Pseudonyms } from "./pseudonym.ts";

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
  /** The one masker, with pseudonyms. */
  readonly masking: Masking;

  /** `words` are names of fields to redact beside those that are secret. */
  constructor(key: string, words: readonly string[] = []) {
    this.pseudonyms = new Pseudonyms(key);
    this.#words = new Set(words.map((word) => word.toLowerCase()));
    this.masking = {
      isSecret: (name, value) => this.isSecret(name, value),
      replace: (secret, name) => this.take(secret, name),
      replaceJson: (json, name) => stringifyJson(this.#whole(parseJson(json), name)),
      known: (text) => this.known(text),
    };
  }

  /** How often values of each name were replaced. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  isSecret(name: string, value?: string): boolean {
    if (isSecretValue(name, value)) return true;
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
  text(text: string): string {
    return maskText(text, true, this.masking);
  }

  /** Replaces the secrets in an address or a path with a query. */
  address(address: string): string {
    return maskAddress(address, this.masking);
  }

  /** Replaces the secrets in a query string or a form. */
  search(search: string): string {
    return maskSearch(search, this.masking);
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

  /** Everything in the value of a secret name. */
  #whole(value: Json, name: string): Json {
    if (typeof value === "string") return this.take(value, name);
    if (typeof value === "number") {
      return this.count(name, this.pseudonyms.number(value));
    }
    if (Array.isArray(value)) {
      if (!value.some(isJsonObject)) return value.map((element) => this.#whole(element, name));
      // A list of objects is a list of records, such as the sessions of a conference: not all of it is secret.
      return parseJson(maskJson(stringifyJson(value), ofCredentials(this.masking)));
    }
    if (!isJsonObject(value)) return value;
    const redacted: JsonObject = {};
    for (const [inner, one] of Object.entries(value)) setField(redacted, this.text(inner), this.#whole(one, inner));
    return redacted;
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

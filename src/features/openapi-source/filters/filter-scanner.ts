import { StandinError } from "../../../base/errors.ts";

/** A piece of a filter expression. */
export interface FilterToken {
  readonly kind: "word" | "text" | "sign" | "end";
  readonly text: string;
  /** Where it starts. */
  readonly at: number;
  /** Whether it touches the piece before it: `datetime'2026-01-01'`, `contains(`. */
  readonly isJoined: boolean;
}

/** Longer expressions take too long to read in one turn. */
const MAX_LENGTH = 10_000;
/** `=gt=`, `||$eq||`, `$gte:`, `>=`, `&&`. */
const SIGN =
  /=[a-z]{2,12}=|\|\|\$?[a-z]{2,12}\|\||\$[a-z]{2,10}:|[!=<>~]==?|<>|[:=!]~|=~|:=|![:~]|&&|\|\||[:=<>~!()[\]{},;&|]/iy;
const QUOTED = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"/sy;
const NAME = /\$?[^\s'"()[\]{},;&|=<>~!:$]+(?:\.\$[^\s'"()[\]{},;&|=<>~!:$]+)*/y;
/** A value has colons and signs: `2026-01-01T10:00:00+02:00`, `a=b`. */
const VALUE = /(?:[^\s'"()[\]{},;&|$]|\$(?!(?:and|or):))+/y;

/** Reads a filter expression piece by piece. */
export class FilterScanner {
  readonly text: string;
  readonly #name: string;
  #at = 0;

  constructor(text: string, name: string) {
    if (text.length > MAX_LENGTH) {
      throw new StandinError(
        "QUERY_INVALID",
        `${name} has ${text.length} characters; at most ${MAX_LENGTH} are allowed.`,
      );
    }
    this.text = text;
    this.#name = name;
  }

  get at(): number {
    return this.#at;
  }

  /** Goes back to where it has been. */
  return(at: number): void {
    this.#at = at;
  }

  /** The next piece, which stays there. */
  peek(): FilterToken {
    const at = this.#at;
    const token = this.next();
    this.#at = at;
    return token;
  }

  next(): FilterToken {
    return this.#read(NAME);
  }

  /** The next piece where a value is expected. */
  nextValue(): FilterToken {
    return this.#read(VALUE);
  }

  /** Takes the next piece if it is one of these. */
  take(...words: readonly string[]): boolean {
    const at = this.#at;
    const { kind, text } = this.next();
    if (kind !== "text" && words.includes(text.toLowerCase())) return true;
    this.#at = at;
    return false;
  }

  expect(sign: string): void {
    if (!this.take(sign)) throw this.refusal();
  }

  refusal(at = this.#at): StandinError {
    const place = this.text.slice(at).trim().slice(0, 30);
    return new StandinError(
      "QUERY_INVALID",
      `${this.#name} cannot be read ${place === "" ? "at its end" : `from "${place}" on`}. Compare fields with values, as in: name eq 'Ada' and total gt 5.`,
    );
  }

  #read(names: RegExp): FilterToken {
    const start = this.#at;
    while (/\s/.test(this.text[this.#at] ?? "")) this.#at++;
    const at = this.#at;
    const isJoined = start === at && at > 0;
    if (at === this.text.length) return { kind: "end", text: "", at, isJoined };
    const quoted = this.#match(QUOTED);
    if (quoted !== undefined) return { kind: "text", text: unquoted(quoted), at, isJoined };
    const value = names === VALUE ? this.#match(VALUE) : undefined;
    const sign = value === undefined ? this.#match(SIGN) : undefined;
    const text = value ?? sign ?? this.#match(NAME);
    if (text === undefined) throw this.refusal();
    return { kind: sign === undefined ? "word" : "sign", text, at, isJoined };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }
}

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  return text.startsWith("'")
    ? inner.replace(/''|\\(.)/gs, (found, escaped) => escaped ?? found[0])
    : inner.replace(/\\(.)/gs, "$1");
}

import { type DuplicateKey, duplicateMessage, findDuplicateKey } from "../../../base/json/duplicate-keys.ts";
import { type Json, parseJson } from "../../../base/json/json.ts";
import { JsonSyntaxError } from "../../../base/json/json-syntax.ts";

/** Characters at which a scan for the end of a nested value stops. */
const NESTING = /["{}[\]]/g;
const STRING_END = /["\\]/g;
const SCALAR_END = /[,\]}\s]/g;
const SOLID = /\S/g;
/** Characters of the text shown in a message. */
const SHOWN_CHARACTERS = 12;

/**
 * Parses a JSON text that arrives in pieces, value by value, without holding the whole text in memory. Throws a mistake as
 * an `Error` whose message begins with its line and column in the whole text.
 */
export class JsonPieces {
  readonly #source: AsyncIterator<string>;
  #text = "";
  #at = 0;
  /** The line in which `#text` begins, and the characters of that line before it. */
  #line = 1;
  #column = 0;

  constructor(source: AsyncIterable<string>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next character that is not a space; undefined at the end. */
  async peek(): Promise<string | undefined> {
    for (;;) {
      const found = find(SOLID, this.#text, this.#at);
      if (found !== -1) {
        this.#at = found;
        // A byte order mark is a space to JavaScript.
        return this.#text[found];
      }
      this.#at = this.#text.length;
      if (!(await this.#fill())) return undefined;
    }
  }

  /** The next value. */
  async value(): Promise<Json> {
    const end = await this.#endOfValue();
    const text = this.#text.slice(this.#at, this.#at + end);
    try {
      const value = parseJson(text);
      const twice = findDuplicateKey(text, value);
      if (twice) throw this.#duplicate(twice);
      this.#at += end;
      return value;
    } catch (thrown) {
      if (!(thrown instanceof JsonSyntaxError)) throw thrown;
      throw this.#mistake(text === "" ? this.#expectation("a value") : thrown.reason, offsetOf(text, thrown));
    }
  }

  /** The keys of the object that begins here. The caller must read each value before it requests the next key. */
  async *keys(): AsyncGenerator<string> {
    const lines = new Map<string, number>();
    for await (const _entry of this.#entries("{", "}")) {
      if ((await this.peek()) !== '"') throw this.#mistake(this.#expectation("a property name in double quotes"));
      const line = this.#lineHere();
      const key = (await this.value()) as string;
      const first = lines.get(key);
      if (first !== undefined) throw new Error(`it ${duplicateMessage({ key, lines: [first, line] })}`);
      lines.set(key, line);
      await this.#expect(":");
      yield key;
    }
    if ((await this.peek()) !== undefined) throw this.#mistake(this.#expectation("nothing more"));
  }

  /** The elements of the array that begins here. */
  async *elements(): AsyncGenerator<Json> {
    for await (const _entry of this.#entries("[", "]")) yield await this.value();
  }

  /** Yields before each entry between two brackets. */
  async *#entries(opening: string, closing: string): AsyncGenerator<void> {
    await this.#expect(opening);
    for (let isFirst = true; (await this.peek()) !== closing; isFirst = false) {
      if (!isFirst) await this.#expect(",", `"," or "${closing}"`);
      yield;
    }
    this.#at++;
  }

  async #expect(character: string, expected = JSON.stringify(character)): Promise<void> {
    if ((await this.peek()) !== character) throw this.#mistake(this.#expectation(expected));
    this.#at++;
  }

  #expectation(expected: string): string {
    const next = this.#text.slice(this.#at, this.#at + SHOWN_CHARACTERS);
    return `expected ${expected} but found ${next === "" ? "the end of the text" : JSON.stringify(next)}`;
  }

  /** `lines` are counted from here. */
  #duplicate({ key, lines: [first, second] }: DuplicateKey): Error {
    const before = this.#lineHere() - 1;
    return new Error(`it ${duplicateMessage({ key, lines: [before + first, before + second] })}`);
  }

  #lineHere(): number {
    return this.#line + count("\n", this.#text.slice(0, this.#at));
  }

  /** An error at the position `offset` characters ahead. */
  #mistake(reason: string, offset = 0): Error {
    const before = this.#text.slice(0, this.#at + offset);
    const start = before.lastIndexOf("\n") + 1;
    const line = this.#line + count("\n", before);
    const column = before.length - start + (start === 0 ? this.#column : 0) + 1;
    return new Error(`line ${line}, column ${column}: ${reason}.`);
  }

  /** The distance to the end of the next value; to the end of the text if the value has none. */
  async #endOfValue(): Promise<number> {
    const first = await this.peek();
    if (first === '"') return this.#endOfString(1);
    if (first === "{" || first === "[") return this.#endOfNested();
    const end = await this.#search(SCALAR_END, 0);
    return end === -1 ? this.#text.length - this.#at : end;
  }

  /** The distance to the end of the string whose content begins at `from`. */
  async #endOfString(from: number): Promise<number> {
    for (let at = from; ; ) {
      const found = await this.#search(STRING_END, at);
      if (found === -1) return this.#text.length - this.#at;
      if (this.#text[this.#at + found] === '"') return found + 1;
      at = found + 2;
    }
  }

  async #endOfNested(): Promise<number> {
    for (let at = 0, depth = 0; ; ) {
      const found = await this.#search(NESTING, at);
      if (found === -1) return this.#text.length - this.#at;
      const character = this.#text[this.#at + found];
      if (character === '"') at = await this.#endOfString(found + 1);
      else {
        at = found + 1;
        depth += character === "{" || character === "[" ? 1 : -1;
        if (depth === 0) return at;
      }
    }
  }

  /** The distance to the next match of the pattern, from `from` on; -1 if there is none. */
  async #search(pattern: RegExp, from: number): Promise<number> {
    for (let start = from; ; ) {
      const found = find(pattern, this.#text, this.#at + start);
      if (found !== -1) return found - this.#at;
      start = Math.max(start, this.#text.length - this.#at);
      if (!(await this.#fill())) return -1;
    }
  }

  async #fill(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done) return false;
    const done = this.#text.slice(0, this.#at);
    const lineStart = done.lastIndexOf("\n") + 1;
    this.#line += count("\n", done);
    this.#column = done.length - lineStart + (lineStart === 0 ? this.#column : 0);
    this.#text = this.#text.slice(this.#at) + next.value;
    this.#at = 0;
    return true;
  }
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function count(character: string, text: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++;
  return found;
}

function offsetOf(text: string, { line, column }: JsonSyntaxError): number {
  let start = 0;
  for (let passed = 1; passed < line; passed++) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}

import type { Work } from "../slices.ts";

/** Characters between two pauses. */
const STRIDE = 16 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const OPEN = { object: 0x7b, array: 0x5b };
const CLOSE = { object: 0x7d, array: 0x5d };
const COMMA = 0x2c;
const COLON = 0x3a;
const WORDS = ["true", "false", "null"];
const ESCAPED = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)));

export const NO_COMMENTS = "JSON does not allow comments";

/** The position and reason of a JSON mistake. Line and column count from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly line: number;
  readonly column: number;
  /** The message without the position. */
  readonly reason: string;

  constructor(line: number, column: number, reason: string) {
    super(`line ${line}, column ${column}: ${reason}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}

/** Finds the position where a text stops being JSON, with pauses; undefined when it is valid. */
export function findSyntaxError(text: string): Work<JsonSyntaxError | undefined> {
  return new Walk(text).run();
}

type Expected = "value" | "key" | "key or }" | "value or ]" | "after";

/** A pushdown automaton without recursion: each level costs one byte of memory, so no text can overflow the stack. */
class Walk {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #pauseAt = STRIDE;
  #open = new Uint8Array(1024);
  #depth = 0;
  /** Where the last comma stands. */
  #comma = { line: 0, column: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  *run(): Work<JsonSyntaxError | undefined> {
    let expected: Expected = "value";
    for (;;) {
      while (!this.#skipSpace()) yield this.#rest();
      const next = this.#text.charCodeAt(this.#at);
      const isObject = this.#open[this.#depth - 1] === 1;
      if (expected === "after") {
        if (this.#depth === 0) return Number.isNaN(next) ? undefined : this.#fail("nothing more");
        if (next === (isObject ? CLOSE.object : CLOSE.array)) this.#depth--;
        else if (next === COMMA) {
          expected = isObject ? "key" : "value";
          this.#comma = this.#place();
        } else return this.#fail(isObject ? '"," or "}"' : '"," or "]"');
        this.#at++;
      } else if (expected === "key" || expected === "key or }") {
        if (next === CLOSE.object && expected === "key or }") {
          this.#at++;
          this.#depth--;
          expected = "after";
          continue;
        }
        if (next === CLOSE.object) return this.#failAtComma("}");
        if (next !== QUOTE) return this.#fail("a property name in double quotes");
        if (!(yield* this.#takeString())) return this.#failInString();
        while (!this.#skipSpace()) yield this.#rest();
        if (this.#text.charCodeAt(this.#at) !== COLON) return this.#fail('":"');
        this.#at++;
        expected = "value";
      } else if (next === CLOSE.array && expected === "value or ]") {
        this.#at++;
        this.#depth--;
        expected = "after";
      } else if (next === OPEN.object || next === OPEN.array) {
        this.#at++;
        this.#enter(next === OPEN.object);
        expected = next === OPEN.object ? "key or }" : "value or ]";
      } else if (next === QUOTE) {
        if (!(yield* this.#takeString())) return this.#failInString();
        expected = "after";
      } else {
        if (next === CLOSE.array && this.#depth > 0 && !isObject) return this.#failAtComma("]");
        if (!this.#takeNumber() && !this.#takeWord()) return this.#fail("a value");
        expected = "after";
      }
      if (this.#at >= this.#pauseAt) yield this.#rest();
    }
  }

  /** Schedules the next pause. */
  #rest(): undefined {
    this.#pauseAt = this.#at + STRIDE;
  }

  #enter(isObject: boolean): void {
    if (this.#depth === this.#open.length) {
      const longer = new Uint8Array(this.#open.length * 2);
      longer.set(this.#open);
      this.#open = longer;
    }
    this.#open[this.#depth++] = isObject ? 1 : 0;
  }

  /** False when it is time for a pause. */
  #skipSpace(): boolean {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== LINE_FEED && code !== 0x0d && code !== 0x09) return true;
      this.#at++;
      if (code === LINE_FEED) {
        this.#line++;
        this.#lineStart = this.#at;
      }
      if (this.#at >= this.#pauseAt) return false;
    }
  }

  /** Moves past a string, or to the invalid character in it. */
  *#takeString(): Work<boolean> {
    const text = this.#text;
    this.#at++;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        this.#at++;
        return true;
      }
      if (code < 0x20) return false;
      if (code !== BACKSLASH) this.#at++;
      else if (!this.#takeEscape()) return false;
      if (this.#at >= this.#pauseAt) yield this.#rest();
    }
    return false;
  }

  #takeEscape(): boolean {
    const code = this.#text.charCodeAt(this.#at + 1);
    if (ESCAPED.has(code)) this.#at += 2;
    else if (code === 0x75 && /^[\da-f]{4}$/i.test(this.#text.slice(this.#at + 2, this.#at + 6))) this.#at += 6;
    else return false;
    return true;
  }

  /** Moves past the longest valid number. */
  #takeNumber(): boolean {
    const start = this.#at;
    if (this.#is("-")) this.#at++;
    if (this.#is("0")) this.#at++;
    else if (!this.#takeDigits()) {
      this.#at = start;
      return false;
    }
    for (const begin of [".", "e"]) {
      const before = this.#at;
      if (!this.#is(begin) && !(begin === "e" && this.#is("E"))) continue;
      this.#at++;
      if (begin === "e" && (this.#is("+") || this.#is("-"))) this.#at++;
      if (!this.#takeDigits()) {
        this.#at = before;
        break;
      }
    }
    return true;
  }

  #takeDigits(): boolean {
    const start = this.#at;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      // NaN at the end of the text, where neither comparison holds.
      if (!(code >= 0x30 && code <= 0x39)) return this.#at > start;
      this.#at++;
    }
  }

  #takeWord(): boolean {
    const word = WORDS.find((one) => this.#text.startsWith(one, this.#at));
    if (word) this.#at += word.length;
    return word !== undefined;
  }

  #is(letter: string): boolean {
    return this.#text[this.#at] === letter;
  }

  #failInString(): JsonSyntaxError {
    if (this.#text.charCodeAt(this.#at) === LINE_FEED) {
      const { line, column } = this.#place();
      return new JsonSyntaxError(line, column, "JSON does not allow a line break in a text: close it, or write \\n");
    }
    return this.#fail(this.#at >= this.#text.length ? 'a closing "' : "a valid string character or escape");
  }

  #failAtComma(closing: string): JsonSyntaxError {
    return new JsonSyntaxError(this.#comma.line, this.#comma.column, `JSON does not allow a comma before "${closing}"`);
  }

  #fail(expected: string): JsonSyntaxError {
    const next = this.#text.slice(this.#at, this.#at + 12);
    const found = next === "" ? "the end of the text" : JSON.stringify(next);
    const isComment = next.startsWith("//") || next.startsWith("/*");
    const reason = isComment ? NO_COMMENTS : `expected ${expected} but found ${found}`;
    const { line, column } = this.#place();
    return new JsonSyntaxError(line, column, reason);
  }

  #place(): { line: number; column: number } {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }
}

import { type JsonToken, tokensOf } from "./json-tokens.ts";

/** The next token to expect: a value, the key of an object, the colon behind a key, or what follows a value. */
type Wanted = "value" | "key" | "colon" | "end";

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** The first mistake in a JSON text, with its place; undefined if there is none. Not all browsers tell the place. */
export function jsonProblem(text: string): string | undefined {
  let at = 0;
  const checker = new Checker();
  for (const token of tokensOf(text)) {
    const expected = checker.take(token);
    if (expected !== undefined) return `${placeAt(text, at)}: ${expected} is expected.`;
    at += token.text.length;
  }
  return checker.isDone ? undefined : `${placeAt(text, text.trimEnd().length)}: ${checker.expected} is missing.`;
}

/** Follows the tokens of a text. */
class Checker {
  /** The brackets that are open, by those that close them. */
  readonly #open: string[] = [];
  #wanted: Wanted = "value";
  /** Behind an opening bracket, which may be closed at once. */
  #isFirst = false;

  get isDone(): boolean {
    return this.#open.length === 0 && this.#wanted === "end";
  }

  /** In words. */
  get expected(): string {
    const closing = this.#open.at(-1);
    if (this.#wanted === "colon") return "a colon";
    if (this.#wanted === "end") return closing === undefined ? "the end" : `a comma or ${closing}`;
    const part = this.#wanted === "key" ? "a key in double quotes" : "a value";
    return this.#isFirst ? `${part} or ${closing}` : part;
  }

  /** Takes the next token; what would be expected in its place if it does not fit. */
  take({ kind, text }: JsonToken): string | undefined {
    if (kind === undefined) return undefined;
    const fits = kind === "mark" ? this.#takeMark(text.trim()) : this.#takeValue(kind);
    return fits ? undefined : this.expected;
  }

  #takeValue(kind: NonNullable<JsonToken["kind"]>): boolean {
    if (kind === "bad") return false;
    if (this.#wanted === "key" && (kind === "key" || kind === "string")) return this.#want("colon");
    return this.#wanted === "value" && kind !== "key" && this.#want("end");
  }

  #takeMark(mark: string): boolean {
    const closing = CLOSING[mark];
    if (closing !== undefined) {
      if (this.#wanted !== "value") return false;
      this.#open.push(closing);
      return this.#want(mark === "{" ? "key" : "value", true);
    }
    if (mark === ":") return this.#wanted === "colon" && this.#want("value");
    if (mark === ",") {
      if (this.#wanted !== "end" || this.#open.length === 0) return false;
      return this.#want(this.#open.at(-1) === "}" ? "key" : "value");
    }
    if (mark !== this.#open.at(-1) || !(this.#wanted === "end" || this.#isFirst)) return false;
    this.#open.pop();
    return this.#want("end");
  }

  #want(wanted: Wanted, isFirst = false): true {
    this.#wanted = wanted;
    this.#isFirst = isFirst;
    return true;
  }
}

function placeAt(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

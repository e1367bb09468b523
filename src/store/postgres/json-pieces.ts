/** Where a scan of a value must look closer. */
const NESTING = /["{}[\]]/g;
const STRING_END = /["\\]/g;
const SCALAR_END = /[,\]}\s]/g;
const SOLID = /\S/g;

/**
 * A JSON text that comes in pieces, taken apart into values without ever being whole in memory. Finds only where values
 * begin and end; whether one is valid, its parser says.
 */
export class JsonPieces {
  readonly #source: AsyncIterator<string>;
  #text = "";
  #at = 0;

  constructor(source: AsyncIterable<string>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next character that is no space; undefined at the end. */
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

  /** The text of the next value. */
  async value(): Promise<string> {
    const first = await this.peek();
    if (first === undefined) throw new Error("it ends too early.");
    if (first === '"') return this.#take(await this.#endOfString(1));
    if (first === "{" || first === "[") return this.#take(await this.#endOfNested());
    const end = await this.#search(SCALAR_END, 0);
    return this.#take(end === -1 ? this.#text.length - this.#at : end);
  }

  /** The keys of the object that begins here; the value of each must be taken before the next one is asked for. */
  async *keys(): AsyncGenerator<string> {
    for await (const _entry of this.#entries("{", "}")) {
      const key: unknown = JSON.parse(await this.value());
      if (typeof key !== "string") throw new Error("a key must be a text in double quotes.");
      await this.#expect(":");
      yield key;
    }
    if ((await this.peek()) !== undefined) throw new Error("something follows the end of the object.");
  }

  /** The texts of the elements of the array that begins here. */
  async *elements(): AsyncGenerator<string> {
    for await (const _entry of this.#entries("[", "]")) yield await this.value();
  }

  /** Stops before each entry between two brackets. */
  async *#entries(opening: string, closing: string): AsyncGenerator<void> {
    await this.#expect(opening);
    for (let isFirst = true; (await this.peek()) !== closing; isFirst = false) {
      if (!isFirst) await this.#expect(",");
      yield;
    }
    await this.#expect(closing);
  }

  async #expect(character: string): Promise<void> {
    const found = await this.peek();
    if (found !== character) throw new Error(`expected "${character}" but found ${found ? `"${found}"` : "the end"}.`);
    this.#at++;
  }

  /** How far from here the string ends whose inside begins at `from`. */
  async #endOfString(from: number): Promise<number> {
    for (let at = from; ; ) {
      const found = await this.#search(STRING_END, at);
      if (found === -1) throw new Error("a text has no end.");
      if (this.#text[this.#at + found] === '"') return found + 1;
      at = found + 2;
    }
  }

  async #endOfNested(): Promise<number> {
    for (let at = 0, depth = 0; ; ) {
      const found = await this.#search(NESTING, at);
      if (found === -1) throw new Error("a bracket is not closed.");
      const character = this.#text[this.#at + found]!;
      if (character === '"') at = await this.#endOfString(found + 1);
      else {
        at = found + 1;
        depth += character === "{" || character === "[" ? 1 : -1;
        if (depth === 0) return at;
      }
    }
  }

  /** How far from here the pattern is found next, from `from` on; -1 at the end. */
  async #search(pattern: RegExp, from: number): Promise<number> {
    for (let start = from; ; ) {
      const found = find(pattern, this.#text, this.#at + start);
      if (found !== -1) return found - this.#at;
      start = Math.max(start, this.#text.length - this.#at);
      if (!(await this.#fill())) return -1;
    }
  }

  #take(length: number): string {
    const text = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    return text;
  }

  async #fill(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done) return false;
    this.#text = this.#text.slice(this.#at) + next.value;
    this.#at = 0;
    return true;
  }
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

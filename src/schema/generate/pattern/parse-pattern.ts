import { readLiteral } from "../../rules/pattern.ts";

/** The characters that one place of a pattern may have, the most readable first. */
export interface Characters {
  /** Some of them; empty if none was found. */
  readonly samples: readonly string[];
}

/** Where characters are looked for, in this order: one range that has some is enough. */
const RANGES: readonly (readonly [number, number])[][] = [
  [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
  ],
  [[0x20, 0x7e]],
  [[0xa1, 0x24f]],
  [
    [0x00, 0x1f],
    [0x370, 0x5ff],
    [0x3040, 0x30ff],
    [0x4e00, 0x4eff],
    [0x1f300, 0x1f64f],
  ],
  [
    [0x250, 0xd7ff],
    [0xe000, 0xffff],
  ],
  [[0x10000, 0x10ffff]],
];
const MAX_CLASSES = 1000;
const known = new Map<string, Characters>();

function literal(character: string): Characters {
  return { samples: [character] };
}

/** The characters of a class such as `[a-f]`, `\d` or `\p{Lu}`: one character each, so a test of it costs nothing. */
function charactersOf(source: string): Characters {
  const former = known.get(source);
  if (former) return former;
  const pattern = new RegExp(`^(?:${source})$`, "u");
  const characters = { samples: samplesOf(pattern) };
  if (known.size === MAX_CLASSES) known.clear();
  known.set(source, characters);
  return characters;
}

function samplesOf(pattern: RegExp): string[] {
  for (const ranges of RANGES) {
    const found = ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).filter((one) =>
        pattern.test(one),
      ),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** A part of a regular expression, as far as it decides which texts match. */
export type PatternNode =
  | { readonly kind: "character"; readonly characters: Characters; readonly length: 1 }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[]; readonly length: number }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[]; readonly length: number }
  | {
      readonly kind: "repeat";
      readonly inner: PatternNode;
      readonly least: number;
      readonly most: number;
      readonly length: number;
    };

/** Matches nothing, at a place that the engine checks: `^`, `$`, `\b`. */
const EDGE: PatternNode = { kind: "sequence", parts: [], length: 0 };
const QUANTIFIER = /[*+?]\??|\{(\d+)(,(\d*))?\}\??/y;
const ESCAPE = /\\(?:c[a-z]|x[\da-f]{2}|u\{[\da-f]+\}|u[\da-f]{4}(?:\\ud[c-f][\da-f]{2})?|p\{[^}]*\}|[\s\S])/iy;
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const AHEAD = /\(\?[=!]/y;
const GROUP = /\((\?:|\?<[^=!>][^>]*>|(?!\?))/y;

/** Reads a pattern that the engine accepts. `length` of a part is that of its shortest match. */
export function parsePattern(source: string): PatternNode {
  return new Parser(readLiteral(source).body).parse();
}

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Error(`${this.#source.slice(this.#at)} cannot be read.`);
    return node;
  }

  #choice(): PatternNode {
    const first = this.#sequence();
    const options = [first];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      options.push(this.#sequence());
    }
    if (options.length === 1) return first;
    return { kind: "choice", options, length: Math.min(...options.map(({ length }) => length)) };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source.charAt(this.#at))) {
      parts.push(this.#quantified(this.#part()));
    }
    return { kind: "sequence", parts, length: parts.reduce((sum, { length }) => sum + length, 0) };
  }

  #part(): PatternNode {
    const [character = ""] = this.#source.slice(this.#at, this.#at + 2);
    if (character === "(") return this.#group();
    if (character === "[") return this.#characters(this.#take(CLASS) ?? character);
    if (character === "\\") return this.#escaped(this.#take(ESCAPE) ?? character);
    this.#at += character.length;
    if (character === "^" || character === "$") return EDGE;
    if (character === ".") return this.#characters(".");
    return { kind: "character", characters: literal(character), length: 1 };
  }

  #group(): PatternNode {
    const ahead = this.#take(AHEAD);
    if (ahead !== undefined) {
      const inner = this.#choice();
      this.#at++;
      // A text that has what it asks for meets it more often.
      return ahead === "(?!" ? EDGE : { kind: "repeat", inner, least: 0, most: 1, length: 0 };
    }
    if (this.#take(GROUP) === undefined)
      throw new Error(`${this.#source.slice(this.#at, this.#at + 4)} is not supported.`);
    const node = this.#choice();
    this.#at++;
    return node;
  }

  #escaped(token: string): PatternNode {
    if (token === "\\b" || token === "\\B") return EDGE;
    return this.#characters(token);
  }

  #characters(source: string): PatternNode {
    return { kind: "character", characters: charactersOf(source), length: 1 };
  }

  #quantified(inner: PatternNode): PatternNode {
    const quantifier = this.#take(QUANTIFIER);
    if (quantifier === undefined) return inner;
    const [least, most] = boundsOf(quantifier);
    return { kind: "repeat", inner, least, most, length: least * inner.length };
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#source) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function boundsOf(quantifier: string): [least: number, most: number] {
  const many = Number.POSITIVE_INFINITY;
  if (quantifier.startsWith("*")) return [0, many];
  if (quantifier.startsWith("+")) return [1, many];
  if (quantifier.startsWith("?")) return [0, 1];
  const [, least = "0", isRange, most] = /\{(\d+)(,(\d*))?\}/.exec(quantifier) ?? [];
  if (isRange === undefined) return [Number(least), Number(least)];
  return [Number(least), most === "" || most === undefined ? many : Number(most)];
}

import type { JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { type Path, parsePath, valueAt } from "../path.ts";
import { FUNCTIONS } from "./functions.ts";
import { asNumber, asText, calculate, OPERATIONS, type Value } from "./operations.ts";
import { FormulaProblem, type FormulaToken, readTokens } from "./read-tokens.ts";

/** The record for which a formula is computed, and what it may ask for besides. */
export interface FormulaRow {
  readonly record: JsonObject;
  /** As ISO 8601. */
  readonly now: string;
  /** A made-up value for a field of this name; without one, for the field that is computed. */
  plausible(name: string | undefined): Value;
  /** A whole number between two, both included. */
  between(least: number, most: number): number;
}

export interface Formula {
  /** The fields that it reads, and where it names them, from 1. */
  readonly fields: readonly { readonly path: Path; readonly position: number }[];
  readonly isRandom: boolean;
  /** May take long for one record: it makes texts longer. */
  readonly isSlow: boolean;
  /** Undefined where a field that it needs is not there. Throws `FormulaProblem`. */
  compute(row: FormulaRow): Value;
}

type Compute = Formula["compute"];

const MAX_DEPTH = 50;
/** From the loosest to the tightest. */
const LEVELS = [
  ["or", "||"],
  ["and", "&&"],
  ["=", "==", "!=", "<>", "<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
];
const WORDS: Readonly<Record<string, Compute>> = {
  null: () => null,
  true: () => true,
  false: () => false,
  now: ({ now }) => now,
  today: ({ now }) => now.slice(0, 10),
};
const NAMES = [...Object.keys(FUNCTIONS), ...Object.keys(WORDS), "if", "not", "random"];

/** Parses an expression such as `round(price * 1.1, 2)`. Throws `FormulaProblem`. Nothing of it ever runs as code. */
export function parseFormula(text: string): Formula {
  return new FormulaParser(readTokens(text)).parse();
}

class FormulaParser {
  readonly #tokens: readonly FormulaToken[];
  readonly #fields: { path: Path; position: number }[] = [];
  #isRandom = false;
  #isSlow = false;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly FormulaToken[]) {
    this.#tokens = tokens;
  }

  parse(): Formula {
    if (this.#tokens.length === 1) throw new FormulaProblem(0, "it is empty");
    const compute = this.#level(0);
    if (this.#next < this.#tokens.length - 1) throw this.#unexpected("an operator or the end");
    return { fields: this.#fields, isRandom: this.#isRandom, isSlow: this.#isSlow, compute };
  }

  get #token(): FormulaToken {
    return this.#tokens[this.#next] as FormulaToken;
  }

  #unexpected(wanted: string): FormulaProblem {
    const { kind, text, at } = this.#token;
    return new FormulaProblem(at, `${wanted} is expected here, not ${kind === "end" ? "the end" : text}`);
  }

  /** The token, if it is one of these marks or words, which is used up then. */
  #take(texts: readonly string[]): FormulaToken | undefined {
    const token = this.#token;
    if ((token.kind !== "mark" && token.kind !== "name") || !texts.includes(token.text)) return undefined;
    this.#next++;
    return token;
  }

  #level(level: number): Compute {
    const operators = LEVELS[level];
    if (!operators) return this.#sign();
    let left = this.#level(level + 1);
    for (let token = this.#take(operators); token; token = this.#take(operators)) {
      left = binary(token, left, this.#level(level + 1));
    }
    return left;
  }

  #sign(): Compute {
    const token = this.#take(["-", "!", "not"]);
    if (!token) return this.#value();
    const value = this.#deeper(() => this.#sign());
    if (token.text !== "-") return (row) => !value(row);
    return located(token, (row) => calculate(value(row), -1, (number, sign) => number * sign));
  }

  #deeper(parse: () => Compute): Compute {
    if (++this.#depth > MAX_DEPTH)
      throw new FormulaProblem(this.#token.at, `it is nested deeper than ${MAX_DEPTH} levels`);
    const inner = parse();
    this.#depth--;
    return inner;
  }

  #value(): Compute {
    const token = this.#token;
    if (this.#take(["("])) {
      const inner = this.#deeper(() => this.#level(0));
      this.#expect(")");
      return inner;
    }
    if (token.kind === "end" || token.kind === "mark") throw this.#unexpected("a value");
    this.#next++;
    if (token.kind === "text") return () => token.text;
    if (token.kind === "number") {
      const number = Number(token.text);
      return () => number;
    }
    if (token.kind === "name" && this.#take(["("])) return this.#call(token, this.#arguments());
    return token.kind === "name" ? this.#word(token) : this.#field(token);
  }

  #expect(mark: string): void {
    if (!this.#take([mark])) throw this.#unexpected(mark);
  }

  #arguments(): Compute[] {
    if (this.#take([")"])) return [];
    const values = [this.#deeper(() => this.#level(0))];
    while (this.#take([","])) values.push(this.#deeper(() => this.#level(0)));
    this.#expect(")");
    return values;
  }

  #word(token: FormulaToken): Compute {
    if (token.text === "random") return this.#random(token, []);
    return (Object.hasOwn(WORDS, token.text) && WORDS[token.text]) || this.#field(token);
  }

  #field({ text, at }: FormulaToken): Compute {
    const path = parsePath(text);
    this.#fields.push({ path, position: at + 1 });
    return ({ record }) => valueAt(record, path);
  }

  #call(token: FormulaToken, values: Compute[]): Compute {
    const { text } = token;
    if (text === "random") return this.#random(token, values);
    if (text === "if") return condition(token, values);
    if (text === "not") return not(token, values);
    if (Object.hasOwn(WORDS, text) && values.length === 0) return WORDS[text] as Compute;
    const called = Object.hasOwn(FUNCTIONS, text) ? FUNCTIONS[text] : undefined;
    if (!called) throw new FormulaProblem(token.at, `there is no function ${text}.${didYouMean(text, NAMES)}`);
    expectCount(token, values, [called.least, called.most]);
    this.#isSlow ||= text === "replace";
    return located(token, (row) => called.of(...values.map((value) => value(row))));
  }

  #random(token: FormulaToken, values: Compute[]): Compute {
    this.#isRandom = true;
    expectCount(token, values, [0, 2]);
    const [first, second] = values;
    if (!first) return (row) => row.plausible(undefined);
    if (!second) return located(token, (row) => row.plausible(asText(first(row))));
    return located(token, (row) => row.between(asNumber(first(row)), asNumber(second(row))));
  }
}

/** `if(condition, then, else)`: without `else`, the other records keep what they have. */
function condition(token: FormulaToken, values: Compute[]): Compute {
  expectCount(token, values, [2, 3]);
  const [test, then, otherwise] = values as [Compute, Compute, Compute | undefined];
  return (row) => (test(row) ? then(row) : otherwise?.(row));
}

function not(token: FormulaToken, values: Compute[]): Compute {
  expectCount(token, values, [1, 1]);
  const [value] = values as [Compute];
  return (row) => !value(row);
}

function binary(token: FormulaToken, left: Compute, right: Compute): Compute {
  if (token.text === "and" || token.text === "&&") return (row) => Boolean(left(row) && right(row));
  if (token.text === "or" || token.text === "||") return (row) => Boolean(left(row) || right(row));
  const operation = OPERATIONS[token.text] as (typeof OPERATIONS)[string];
  return located(token, (row) => operation(left(row), right(row)));
}

function expectCount(
  { text, at }: FormulaToken,
  { length }: Compute[],
  [least, most]: readonly [number, number],
): void {
  if (length >= least && length <= most) return;
  const range = least === most ? `${least}` : `${least} to ${most}`;
  throw new FormulaProblem(at, `${text} takes ${range} ${most === 1 ? "value" : "values"}, not ${length}`);
}

/** Says of a problem where in the formula it arose. */
function located({ at }: FormulaToken, compute: Compute): Compute {
  return (row) => {
    try {
      return compute(row);
    } catch (thrown) {
      throw thrown instanceof FormulaProblem || !(thrown instanceof Error)
        ? thrown
        : new FormulaProblem(at, thrown.message);
    }
  };
}

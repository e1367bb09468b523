/** A formula that cannot be read or computed, and the position in it, from 1. */
export class FormulaProblem extends Error {
  override readonly name = "FormulaProblem";
  readonly position: number;

  /** `at` counts from 0. */
  constructor(at: number, message: string) {
    super(message);
    this.position = at + 1;
  }
}

/** `name`: a field, function or word. `quoted`: a field in backticks, which is never a word. */
export interface FormulaToken {
  readonly kind: "number" | "text" | "name" | "quoted" | "mark" | "end";
  readonly text: string;
  /** From 0. */
  readonly at: number;
}

const MAX_LENGTH = 2000;
const SPACE = /\s+/uy;
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/uy;
const NAME = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+|\[\d+\])*/uy;
const QUOTED = /`([^`]+)`/uy;
const TEXT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/suy;
const MARK = /[<>=!]=|<>|&&|\|\||[-+*/%<>=!(),]/uy;

/** Splits a formula into its parts; throws `FormulaProblem` where that is not possible. */
export function readTokens(text: string): FormulaToken[] {
  if (text.length > MAX_LENGTH) {
    throw new FormulaProblem(MAX_LENGTH, `it has ${text.length} characters; at most ${MAX_LENGTH} are allowed`);
  }
  const tokens: FormulaToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const space = take(SPACE);
    const token = space ? undefined : tokenAt(take, at);
    if (!space && !token) throw new FormulaProblem(at, unreadable(text, at));
    if (token) tokens.push(token.token);
    at += (space ?? token?.found)?.[0].length ?? 0;
  }
  return [...tokens, { kind: "end", text: "", at: text.length }];
}

function tokenAt(take: (pattern: RegExp) => RegExpExecArray | null, at: number) {
  const patterns = { number: NUMBER, name: NAME, mark: MARK, quoted: QUOTED, text: TEXT } as const;
  for (const kind of ["number", "name", "mark", "quoted", "text"] as const) {
    const found = take(patterns[kind]);
    if (!found) continue;
    const inner = found[1] ?? found[2];
    const text = kind === "text" ? unescaped(inner ?? "") : (inner ?? found[0]);
    return { found, token: { kind, text, at } satisfies FormulaToken };
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gsu, (_whole, character: string) =>
    character === "n" ? "\n" : character === "t" ? "\t" : character,
  );
}

function unreadable(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return "\"'`".includes(character) ? `the ${character} has no end` : `${character} means nothing here`;
}

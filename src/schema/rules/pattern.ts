import type { RE2JS } from "re2js";
import { messageOf } from "../../base/errors.ts";
import { linearPatterns } from "../../base/platform/runtime.ts";
import { toEngineDialect } from "../../query/compile-expression.ts";

/** Matching costs pattern size times text length; these limits bound the first factor. */
const MAX_PATTERN_LENGTH = 1000;
const MAX_PROGRAM_SIZE = 3000;

/** A pattern of a schema, compiled for the linear-time engine. */
interface Pattern {
  readonly source: string;
  /** The work that a character of a text may cost. */
  readonly size: number;
  test(text: string): boolean;
}

/** Patterns by their source; a rules file often repeats one. */
const compiled = new Map<string, Pattern>();
const MAX_COMPILED = 1000;

/** Compiles an unanchored pattern; throws an Error that says why one cannot be used. */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source);
  if (known) return known;
  const pattern = compile(source);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

/**
 * Characters, classes, groups and small repetitions: every pattern of these that JavaScript accepts, the engine accepts, too.
 * Each alternative begins with another character, so that this one cannot backtrack.
 */
const ORDINARY =
  /^(?:[^\\()[\]{}]|\\[dDwWsSbB.*+?^$|/()[\]{}\\-]|\[(?:[^\\\]]|\\[dDwWsS.*+?^$|/()[\]{}\\-])+\]|\(\?:|\((?!\?)|\)(?!\{)|\{\d{1,2}(?:,\d{0,2})?\})*$/;
const REPETITION = /\{(\d+)(?:,(\d*))?\}/g;
/** The most repetitions of an ordinary pattern, all of them together. */
const MAX_REPETITIONS = 300;

function compile(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new Error(`the pattern has ${source.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed.`);
  }
  // Only parsed, never matched: the engine accepts patterns that JavaScript does not, such as ^* and (?i).
  try {
    new RegExp(readLiteral(source).body, "u");
  } catch (thrown) {
    throw new Error(`not a valid pattern (${messageOf(thrown).replace(/^Invalid regular expression: .*: /s, "")}).`);
  }
  if (isOrdinary(source)) return compiledLater(source);
  const parts = readPatternSource(source);
  const expression = compileExpression(parts);
  const ahead = parts.ahead.map(({ body, isWanted }) => {
    return { isWanted, expression: compileExpression({ ...parts, body }) };
  });
  const size = ahead.reduce((sum, one) => sum + one.expression.programSize(), expression.programSize());
  if (size > MAX_PROGRAM_SIZE) throw new Error("the pattern is too large; use fewer repetitions.");
  return {
    source,
    size,
    test: (text) => expression.test(text) && ahead.every((one) => one.expression.test(text) === one.isWanted),
  };
}

function isOrdinary(source: string): boolean {
  if (!ORDINARY.test(source)) return false;
  let repetitions = 0;
  for (const [, least, most] of source.matchAll(REPETITION)) repetitions += Math.max(Number(least), Number(most ?? 0));
  return repetitions <= MAX_REPETITIONS;
}

/** Loading the engine takes a part of a start that only the first match is worth. */
function compiledLater(source: string): Pattern {
  let expression: RE2JS | undefined;
  return {
    source,
    get size() {
      expression ??= compileExpression(readLiteral(source));
      return expression.programSize();
    },
    test(text) {
      expression ??= compileExpression(readLiteral(source));
      return expression.test(text);
    },
  };
}

function compileExpression({ body: source, ignoresCase }: Omit<PatternSource, "ahead">): RE2JS {
  if (/\\k</.test(source)) throw new Error("back-references are not supported.");
  const engine = linearPatterns();
  let expression: RE2JS;
  try {
    const translated = engine.translateRegExp(toEngineDialect(source, true));
    expression = engine.compile(translated, ignoresCase ? engine.CASE_INSENSITIVE : 0);
  } catch (thrown) {
    if (/\(\?<?[=!]/.test(source)) throw new Error("look-ahead and look-behind are not supported.");
    if (/\\[1-9]/.test(source)) throw new Error("back-references are not supported.");
    throw new Error(`not a valid pattern (${messageOf(thrown).replace(/^error parsing regexp: /, "")}).`);
  }
  return expression;
}

/** A pattern in the parts that the linear-time engine can match. */
interface PatternSource {
  readonly body: string;
  readonly ignoresCase: boolean;
  /** Look-aheads at the start of the text, which are patterns of their own there. */
  readonly ahead: readonly { readonly body: string; readonly isWanted: boolean }[];
}

/** `/^[a-z]+$/i`: as it stands, no text can match it. */
const LITERAL = /^\/(\^.*\$)\/([dgimsuvy]*)$/s;
const TOKEN = /\\[\s\S]|[[\]()|]|[^\\[\]()|]+/y;

/** The pattern that its author meant: a literal of JavaScript, which some write, is read without its slashes. */
export function readLiteral(source: string): Pick<PatternSource, "body" | "ignoresCase"> {
  const [, body = source, flags = ""] = LITERAL.exec(source) ?? [];
  return { body, ignoresCase: flags.includes("i") };
}

/** Splits `^(?!a)(?=b)c`. The pattern must be valid in JavaScript. */
function readPatternSource(source: string): PatternSource {
  const { body, ignoresCase } = readLiteral(source);
  const ahead: { body: string; isWanted: boolean }[] = [];
  let at = 0;
  let isAnchored = false;
  for (;;) {
    if (body[at] === "^") {
      isAnchored = true;
      at++;
    } else if (/^\(\?[=!]/.test(body.slice(at, at + 3))) {
      const end = endOf(body, at + 1, ")");
      ahead.push({ body: `^(?:${body.slice(at + 3, end)})`, isWanted: body[at + 2] === "=" });
      at = end + 1;
    } else break;
  }
  // Elsewhere a look-ahead would be tried at several places.
  const canSplit = isAnchored && endOf(body, at, "|") === body.length;
  return canSplit ? { body: `^${body.slice(at)}`, ignoresCase, ahead } : { body, ignoresCase, ahead: [] };
}

/** Where a character stands outside of the groups that begin behind a place; the end where it does not. */
function endOf(source: string, start: number, wanted: string): number {
  let depth = 0;
  let isInClass = false;
  for (let at = start; at < source.length; ) {
    TOKEN.lastIndex = at;
    const [token = ""] = TOKEN.exec(source) ?? [];
    if (token === "[") isInClass = true;
    else if (token === "]") isInClass = false;
    else if (!isInClass) {
      if (token === wanted && depth === 0) return at;
      if (token === "(") depth++;
      if (token === ")") depth--;
    }
    at += token.length;
  }
  return source.length;
}

/** Pattern size times text length: up to here a match takes a few milliseconds, even if the engine must prepare for it. */
const QUICK_WORK = 20_000;
/** A pattern of this size has so few states that preparing them all is quick. */
const SMALL_PATTERN = 12;
/** Beyond this, a text is not matched at all. */
const MAX_WORK = 1_000_000;
const MAX_LENGTH = 100_000;
/** The longest time for the patterns of one record. */
const MAX_MS = 20;

/** Judging a record would take too long. */
export class TooCostly extends Error {}

/** The work that patterns have done for the record that is being judged. */
let workDone = 0;
let startedAt = 0;

/** Begins a record: its patterns have all their time again. */
export function beginPatterns(): void {
  workDone = 0;
}

/**
 * Matches a text. A hostile pair of pattern and text takes long because the engine prepares states on the way, so a longer
 * text is matched in growing pieces: each one prepares a part, until the whole is quick or the time is up.
 */
export function testPattern(pattern: Pattern, text: string): boolean {
  const work = pattern.size * text.length;
  if (workDone + work <= QUICK_WORK) {
    workDone += work;
    return pattern.test(text);
  }
  if (work > MAX_WORK || text.length > MAX_LENGTH) {
    const most = Math.min(MAX_LENGTH, Math.floor(MAX_WORK / pattern.size));
    throw new TooCostly(
      `has ${text.length} characters, which is too long to be matched against ${pattern.source}; at most ${most} are`,
    );
  }
  if (workDone <= QUICK_WORK) startedAt = performance.now();
  else if (performance.now() - startedAt > MAX_MS) throw new TooCostly("has too many texts to be matched");
  workDone += QUICK_WORK;
  const first = pattern.size <= SMALL_PATTERN ? text.length : Math.max(1, Math.floor(QUICK_WORK / pattern.size));
  for (let length = first; ; length += Math.max(first, length >> 3)) {
    const result = pattern.test(length < text.length ? text.slice(0, length) : text);
    if (length >= text.length) return result;
    if (performance.now() - startedAt > MAX_MS) {
      throw new TooCostly(`takes too long to be matched against ${pattern.source}`);
    }
  }
}

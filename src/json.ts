/** JSON as values, and a parser that says where a text stops being JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where and why a text is not JSON. Line and column count from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly line: number;
  readonly column: number;
  /** The message without its place. */
  readonly reason: string;

  constructor(text: string, offset: number, expected: string) {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    const found = offset >= text.length ? "the end of the text" : JSON.stringify(text.slice(offset, offset + 12));
    const reason = `expected ${expected} but found ${found}`;
    super(`line ${line}, column ${column}: ${reason}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}

/** Parses JSON (a leading byte order mark is passed over); throws a `JsonSyntaxError` that names line and column. */
export function parseJson(text: string): Json {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return JSON.parse(source) as Json;
  } catch {
    // JSON.parse gives no position for most mistakes, so a failed text is walked a second time.
    throw findSyntaxError(source);
  }
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** A pushdown walk without recursion: depth costs memory only, so no text can overflow the stack. */
function findSyntaxError(text: string): JsonSyntaxError {
  const open: ("{" | "[")[] = [];
  let at = 0;
  let expecting: "value" | "key" | "key or }" | "value or ]" | "after" = "value";

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match !== null;
  };
  const fail = (expected: string): JsonSyntaxError => new JsonSyntaxError(text, at, expected);
  /** Moves past a string, or to the character that spoils it. By hand: a pattern would need a stack as long as the string. */
  const takeString = (): boolean => {
    at++;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        at++;
        return true;
      }
      if (code < 0x20) return false;
      if (code !== 0x5c) at++;
      else if (!take(ESCAPE)) return false;
    }
    return false;
  };
  const failInString = (): JsonSyntaxError =>
    fail(at >= text.length ? 'a closing "' : "a valid string character or escape");

  for (;;) {
    take(SPACE);
    const next = text[at];
    if (expecting === "after") {
      const inside = open.at(-1);
      if (inside === undefined) {
        if (next !== undefined) return fail("nothing more");
        return new JsonSyntaxError(text, at, "valid JSON");
      }
      const closing = inside === "{" ? "}" : "]";
      if (next === closing) open.pop();
      else if (next === ",") expecting = inside === "{" ? "key" : "value";
      else return fail(`"," or "${closing}"`);
      at++;
    } else if (expecting === "key" || expecting === "key or }") {
      if (next === "}" && expecting === "key or }") {
        at++;
        open.pop();
        expecting = "after";
        continue;
      }
      if (next !== '"') return fail("a property name in double quotes");
      if (!takeString()) return failInString();
      take(SPACE);
      if (text[at] !== ":") return fail('":"');
      at++;
      expecting = "value";
    } else if (next === "]" && expecting === "value or ]") {
      at++;
      open.pop();
      expecting = "after";
    } else if (next === "{" || next === "[") {
      at++;
      open.push(next);
      expecting = next === "{" ? "key or }" : "value or ]";
    } else if (next === '"') {
      if (!takeString()) return failInString();
      expecting = "after";
    } else {
      if (!take(SCALAR)) return fail("a value");
      expecting = "after";
    }
  }
}

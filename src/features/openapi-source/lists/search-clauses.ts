import { StandinError } from "../../../base/errors.ts";
import type { Json, JsonObject } from "../../../base/json/json.ts";

/** The request that a text in a search language makes. */
export interface SearchClauses {
  /** Conditions in the form of `_where`; undefined for none. */
  readonly where: JsonObject | undefined;
  /** Words without a field. */
  readonly words: string;
}

const LANGUAGE =
  /\b(?:query|search)[ -]?(?:query )?(?:language|syntax)\b|\bqualifiers\b|\b(?:query|search) clauses\b|\bfield:value\b/i;
const VALUE = `"[^"]*"|'[^']*'`;
/** `-metadata["key"]:"value"`, `amount>=100`, `stars:>10`. */
const CLAUSE = new RegExp(
  `(-?)([a-z_][\\w.]*)((?:\\[(?:${VALUE}|\\w+)\\])*)(:?[<>]=?|[:~=])(${VALUE}|[^\\s()"']+)`,
  "iy",
);
const WORD = new RegExp(`\\s*(${VALUE}|[()]|[^\\s()]+)`, "y");
const OPERATORS: Readonly<Record<string, string>> = { "~": "contains", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte" };
const MAX_LEVELS = 15;

/** Whether the description of a parameter speaks of a search language. */
export function hasSearchLanguage(description = ""): boolean {
  return LANGUAGE.test(description);
}

/**
 * Reads clauses such as `email:"a@b.c" AND -metadata["tier"]:"gold"`, joined by AND (or nothing), OR, NOT and parentheses.
 * Clauses on fields that records do not have are left out. Undefined where only the text as a whole makes sense.
 */
export function readClauses(text: string, fieldOf: (name: string) => string | undefined): SearchClauses | undefined {
  const reader = new ClauseReader(text, fieldOf);
  const where = reader.read();
  const words = reader.words.join(" ");
  return reader.hasOr && words !== "" ? undefined : { where, words };
}

class ClauseReader {
  readonly words: string[] = [];
  hasOr = false;
  readonly #text: string;
  readonly #fieldOf: (name: string) => string | undefined;
  #at = 0;

  constructor(text: string, fieldOf: (name: string) => string | undefined) {
    this.#text = text;
    this.#fieldOf = fieldOf;
  }

  read(): JsonObject | undefined {
    const found = this.#anyOf(1);
    if (this.#next() !== undefined) throw this.#refusal();
    return found;
  }

  #anyOf(level: number): JsonObject | undefined {
    const parts = [this.#allOf(level)];
    while (this.#take("OR")) {
      this.hasOr = true;
      parts.push(this.#allOf(level));
    }
    return joined("or", parts);
  }

  #allOf(level: number): JsonObject | undefined {
    const parts = [this.#one(level)];
    for (let next = this.#next(); next !== undefined && next !== ")" && next !== "OR"; next = this.#next()) {
      this.#take("AND");
      parts.push(this.#one(level));
    }
    return joined("and", parts);
  }

  #one(level: number): JsonObject | undefined {
    if (level > MAX_LEVELS) throw this.#refusal();
    if (this.#take("NOT")) {
      const inner = this.#one(level + 1);
      return inner && { not: inner };
    }
    if (this.#take("(")) {
      const inner = this.#anyOf(level + 1);
      if (!this.#take(")")) throw this.#refusal();
      return inner;
    }
    const word = this.#next();
    if (word === undefined || word === ")" || word === "AND" || word === "OR") throw this.#refusal();
    return this.#clause() ?? this.#word(word);
  }

  #clause(): JsonObject | undefined {
    CLAUSE.lastIndex = this.#at + (/^\s*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0);
    const [whole, minus, name = "", keys = "", sign = "", value = ""] = CLAUSE.exec(this.#text) ?? [];
    if (whole === undefined) return undefined;
    this.#at = CLAUSE.lastIndex;
    const field = this.#fieldOf(name);
    if (field === undefined) return {};
    const steps = [...field.split("."), ...[...keys.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => unquoted(key))];
    const operator = OPERATORS[sign.replace(/^:(?=.)/, "")] ?? "eq";
    const condition = steps.reduceRight<Json>((inner, step) => ({ [step]: inner }), { [operator]: operandOf(value) });
    return minus ? { not: condition } : (condition as JsonObject);
  }

  #word(word: string): undefined {
    if (/^[\w.-]+[:<>~]/.test(word)) throw this.#refusal();
    this.#take(word);
    this.words.push(unquoted(word));
  }

  /** The next word, which stays there. */
  #next(): string | undefined {
    WORD.lastIndex = this.#at;
    return WORD.exec(this.#text)?.[1];
  }

  #take(word: string): boolean {
    if (this.#next() !== word) return false;
    this.#at = WORD.lastIndex;
    return true;
  }

  #refusal(): StandinError {
    const place = this.#text.slice(this.#at).trim().slice(0, 30);
    return new StandinError(
      "QUERY_INVALID",
      `The search cannot be read ${place === "" ? "at its end" : `from "${place}" on`}. Example: name:"Ada" AND -status:"closed".`,
    );
  }
}

/** Conditions in one; without those that say nothing. */
function joined(how: "and" | "or", parts: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const found = parts.filter((part) => part !== undefined && Object.keys(part).length > 0) as JsonObject[];
  return found.length > 1 ? { [how]: found } : found[0];
}

function operandOf(text: string): Json {
  if (text === "null") return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : unquoted(text);
}

function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

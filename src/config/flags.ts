import { parseArgs } from "node:util";
import { StartError } from "../base/errors.ts";
import { meantOption, synonymOf } from "../base/nearest.ts";
import {
  allowedValues,
  flagOf,
  isAllowed,
  type Option,
  type OptionTable,
  type OptionValue,
  sameName,
} from "../base/option.ts";

export interface Flags<T extends OptionTable> {
  readonly values: { [K in keyof T]?: OptionValue };
  readonly positionals: readonly string[];
  /** About ignored flags, and switches that had no effect in 0.17. */
  readonly warnings: readonly string[];
}

/** Accepted by every command; the terminal reads it from the command line. */
const COLOUR_FLAG = /^(no-)?color$/;
/** A word that may be the source, even after an unknown flag. */
const DATA_FILE = /\.json$/;

/**
 * Parses a command line by an option table; a `StartError` names the invalid flag. `isLenient` ignores unknown flags, as
 * yargs in 0.17 did, unless one looks like a misspelt known flag.
 */
export function parseFlags<T extends OptionTable>(argv: readonly string[], table: T, isLenient = false): Flags<T> {
  const reading = new Reading(table, isLenient);
  const options = Object.fromEntries(
    Object.values(table).flatMap((option) =>
      spellings(option).map((name) => [name, { type: option.type === "boolean" ? "boolean" : "string" } as const]),
    ),
  );
  const words = argv.flatMap(longAliases(table));
  const { tokens } = parseArgs({
    args: words.map((word, at) => withBareValue(word, words[at + 1], table)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "positional") reading.word(token.value);
    else if (token.kind === "option") reading.flag(token);
    else reading.end();
  }
  return reading.result();
}

type FlagToken = Extract<NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number], { kind: "option" }>;

/** Parses one command line word by word. The meaning of a word depends on the flag before it. */
class Reading<T extends OptionTable> {
  readonly #table: T;
  readonly #isLenient: boolean;
  readonly #values: Partial<Record<keyof T, OptionValue>> = {};
  readonly #positionals: string[] = [];
  readonly #warnings: string[] = [];
  /** Words after unknown flags: their values, or the source. */
  readonly #doubtful: string[] = [];
  /** Switches written without a value. */
  readonly #bare = new Set<keyof T>();
  /** Consumes the next word if it belongs to the last flag. */
  #taker: ((word: string) => boolean) | undefined;

  constructor(table: T, isLenient: boolean) {
    this.#table = table;
    this.#isLenient = isLenient;
  }

  word(word: string): void {
    if (!this.#taker?.(word)) this.#positionals.push(word);
  }

  /** Handles the word `--`: the words after it belong to no flag. */
  end(): void {
    this.#taker = undefined;
  }

  flag(token: FlagToken): void {
    this.#taker = undefined;
    const found = findOption(token.name, this.#table);
    if (found) this.#known(token, ...found);
    else this.#unknown(token);
  }

  result(): Flags<T> {
    // `--unknown db.json`: 0.17 took the file as the flag's value and then had no source.
    const source = this.#positionals.length === 0 ? this.#doubtful.find((word) => DATA_FILE.test(word)) : undefined;
    const positionals = source === undefined ? this.#positionals : [source];
    const bare = [...this.#bare].filter((key) => this.#isLenient && this.#values[key] === true);
    const bareWarnings = bare.flatMap((key) => this.#table[key]?.bareWarning ?? []);
    const warnings = [...this.#warnings, ...bareWarnings];
    return { values: this.#values as Flags<T>["values"], positionals, warnings };
  }

  #known(token: FlagToken, key: keyof T, isNegated: boolean): void {
    const option = this.#table[key]!;
    // `--id --quiet`: the next flag is not a value; a value that begins with a dash is written `--id=-x`.
    if (token.inlineValue === false && /^-[a-z-]/i.test(token.value)) throw missingValue(token.rawName, option);
    if (option.type === "strings") {
      this.#list(key, option, token);
      return;
    }
    const value = parseValue(option, token.rawName, token.value);
    this.#values[key] = isNegated ? !value : value;
    if (option.type === "boolean" && token.value === undefined) this.#switch(key, isNegated, token.name);
  }

  #list(key: keyof T, option: Option, { value, rawName }: FlagToken): void {
    if (value === undefined || value === "") throw missingValue(rawName, option);
    const list = (this.#values[key] as string[] | undefined) ?? [];
    list.push(...(option.isOneEach ? [value] : value.split(",")));
    this.#values[key] = list;
    if (option.isOneEach) return;
    this.#taker = (word) => {
      // 0.17.4: `--middlewares a.js b.js` takes every word that follows, except a data file.
      if (DATA_FILE.test(word)) return false;
      list.push(...word.split(","));
      return true;
    };
  }

  /** `--watch true`: a switch takes only the words true and false. */
  #switch(key: keyof T, isNegated: boolean, name: string): void {
    if (name === flagOf(this.#table[key]!)) this.#bare.add(key);
    this.#taker = (word) => {
      this.#taker = undefined;
      if (word !== "true" && word !== "false") return false;
      this.#bare.delete(key);
      this.#values[key] = (word === "true") !== isNegated;
      return true;
    };
  }

  #unknown({ name, rawName, value }: FlagToken): void {
    if (COLOUR_FLAG.test(name)) return;
    const hint = hintFor(name, this.#table);
    if (!this.#isLenient || hint !== "") throw unknownFlag(rawName, hint);
    this.#warnings.push(`Unknown flag ${rawName} is ignored.`);
    if (value !== undefined) return;
    this.#taker = (word) => {
      this.#taker = undefined;
      this.#doubtful.push(word);
      return true;
    };
  }
}

function parseValue(option: Option, rawName: string, text: string | undefined): OptionValue {
  if (option.type === "boolean") {
    if (text === undefined || text === "true") return true;
    if (text === "false") return false;
    throw new StartError(`${rawName}=${text}: ${rawName} expects ${allowedValues(option)}.`);
  }
  if (text === undefined || text === "") throw missingValue(rawName, option);
  const isNumber = /^integer/.test(option.type) && /^\d+(e\d+)?$/i.test(text);
  const value = isNumber ? Number(text) : text;
  if (isAllowed(option, value)) return value;
  throw new StartError(`${rawName} ${text}: ${rawName} expects ${allowedValues(option)}.`);
}

function missingValue(rawName: string, option: Option): StartError {
  const { type, choices, placeholder = "<value>" } = option;
  const isText = /^strings?( or object)?$/.test(type) && !choices;
  const needed = isText ? `needs ${wanted(placeholder)}` : `expects ${allowedValues(option)}`;
  return new StartError(`${rawName} ${needed}: ${rawName} ${placeholder}`);
}

/** `<file>` in words. */
function wanted(placeholder: string): string {
  const noun = /^<(\w+)>$/.exec(placeholder)?.[1] ?? "value";
  if (noun === "file") return "a file name";
  if (noun === "url") return "a URL";
  return noun.endsWith("s") ? noun : `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** Every way to write the flag after two dashes: as named, in camel, kebab or lower case, and its aliases (`--p`). */
function spellings(option: Option): string[] {
  const flag = flagOf(option);
  if (flag === undefined) return [];
  const kebab = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const camel = flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [...new Set([flag, kebab, camel, camel.toLowerCase(), ...(option.aliases ?? [])])];
}

/** `-p` becomes `--port` before parsing, so that the parser sees only long names; `-wq` is `--watch --quiet`. */
function longAliases(table: OptionTable): (word: string) => string[] {
  const letters = new Map<string, Option>();
  for (const option of Object.values(table)) {
    for (const alias of option.aliases ?? []) if (alias.length === 1) letters.set(alias, option);
  }
  const words = Object.values(table).flatMap(({ aliases = [] }) => aliases.filter((alias) => alias.length > 1));
  return function expand(word): string[] {
    // `-ro` would be `-r o`: a rewrite file called o.
    const alias = words.find((alias) => word === `-${alias}`);
    if (alias !== undefined) throw unknownFlag(word, ` Did you mean "--${alias}"?`);
    const [, letter, equals, rest] = /^-([a-z])(=?)(.+)?$/is.exec(word) ?? [];
    const option = letter === undefined ? undefined : letters.get(letter);
    if (!option) return [word];
    const long = `--${flagOf(option)}`;
    if (rest === undefined) return [long];
    if (option.type === "boolean" && equals === "") return [long, ...expand(`-${rest}`)];
    return [`${long}=${rest}`];
  };
}

/** `--validate api.yaml` is `--validate=on api.yaml`: the next word is none of the choices, or a flag or source. */
function withBareValue(word: string, next: string | undefined, table: OptionTable): string {
  if (!word.startsWith("--")) return word;
  const option = Object.values(table).find((one) => one.bare !== undefined && spellings(one).includes(word.slice(2)));
  if (!option) return word;
  const isValue = option.choices?.includes(next ?? "") ?? !/^$|^-|:\/\//.test(next ?? "");
  return isValue ? word : `${word}=${option.bare}`;
}

function findOption<T extends OptionTable>(
  name: string,
  table: T,
): [key: keyof T & string, isNegated: boolean] | undefined {
  for (const [key, option] of Object.entries(table)) {
    if (spellings(option).includes(name)) return [key, false];
  }
  for (const [key, option] of Object.entries(table)) {
    if (option.type !== "boolean") continue;
    const names = spellings(option);
    // `--no-watch`, and `--cors` as the opposite of `no-cors`.
    if (names.some((spelling) => sameName(`no${spelling}`, name))) return [key, true];
    if (option.name.startsWith("no-") && sameName(option.name, `no${name}`)) return [key, true];
  }
  return undefined;
}

/** Suggests the known flag that was probably meant; empty if none is close. */
function hintFor(name: string, table: OptionTable): string {
  const options = Object.values(table);
  if (table.source?.only === "file" && (name === "source" || synonymOf(name, ["source"]))) {
    return " The source needs no flag: standin db.json.";
  }
  if (options.some((option) => option.only === "file" && sameName(option.name, name))) {
    return " It is a config file key, not a flag.";
  }
  const words = options.flatMap((option) => spellings(option).filter((spelling) => spelling.length > 1));
  const near = meantOption(name, words);
  const meant = near === undefined ? undefined : options.find((option) => spellings(option).includes(near));
  return meant === undefined ? "" : ` Did you mean "--${flagOf(meant)}"?`;
}

function unknownFlag(flag: string, hint: string): StartError {
  return new StartError(`Unknown flag ${flag}.${hint} Add --help to list all flags.`);
}

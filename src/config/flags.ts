import { parseArgs } from "node:util";
import { StartError } from "../errors.ts";
import { didYouMean } from "../nearest.ts";
import {
  allowedValues,
  flagOf,
  isAllowed,
  type Option,
  type OptionTable,
  type OptionValue,
  sameName,
} from "./option.ts";

export interface Flags<T extends OptionTable> {
  readonly values: { [K in keyof T]?: OptionValue };
  readonly positionals: readonly string[];
}

/** Reads a command line by a table of options; a `StartError` names the flag that cannot be meant. */
export function parseFlags<T extends OptionTable>(argv: readonly string[], table: T): Flags<T> {
  const options = Object.fromEntries(
    Object.values(table).flatMap((option) =>
      spellings(option).map((name) => [name, { type: option.type === "boolean" ? "boolean" : "string" } as const]),
    ),
  );
  const { tokens } = parseArgs({
    args: argv.flatMap(longAliases(table)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Partial<Record<keyof T, OptionValue>> = {};
  const positionals: string[] = [];
  let list: string[] | undefined;
  for (const token of tokens) {
    if (token.kind === "positional") {
      // 0.17.4: `--middlewares a.js b.js` takes every word that follows; a data file is none of them.
      if (list && !token.value.endsWith(".json")) list.push(...token.value.split(","));
      else positionals.push(token.value);
      continue;
    }
    list = undefined;
    if (token.kind !== "option") continue;
    const [key, isNegated] = findOption(token.name, table);
    const option = table[key]!;
    // `--id --quiet`: the next flag is no value; one that begins with a dash is written `--id=-x`.
    if (token.inlineValue === false && /^-[a-z-]/i.test(token.value)) throw missingValue(token.rawName, option);
    if (option.type === "strings") {
      if (token.value === undefined || token.value === "") throw missingValue(token.rawName, option);
      const present = (values[key] as string[] | undefined) ?? [];
      present.push(...(option.isOneEach ? [token.value] : token.value.split(",")));
      values[key] = present;
      if (!option.isOneEach) list = present;
    } else {
      const value = parseValue(option, token.rawName, token.value);
      values[key] = isNegated ? !value : value;
    }
  }
  return { values: values as Flags<T>["values"], positionals };
}

function parseValue(option: Option, rawName: string, given: string | undefined): OptionValue {
  if (option.type === "boolean") {
    if (given === undefined || given === "true") return true;
    if (given === "false") return false;
    throw new StartError(`${rawName}=${given}: ${rawName} wants ${allowedValues(option)}.`);
  }
  if (given === undefined || given === "") throw missingValue(rawName, option);
  const value = option.type === "integer" ? (/^\d+$/.test(given) ? Number(given) : undefined) : given;
  if (isAllowed(option, value)) return value;
  throw new StartError(`${rawName} ${given}: ${rawName} wants ${allowedValues(option)}.`);
}

function missingValue(rawName: string, option: Option): StartError {
  return new StartError(`${rawName} wants ${allowedValues(option)}: ${rawName} ${option.placeholder ?? "<value>"}`);
}

/** Every way to write the flag after its dashes: as named, in camel case, in kebab case, in one lower-case word. */
function spellings(option: Option): string[] {
  const flag = flagOf(option);
  if (flag === undefined) return [];
  const kebab = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const camel = flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const words = (option.aliases ?? []).filter((alias) => alias.length > 1);
  return [...new Set([flag, kebab, camel, camel.toLowerCase(), ...words])];
}

/** `-p` becomes `--port` before parsing, so that the parser knows one kind of name only; `-wq` is `--watch --quiet`. */
function longAliases(table: OptionTable): (word: string) => string[] {
  const letters = new Map<string, Option>();
  for (const option of Object.values(table)) {
    for (const alias of option.aliases ?? []) if (alias.length === 1) letters.set(alias, option);
  }
  return function expand(word): string[] {
    const [, letter, equals, rest] = /^-([a-z])(=?)(.+)?$/is.exec(word) ?? [];
    const option = letter === undefined ? undefined : letters.get(letter);
    if (!option) return [word];
    const long = `--${flagOf(option)}`;
    if (rest === undefined) return [long];
    if (option.type === "boolean" && equals === "") return [long, ...expand(`-${rest}`)];
    return [`${long}=${rest}`];
  };
}

function findOption<T extends OptionTable>(name: string, table: T): [key: keyof T & string, isNegated: boolean] {
  for (const [key, option] of Object.entries(table)) {
    if (spellings(option).includes(name)) return [key, false];
  }
  for (const [key, option] of Object.entries(table)) {
    const flag = flagOf(option);
    if (option.type === "boolean" && flag !== undefined && sameName(`no${flag}`, name)) return [key, true];
  }
  const flags = Object.values(table).map(flagOf);
  const known = flags.filter((flag) => flag !== undefined).map((flag) => `--${flag}`);
  const given = name.length === 1 ? `-${name}` : `--${name}`;
  throw new StartError(`Unknown flag ${given}.${didYouMean(given, known)} standin --help lists them all.`);
}

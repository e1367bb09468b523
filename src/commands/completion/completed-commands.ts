import { flagOf, type OptionTable } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../../config/options.ts";
import type { CommandTable } from "../define-command.ts";

/** A flag that shells complete. */
export interface CompletedFlag {
  /** `--port` */
  readonly name: string;
  readonly letter: string | undefined;
  readonly help: string;
  readonly hasValue: boolean;
  /** The allowed values; empty where others are possible. */
  readonly choices: readonly string[];
}

/** A command line up to its flags: `standin`, `standin hosted`, `standin hosted export`. */
export interface CompletedCommand {
  /** Empty for `standin [source]`. */
  readonly name: string;
  /** The words that may follow, with what they mean; files may follow as well. */
  readonly words: ReadonlyMap<string, string>;
  readonly flags: readonly CompletedFlag[];
}

/** Everything that a shell can complete, from the tables of commands and options. */
export async function completedCommands(commands: CommandTable): Promise<CompletedCommand[]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => ({ name, ...(await load()) }) as const),
  );
  const summaries = new Map(loaded.map(({ name, summary }) => [name, summary]));
  const wordsAfter = (name: string): [string, string][] => {
    const before = name === "" ? "" : `${name} `;
    return [...summaries]
      .filter(([other]) => other.startsWith(before) && other !== name)
      .map(([other, summary]) => {
        const [word = "", ...rest] = other.slice(before.length).split(" ");
        return [word, rest.length === 0 ? summary : (summaries.get(before + word) ?? summary)];
      });
  };
  const serve: CompletedCommand = { name: "", words: new Map(wordsAfter("")), flags: flagsOf(SERVE_OPTIONS) };
  // `files` alone is no command, but the beginning of one.
  const beginnings = [...serve.words.keys()].filter((word) => !summaries.has(word));
  return [
    serve,
    ...beginnings.map((name) => ({ name, words: new Map(wordsAfter(name)), flags: [] })),
    ...loaded.map(({ name, usage, options = SERVE_OPTIONS }) => {
      const words = name === "help" ? serve.words : new Map([...wordsAfter(name), ...alternatives(usage)]);
      return { name, words, flags: flagsOf(options) };
    }),
  ];
}

/** The names of commands: those of two words, which win, and those of one. */
export function namesOf(commands: readonly CompletedCommand[]): { double: string[]; single: string[] } {
  const names = commands.map(({ name }) => name).filter((name) => name !== "");
  return { double: names.filter((name) => name.includes(" ")), single: names.filter((name) => !name.includes(" ")) };
}

/** `secret password|api-key|token` has three words. */
function alternatives(usage: string): [string, string][] {
  const words = /(?:^| )([\w-]+(?:\|[\w-]+)+)/.exec(usage)?.[1]?.split("|") ?? [];
  return words.map((word) => [word, ""]);
}

function flagsOf(table: OptionTable): CompletedFlag[] {
  return Object.values(table).flatMap((option) => {
    const flag = flagOf(option);
    if (flag === undefined) return [];
    const { help, type, choices = [], aliases = [] } = option;
    const letter = aliases.find((alias) => alias.length === 1);
    return { name: `--${flag}`, letter, help, hasValue: type !== "boolean", choices };
  });
}

/** A text as a word of any of the shells. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

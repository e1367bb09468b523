import type { OptionTable, Values } from "../base/option.ts";
import { prepareConfig } from "../config/config-module.ts";
import { helpLines } from "../config/help.ts";
import { resolveWithServerFile, type WithWords } from "../config/resolve.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

/** The resolved command line of any command. */
interface Given {
  readonly options: { readonly help?: unknown };
}

/** Everything about a command. Dispatch, help, the hint for a misspelt name and the reference page follow from it. */
interface Definition<T extends OptionTable, G extends Given> {
  readonly name: string;
  /** The arguments: `[file]`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The lines of its help above the options. */
  readonly help: readonly string[];
  /** Command lines that work, for the end of its help. */
  readonly examples?: readonly string[];
  /** Undefined if the help of `standin [source]` describes them. */
  readonly options?: T;
  /** A heading other than the usage, and text below it, on the reference page. */
  readonly reference?: { readonly heading?: string; readonly note?: string };
  /** The exit code of a command line that is wrong, where 1 means something else. */
  readonly failureCode?: number;
  /** Resolves the command line, unless flags first and then the config file of the server are all there is to it. */
  readonly resolve?: (argv: readonly string[], folder: string) => G;
  run(given: G & Context): void | Promise<void>;
}

interface Context {
  readonly terminal: Terminal;
  readonly argv: readonly string[];
  /** All commands, for those that tell about others. */
  readonly commands: CommandTable;
}

/** A command as the rest of the program knows it. */
export interface Command {
  /** `generate [file]` */
  readonly usage: string;
  readonly summary: string;
  readonly options: OptionTable | undefined;
  readonly reference: { readonly heading?: string; readonly note?: string };
  run(argv: readonly string[], commands?: CommandTable): Promise<void>;
}

/** The commands by their names, each loaded when it is used. */
export type CommandTable = Readonly<Record<string, () => Promise<Command>>>;

/** Makes a command. Its file has one line in `command-table.ts`, and is loaded when the command is used. */
export function defineCommand<const T extends OptionTable, G extends Given = WithWords<Values<T>>>(
  definition: Definition<T, G>,
): Command {
  const { name, usage, summary, options, reference = {} } = definition;
  const resolve = definition.resolve ?? ((argv, folder) => resolveWithServerFile(argv, folder, options!) as Given as G);
  return {
    usage: `${name} ${usage}`.trimEnd(),
    summary,
    options,
    reference,
    async run(argv, commands = {}) {
      const terminal = createTerminal();
      try {
        if (definition.resolve || (options && "config" in options)) await prepareConfig(argv, process.cwd());
        const given = resolve(argv, process.cwd());
        if (given.options.help) terminal.print(helpText(definition));
        else await definition.run({ ...given, terminal, argv, commands });
      } catch (thrown) {
        process.exitCode = definition.failureCode;
        throw thrown;
      }
    },
  };
}

interface HelpParts {
  readonly help: readonly string[];
  readonly examples?: readonly string[];
  readonly options?: OptionTable;
}

function helpText({ help, options, examples = [] }: HelpParts): string {
  return [
    ...help,
    ...(options ? ["", "Options", ...helpLines(options)] : []),
    ...(examples.length > 0 ? ["", examples.length === 1 ? "Example" : "Examples"] : []),
    ...examples.map((example) => `  ${example}`),
  ].join("\n");
}

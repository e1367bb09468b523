import { StartError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { OptionTable } from "../base/option.ts";
import { helpLines } from "../config/help.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { LAYER_NAMES } from "../layers/registry.ts";
import { type Command, type CommandTable, defineCommand } from "./define-command.ts";

/** The options of the short help, in groups; `--help all` has the rest. */
const GROUPS: Readonly<Record<string, readonly (keyof typeof SERVE_OPTIONS)[]>> = {
  Server: ["port", "host", "base", "https", "open", "quiet"],
  Data: ["watch", "memory", "readOnly", "snapshots", "rules", "id", "foreignKeySuffix"],
  Requests: ["routes", "middlewares", "static", "plugins", "delay"],
  Tests: ["seed", "clock"],
};
/** The names of commands that fit on a line of the short help. */
const NAMES_PER_LINE = 12;

const USAGE = "standin [source] [options]   serve JSON data as a REST API";
const SOURCES = [
  "The source is one of",
  "  db.json              a file with one key per collection (the default; created when missing)",
  "  db.json5, .jsonc, .yaml, and products.csv, which is one collection",
  "  data/                a folder with one such file per collection",
  "  data.js, .mjs, .ts   a module that exports data or a function (in memory)",
  "  https://...          the URL of a JSON document (in memory)",
  "  postgres://...       a PostgreSQL database, shared by any number of processes",
  "  api.yaml             an OpenAPI document, with a store behind it",
  'Several sources are served below paths of their own, by "mounts" in the config file.',
];

/** `standin help [command]`: as `--help` of that command. */
export const helpCommand = defineCommand({
  name: "help",
  usage: "[command]",
  summary: "show the help of a command, or everything with all",
  help: ["standin help [command]   show the help of a command; standin help all lists everything"],
  examples: ["standin help hosted export"],
  options: { help: SERVE_OPTIONS.help },
  async run({ words, terminal, commands }) {
    const name = words.join(" ");
    if (name === "" || name === "all") return terminal.print(await helpOf(commands, name === "all"));
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (load) return (await load()).run(["--help"], commands);
    const hint = didYouMean(name, Object.keys(commands));
    throw new StartError(`There is no command "${name}".${hint} standin help lists the commands.`);
  },
});

/** The text of `standin --help`, or of `standin --help all`. */
export async function helpOf(commands: CommandTable, isFull: boolean): Promise<string> {
  const shown = Object.entries(commands).filter(([name]) => !name.includes(" "));
  if (!isFull) return shortHelp(shown.map(([name]) => name));
  return fullHelp(await Promise.all(shown.map(([, load]) => load())));
}

/** The options that most people need, on one screen. */
function shortHelp(commandNames: readonly string[]): string {
  const table: OptionTable = SERVE_OPTIONS;
  const all = Object.values(GROUPS).flat();
  const lines = helpLines(Object.fromEntries(all.map((name) => [name, table[name]!])));
  const groups = Object.entries(GROUPS).flatMap(([title, names]) => ["", title, ...lines.splice(0, names.length)]);
  return [
    USAGE,
    "The source is db.json, or another file, folder, module, URL, database or OpenAPI document.",
    ...groups,
    "",
    "Commands, each with --help",
    `  ${commandNames.slice(0, NAMES_PER_LINE).join(", ")},`,
    `  ${commandNames.slice(NAMES_PER_LINE).join(", ")}`,
    "",
    "standin --help all lists every source, command and option; standin help <command> those of a command.",
  ].join("\n");
}

function fullHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  return [
    USAGE,
    "",
    "Commands",
    ...commands.map(({ usage, summary }) => `  standin ${usage.padEnd(width)}   ${summary}`),
    "",
    ...SOURCES,
    "",
    "Options",
    ...helpLines(SERVE_OPTIONS),
    "",
    `Layers for --middlewares: ${LAYER_NAMES.join(", ")}`,
    "",
    "Examples",
    "  standin                            serve db.json on http://localhost:3000",
    "  standin data.json --port 3001      serve another file on another port",
    "  standin --watch --memory           reload db.json when it changes, but never write to it",
    "  standin --routes routes.json       rewrite URLs",
    "  standin generate big.json --products 100000 --seed 1",
  ].join("\n");
}

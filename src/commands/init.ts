import { existsSync, readFileSync } from "node:fs";
import { messageOf, StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { allowedValues, isAllowed, type OptionTable, type Values } from "../base/option.ts";
import { findConfig } from "../config/find-config.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import { defineCommand } from "./define-command.ts";
import { freshData, isMissingFile, refuseMistyped } from "./fresh-data.ts";
import { starterText } from "./rules.ts";
import type { Terminal } from "./terminal.ts";
import { writeMadeFile } from "./write-made-files.ts";

const CONFIG = "standin.json";
const SCHEMA = "./node_modules/standin/schema.json";
const SCRIPTS: Readonly<Record<string, string>> = { mock: "standin", "mock:watch": "standin --watch" };

const OPTIONS = {
  data: {
    name: "data",
    type: "string",
    placeholder: "<source>",
    help: "Data to serve; a .json file that does not exist is made with sample data (default: db.json)",
    only: "flag",
  },
  port: { ...SERVE_OPTIONS.port, help: "Port of the server; auto is the next free one", only: "flag" },
  rules: {
    name: "rules",
    type: "string",
    placeholder: "<file>",
    help: "Rules file; one that does not exist is made from the data",
    only: "flag",
  },
  scripts: {
    name: "scripts",
    type: "boolean",
    default: true,
    help: "Add scripts to package.json; --no-scripts does not",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: `Replace ${CONFIG} and scripts; data and rules stay`,
    only: "flag",
  },
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

type Wanted = Values<typeof OPTIONS>;

/** `standin init`: writes a config file, sample data and scripts for a project. */
export const initCommand = defineCommand({
  name: "init",
  usage: "",
  summary: "write a config file, sample data and scripts for a project",
  help: [
    "standin init [options]   write a config file, sample data and scripts for a project",
    "",
    "Asks three questions at a terminal, unless options are given. Elsewhere, takes the defaults.",
  ],
  examples: ["standin init", "standin init --data shop.json --port 4000 --rules rules.json"],
  options: OPTIONS,
  async run({ options, words, argv, terminal }) {
    if (words.length > 0) throw new StartError(`init takes options only. Write --data ${words[0]}.`);
    const isAsked = terminal.canAsk && argv.every((word) => /^--(no-)?color$/.test(word));
    const wanted = isAsked ? await askFor(options, terminal) : options;
    const { data = SERVE_OPTIONS.source.default, rules, overwrite } = wanted;
    const config = configText({ ...wanted, data });
    // Everything that may be refused comes before the first file.
    const former = expectNoOther(overwrite);
    expectData(data);
    const scripts = wanted.scripts ? addScripts("package.json", overwrite) : undefined;
    const print = (text: string): void => void (wanted.quiet || terminal.print(`  ${text}`));
    if (isMissingFile(data)) {
      const { amount, pieces } = await freshData();
      await writeMadeFile(data, pieces);
      print(`Wrote ${data} with ${amount}`);
    }
    if (rules !== undefined && !existsSync(rules)) {
      await writeMadeFile(rules, [`${await starterText(data, { idKey: SERVE_OPTIONS.id.default, warn: () => {} })}\n`]);
      print(`Wrote ${rules}, rules that the data meets`);
    }
    await writeMadeFile(CONFIG, [config]);
    print(`Wrote ${CONFIG}${former === undefined ? "" : `; ${former} is not read any more`}`);
    if (scripts?.text !== undefined) await writeMadeFile("package.json", [scripts.text]);
    for (const note of scripts?.notes ?? []) print(note);
    print(`Start it with ${scripts?.start ?? "standin"}`);
  },
});

/** Asks for the data, the port and the rules. */
async function askFor(options: Wanted, terminal: Terminal): Promise<Wanted> {
  const answers = await terminal.ask([
    { question: "Data file", otherwise: SERVE_OPTIONS.source.default },
    { question: "Port", otherwise: String(options.port) },
    { question: "Rules file, made from the data", otherwise: "none" },
  ]);
  if (!answers) throw new StartError("Nothing was written.");
  const [data, given = "", rules] = answers;
  const port = /^\d+$/.test(given) ? Number(given) : given;
  if (!isAllowed(OPTIONS.port, port)) throw new StartError(`Port ${given}: it must be ${allowedValues(OPTIONS.port)}.`);
  return { ...options, data, port: port as Wanted["port"], rules: rules === "none" ? undefined : rules };
}

function configText({ data, port, rules }: Wanted): string {
  const schema = existsSync(SCHEMA) ? { $schema: SCHEMA } : {};
  return `${JSON.stringify({ ...schema, source: data, port, ...(rules !== undefined && { rules }) }, null, 2)}\n`;
}

/** Two config files would be refused by every later start; that of json-server is only passed over, and returned. */
function expectNoOther(overwrite: boolean): string | undefined {
  const found = findConfig(".", undefined);
  if (found === undefined || found === "json-server.json") return found;
  if (found !== CONFIG) throw new StartError(`${found} configures standin already. Change that, or delete it first.`);
  if (!overwrite) throw new StartError(`${CONFIG} already exists. Add --overwrite to replace it.`);
  return undefined;
}

function expectData(data: string): void {
  const kind = sourceKind(data);
  if (isMissingFile(data)) refuseMistyped(data);
  else if (kind !== "url" && kind !== "postgres" && !existsSync(data)) {
    throw new StartError(`${data} does not exist, and sample data is written to .json files only. Try --data db.json.`);
  }
}

interface AddedScripts {
  /** The new text of the file; undefined if it stays as it is. */
  readonly text?: string;
  readonly notes: readonly string[];
  /** The command that starts the server. */
  readonly start: string;
}

/** The text of a package.json with our scripts. Scripts of the same names stay, unless they are to be overwritten. */
function addScripts(file: string, overwrite: boolean): AddedScripts {
  if (!existsSync(file)) return { notes: ["There is no package.json, so no scripts were added"], start: "standin" };
  const before = readFileSync(file, "utf8");
  const content = parsed(before, file);
  const { scripts: present = {} } = content;
  if (!isJsonObject(present)) throw new StartError(`${file}: "scripts" must be an object.`);
  const taken = Object.keys(SCRIPTS).filter((name) => Object.hasOwn(present, name) && present[name] !== SCRIPTS[name]);
  const kept = overwrite ? [] : taken;
  const added = Object.entries(SCRIPTS).filter(([name, text]) => !kept.includes(name) && present[name] !== text);
  const start = kept.includes("mock") ? "npx standin" : "npm run mock";
  const notes = [
    ...kept.map((name) => `Kept the script ${name} of ${file}; --overwrite replaces it`),
    ...(added.length > 0 ? [`Added to the scripts of ${file}: ${added.map(([name]) => name).join(", ")}`] : []),
  ];
  if (added.length === 0) return { notes, start };
  const scripts = { ...present, ...Object.fromEntries(added) };
  return { text: inFormOf(before, { ...content, scripts }), notes, start };
}

function parsed(text: string, file: string): JsonObject {
  let content: Json;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch (thrown) {
    throw new StartError(`${file} is not valid JSON: ${messageOf(thrown)}. Correct it, or add --no-scripts.`);
  }
  if (!isJsonObject(content)) throw new StartError(`${file} must contain an object.`);
  return content;
}

/** Keeps the indentation and the line ends of the file, as package managers do. */
function inFormOf(before: string, content: JsonObject): string {
  const indentation = /^[ \t]+(?=")/m.exec(before)?.[0] ?? "  ";
  const text = `${JSON.stringify(content, null, indentation)}${before.endsWith("\n") ? "\n" : ""}`;
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

import type { OptionTable } from "../base/option.ts";
import { readIdKeys } from "../config/collections.ts";
import { DATA_OPTIONS } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { renderRules, StarterRules } from "../schema/rules/starter-rules.ts";
import { IdKeys } from "../store/id-keys.ts";
import { readSource, type SourceReadOptions } from "../store/sources/read-source.ts";
import { defineCommand } from "./define-command.ts";
import { onlySource } from "./only-source.ts";

const OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to infer rules from; also accepted after rules" },
  ranges: {
    name: "ranges",
    type: "boolean",
    default: false,
    help: "Add the ranges of numbers, text lengths and list sizes",
    only: "flag",
  },
  ...DATA_OPTIONS,
  quiet: { ...SERVE_OPTIONS.quiet, help: "Print only the rules" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin rules [source]`: prints a starter rules file that the data passes. */
export const rulesCommand = defineCommand({
  name: "rules",
  usage: "[source]",
  summary: "print rules (JSON Schema) that the data meets, as a starting point",
  help: [
    "standin rules [source]   print a rules file that the data meets, as a starting point",
    "",
    "Rules are a JSON Schema (2020-12) for each collection: types, required fields, formats, enums for strings with",
    "few different values, x-unique for keys, x-references for foreign keys. Edit the result: what the data happens",
    "to contain is not always required. Reads every record, in data of any size.",
  ],
  examples: ["standin rules > rules.json", "standin rules db.json --ranges"],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    const source = onlySource("rules", options, words);
    const notes: string[] = [];
    const progress = terminal.progress("reading", options.quiet ? 0 : 1);
    const text = await starterText(source, {
      ...readIdKeys(options),
      foreignKeySuffix: options.foreignKeySuffix,
      ranges: options.ranges,
      warn: (note) => notes.push(note),
      postgres: postgresSettings(options),
      onProgress: progress.update,
    }).finally(progress.end);
    terminal.print(text);
    if (!options.quiet) for (const note of notes) terminal.error(`  note ${note}`);
  },
});

interface StarterOptions extends SourceReadOptions {
  readonly foreignKeySuffix?: string | undefined;
  /** Adds the ranges of numbers, text lengths and list sizes. */
  readonly ranges?: boolean;
}

/** The text of a rules file that the data of a source meets. `warn` is told what rules cannot say as well. */
export async function starterText(source: string, options: StarterOptions): Promise<string> {
  const { foreignKeySuffix, ranges = false, ...reading } = options;
  const idKeys = IdKeys.from(reading);
  const starter = new StarterRules({
    idKeyOf: (name) => idKeys.of(name),
    foreignKeySuffix,
    ranges,
    note: reading.warn,
  });
  await readSource(source, reading, async (read) => {
    for await (const member of read()) {
      if (member.kind === "collection") await starter.addCollection(member.name, member.values);
      else if (member.kind === "singleton") starter.addSingleton(member.name, member.value);
    }
  });
  return renderRules(starter.finish());
}

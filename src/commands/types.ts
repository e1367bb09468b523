import type { OptionTable, Values } from "../base/option.ts";
import { atOnce } from "../base/slices.ts";
import { readIdKeys } from "../config/collections.ts";
import { DATA_OPTIONS } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { readRelations } from "../config/relations.ts";
import { describeStore } from "../schema/description/describe-store.ts";
import { csharpOf } from "../schema/description/types/csharp.ts";
import { type DescribedTypes, describeTypes } from "../schema/description/types/describe-types.ts";
import { typescriptOf } from "../schema/description/types/typescript.ts";
import { loadRules } from "../schema/rules/read-rules.ts";
import { openStore } from "../store/open-store.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { defineCommand } from "./define-command.ts";
import { onlySource } from "./only-source.ts";
import type { Terminal } from "./terminal.ts";

/** The options of the commands that describe data. */
export const DESCRIBE_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to infer types from; also accepted after types" },
  lang: {
    name: "lang",
    type: "string",
    default: "typescript",
    choices: ["typescript", "csharp"],
    placeholder: "<language>",
    help: "Language of the generated types",
    only: "flag",
  },
  rules: { ...SERVE_OPTIONS.rules, help: "Rules to take types from: choices, formats and required fields" },
  ...DATA_OPTIONS,
} as const satisfies OptionTable;

/** `standin types [source]`: prints types for the data, in TypeScript or C#. */
export const typesCommand = defineCommand({
  name: "types",
  usage: "[source]",
  summary: "print TypeScript types or C# records for the data",
  help: [
    "standin types [source]   print types for the data",
    "",
    "Infers the types from up to 1000 records of each collection.",
  ],
  examples: ["standin types > database.ts", "standin types db.json --lang csharp > Database.cs"],
  options: { ...DESCRIBE_OPTIONS, help: SERVE_OPTIONS.help },
  async run({ options, words, terminal }) {
    const source = onlySource("types", options, words);
    const write = options.lang === "csharp" ? csharpOf : typescriptOf;
    terminal.print(atOnce(write(await describeSource(source, options, terminal), withoutPassword(source))));
  },
});

/** The types of the data of a source, and of its rules if there are any. */
export async function describeSource(
  source: string,
  options: Omit<Values<typeof DESCRIBE_OPTIONS>, "source" | "lang">,
  terminal: Terminal,
): Promise<DescribedTypes> {
  const rules = options.rules === undefined ? undefined : loadRules(options.rules);
  const { foreignKeySuffix } = options;
  const naming = { foreignKeySuffix, relations: readRelations(options.relations, "relations") };
  const store = await openStore(source, {
    ...readIdKeys(options),
    durability: "process",
    followsOutside: false,
    memory: true,
    warn: (text) => terminal.error(`  warning ${text}`),
    postgres: { ...postgresSettings(options), mustExist: true },
  });
  try {
    return atOnce(describeTypes(await describeStore(store, naming, rules)));
  } finally {
    await store.close();
  }
}

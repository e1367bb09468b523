import type { OptionTable } from "../base/option.ts";
import { maskText } from "../base/secrets/mask-text.ts";
import { readCollections } from "../config/collections.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { CLIENT_MARK, type ClientData } from "../schema/description/client/client-data.ts";
import { csharpClient, expectNamespace } from "../schema/description/client/csharp-client.ts";
import { typescriptClient } from "../schema/description/client/typescript-client.ts";
import { commentText } from "../schema/description/types/remark.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { defineCommand } from "./define-command.ts";
import { onlySource } from "./only-source.ts";
import { DESCRIBE_OPTIONS, describeSource } from "./types.ts";
import { writeMadeFiles } from "./write-made-files.ts";

const OPTIONS = {
  ...DESCRIBE_OPTIONS,
  source: { ...DESCRIBE_OPTIONS.source, help: "Data to write a client for; also accepted after client" },
  lang: { ...DESCRIBE_OPTIONS.lang, help: "Language of the client" },
  namespace: {
    name: "namespace",
    type: "string",
    default: "Standin",
    placeholder: "<name>",
    help: "C#: namespace of the client",
    only: "flag",
  },
  out: {
    name: "out",
    type: "string",
    placeholder: "<file>",
    help: "File to write to (default: standard output)",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace a file that standin client did not make",
    only: "flag",
  },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin client [source]`: writes a typed client for the data, in TypeScript or C#. */
export const clientCommand = defineCommand({
  name: "client",
  usage: "[source]",
  summary: "write a typed client for the data, in TypeScript or C#",
  help: [
    "standin client [source]   write a typed client for the data: one file without dependencies",
    "",
    "Lists with conditions, order and pages; creates, replaces, updates and deletes records. Notices when somebody else",
    "has changed a record that it read. Works in a sandbox if told so. Types are those of standin types.",
  ],
  examples: [
    "standin client db.json --out src/client.ts",
    "standin client db.json --lang csharp --namespace Shop.Data --out StandinClient.cs",
  ],
  options: OPTIONS,
  async run({ options, words, terminal, argv }) {
    const { lang, namespace } = options;
    const source = onlySource("client", options, words);
    expectNamespace(namespace);
    const data: ClientData = {
      types: await describeSource(source, options, terminal),
      settings: readCollections(options.collections, options.id, "the config file"),
      source: commentText(withoutPassword(source)),
      command: commandOf(argv),
    };
    const text = lang === "csharp" ? csharpClient(data, namespace) : typescriptClient(data);
    const made = { files: new Map([["", `${text}\n`]]), command: "standin client", mark: CLIENT_MARK };
    await writeMadeFiles(made, options, terminal);
  },
});

/** The command as it was typed, for the first line of the client. */
function commandOf(argv: readonly string[]): string {
  const words = argv.map((word) => commentText(maskText(withoutPassword(word))));
  return [
    "standin client",
    ...words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))),
  ].join(" ");
}

import { atOnce } from "../base/slices.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { csharpOf } from "../schema/description/types/csharp.ts";
import { typescriptOf } from "../schema/description/types/typescript.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { defineCommand } from "./define-command.ts";
import { DESCRIBE_OPTIONS, describeSource } from "./describe-source.ts";
import { onlySource } from "./only-source.ts";

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

import { StartError } from "../base/errors.ts";
import { resolveTypesOptions } from "../config/commands/types-options.ts";
import { csharpOf } from "../features/description/types/csharp.ts";
import { typescriptOf } from "../features/description/types/typescript.ts";
import { refuseDocument } from "../features/openapi-source/served-source.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { describeSource } from "./describe-source.ts";
import { typesHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

/** `standin types [source]`: prints types for the data, in TypeScript or C#. */
export async function types(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words } = resolveTypesOptions(argv, process.cwd());
  if (options.help) return terminal.print(typesHelp());
  const [source = options.source, ...extra] = words;
  if (extra.length > 0) throw new StartError(`types reads one source, but was given ${words.length}.`);
  refuseDocument(source, "types");
  const write = options.lang === "csharp" ? csharpOf : typescriptOf;
  terminal.print(write(await describeSource(source, options, terminal), withoutPassword(source)));
}

import { resolveTypesOptions } from "../config/commands/types-options.ts";
import { readIdKeys } from "../config/id-keys.ts";
import { postgresSettings } from "../config/postgres-settings.ts";
import { StartError } from "../errors.ts";
import { describeStore } from "../features/description/description.ts";
import { csharpOf } from "../features/description/types/csharp.ts";
import { describeTypes } from "../features/description/types/describe-types.ts";
import { typescriptOf } from "../features/description/types/typescript.ts";
import { refuseDocument } from "../features/document/served-source.ts";
import { loadRules } from "../rules/load-rules.ts";
import { openStore } from "../store/open-store.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
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
  const rules = options.rules === undefined ? undefined : loadRules(options.rules);
  const store = await openStore(source, {
    ...readIdKeys(options),
    durability: "process",
    followsOutside: false,
    memory: true,
    warn: (text) => terminal.error(`  warning ${text}`),
    postgres: { ...postgresSettings(options), mustExist: true },
  });
  try {
    const description = await describeStore(store, options.foreignKeySuffix, rules);
    const write = options.lang === "csharp" ? csharpOf : typescriptOf;
    terminal.print(write(describeTypes(description), withoutPassword(source)));
  } finally {
    await store.close();
  }
}

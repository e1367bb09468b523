import { atOnce } from "../base/slices.ts";
import type { TypesOptions } from "../config/commands/types-options.ts";
import { readIdKeys } from "../config/id-keys.ts";
import { postgresSettings } from "../config/postgres-settings.ts";
import { describeStore } from "../features/description/description.ts";
import { type DescribedTypes, describeTypes } from "../features/description/types/describe-types.ts";
import { loadRules } from "../schema/rules/load-rules.ts";
import { openStore } from "../store/open-store.ts";
import type { Terminal } from "./terminal.ts";

type SourceOptions = Omit<TypesOptions, "source" | "lang" | "help">;

/** The types of the data of a source, and of its rules if there are any. */
export async function describeSource(
  source: string,
  options: SourceOptions,
  terminal: Terminal,
): Promise<DescribedTypes> {
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
    return atOnce(describeTypes(await describeStore(store, options.foreignKeySuffix, rules)));
  } finally {
    await store.close();
  }
}

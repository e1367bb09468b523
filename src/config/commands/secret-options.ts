import { StartError } from "../../base/errors.ts";
import type { OptionTable, Values } from "../../base/option.ts";
import { withDefaults } from "../defaults.ts";
import { parseFlags } from "../flags.ts";
import { SERVE_OPTIONS } from "../options.ts";

/** The options of `standin secret`. */
export const SECRET_OPTIONS = {
  prefix: {
    name: "prefix",
    type: "string",
    default: "key",
    placeholder: "<text>",
    help: "Prefix of the API key; csharp marks a .NET client",
    only: "flag",
  },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type SecretOptions = Values<typeof SECRET_OPTIONS>;

export function resolveSecretOptions(argv: readonly string[]): { options: SecretOptions; words: readonly string[] } {
  const { values, positionals } = parseFlags(argv, SECRET_OPTIONS);
  const options = withDefaults(SECRET_OPTIONS, values);
  if (!/^[a-zA-Z0-9-]{1,17}$/.test(options.prefix)) {
    throw new StartError(`--prefix ${options.prefix}: a prefix has 1 to 17 letters, digits and dashes.`);
  }
  return { options, words: positionals };
}

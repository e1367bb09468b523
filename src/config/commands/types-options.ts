import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { POSTGRES_OPTIONS } from "../postgres-options.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";

/** The options of `standin types`. */
export const TYPES_OPTIONS = {
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
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type TypesOptions = Values<typeof TYPES_OPTIONS>;

/** Resolves the options of `standin types`: the source comes from an argument or the server's config file. */
export function resolveTypesOptions(argv: readonly string[], folder: string): WithWords<TypesOptions> {
  return resolveWithServerFile(argv, folder, TYPES_OPTIONS);
}

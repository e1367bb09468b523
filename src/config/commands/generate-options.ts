import { StartError } from "../../errors.ts";
import type { OptionTable, Values } from "../../option.ts";
import { withDefaults } from "../defaults.ts";
import { parseFlags } from "../flags.ts";
import { SERVE_OPTIONS } from "../options.ts";

/** The options of `standin generate`. */
export const GENERATE_OPTIONS = {
  products: {
    name: "products",
    type: "integer",
    default: 100,
    min: 0,
    placeholder: "<count>",
    help: "Number of products",
    only: "flag",
  },
  companies: {
    name: "companies",
    type: "integer",
    default: 100,
    min: 1,
    placeholder: "<count>",
    help: "Number of companies; every product refers to one",
    only: "flag",
  },
  seed: {
    name: "seed",
    type: "integer",
    min: 0,
    placeholder: "<number>",
    help: "The same seed generates the same data",
    only: "flag",
  },
  force: {
    name: "force",
    type: "boolean",
    default: false,
    help: "Overwrite the file even while a server is using it",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace even a file that has no products and companies",
    only: "flag",
  },
  quiet: {
    name: "quiet",
    aliases: ["q"],
    type: "boolean",
    default: false,
    help: "Print only errors",
    only: "flag",
  },
  help: { name: "help", aliases: ["h"], type: "boolean", default: false, help: "Show this help", only: "flag" },
} as const satisfies OptionTable;

export type GenerateOptions = Values<typeof GENERATE_OPTIONS>;

export function resolveGenerateOptions(argv: readonly string[]): { options: GenerateOptions; file: string } {
  const { values, positionals } = parseFlags(argv, GENERATE_OPTIONS);
  const [file, ...extra] = positionals;
  if (extra.length > 0) throw new StartError(`generate writes one file, but was given ${positionals.length}.`);
  return { options: withDefaults(GENERATE_OPTIONS, values), file: file ?? SERVE_OPTIONS.source.default };
}

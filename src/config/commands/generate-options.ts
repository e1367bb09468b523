import { StartError } from "../../base/errors.ts";
import type { OptionTable, Values } from "../../base/option.ts";
import { loadConfigFile } from "../config-file.ts";
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
  rules: {
    name: "rules",
    type: "string",
    placeholder: "<file>",
    help: "Rules file: generate its collections instead of products and companies",
    only: "flag",
  },
  counts: {
    name: "counts",
    type: "strings",
    placeholder: "<name=count>",
    help: "With --rules: records per collection, comma-separated (default: 100); name=one writes a singleton",
    only: "flag",
  },
  config: { ...SERVE_OPTIONS.config, help: "With --rules: config file, for the names of primary keys" },
  id: { ...SERVE_OPTIONS.id, help: "With --rules: name of the primary key field" },
  collections: SERVE_OPTIONS.collections,
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

/** Flags that only one of the two ways to generate knows. */
const WITHOUT_RULES = ["products", "companies"] as const;
const WITH_RULES = ["counts", "config", "id"] as const;
/** Settings of the server that generated data must fit. */
const FROM_FILE = ["id", "collections"];

export function resolveGenerateOptions(
  argv: readonly string[],
  folder: string,
): { options: GenerateOptions; file: string } {
  const { values, positionals } = parseFlags(argv, GENERATE_OPTIONS);
  const [target, ...extra] = positionals;
  const isByRules = values.rules !== undefined;
  const unfit = (isByRules ? WITHOUT_RULES : WITH_RULES).find((name) => values[name] !== undefined);
  if (unfit !== undefined) {
    throw new StartError(
      isByRules
        ? `--${unfit} does not go with --rules. Write --counts ${unfit}=${values[unfit]}.`
        : `--${unfit} needs --rules <file>.`,
    );
  }
  if (extra.length > 0) throw new StartError(`generate writes one file, but was given ${positionals.length}.`);
  const file =
    isByRules && !values.help ? loadConfigFile(folder, values.config as string | undefined, SERVE_OPTIONS).values : {};
  const shared = Object.fromEntries(Object.entries(file).filter(([key]) => FROM_FILE.includes(key)));
  return {
    options: withDefaults(GENERATE_OPTIONS, { ...shared, ...values }),
    file: target ?? SERVE_OPTIONS.source.default,
  };
}

/** Reads `products=500,settings=one`. */
export function readCounts(given: readonly string[] = []): ReadonlyMap<string, number | "one"> {
  const counts = new Map<string, number | "one">();
  for (const text of given) {
    const [, name, count = ""] = /^(.+)=(\d+|one)$/s.exec(text.trim()) ?? [];
    if (name === undefined || Number(count) > Number.MAX_SAFE_INTEGER) {
      throw new StartError(`--counts ${text}: --counts expects names and numbers: --counts products=500,settings=one`);
    }
    if (counts.has(name)) throw new StartError(`--counts names ${name} twice.`);
    counts.set(name, count === "one" ? "one" : Number(count));
  }
  return counts;
}

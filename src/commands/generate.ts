import { randomInt } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { messageOf, StartError } from "../base/errors.ts";
import { realPath } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import type { OptionTable, Values } from "../base/option.ts";
import { readIdKeys } from "../config/collections.ts";
import { loadConfigFile } from "../config/config-file.ts";
import { withDefaults } from "../config/defaults.ts";
import { parseFlags } from "../config/flags.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { liveHolder } from "../store/file/lock.ts";
import { lostSource } from "../store/file/replaced/lost-files.ts";
import { IdKeys } from "../store/id-keys.ts";
import { readMembers } from "../store/postgres/load/read-members.ts";
import { defineCommand } from "./define-command.ts";
import { stopSignals } from "./signals.ts";

/** The collections of a generated file. */
const GENERATED = ["products", "companies"];
/** Larger files are not checked for being blank. */
const MAX_BLANK_BYTES = 4096;

const MAX_SEED = 2 ** 32;

const OPTIONS = {
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
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

type GenerateOptions = Values<typeof OPTIONS>;

/** Flags that only one of the two ways to generate knows. */
const WITHOUT_RULES = ["products", "companies"] as const;
const WITH_RULES = ["counts", "config", "id"] as const;
/** Settings of the server that generated data must fit. */
const FROM_FILE = ["id", "collections"];

/** `standin generate [file]`: writes random but coherent data to a file that is new or was generated before. */
export const generateCommand = defineCommand({
  name: "generate",
  usage: "[file]",
  summary: "write generated data to a file, following rules if given",
  help: [
    "standin generate [file] [options]   write generated data to a file (default db.json)",
    "",
    "Without --rules, writes products and companies. With --rules, writes the collections of a rules file; every record",
    "meets its rules: types, formats, patterns, ranges, enums, x-unique, x-references. Field names decide what values",
    "look like. If a rule cannot be met, nothing is written, and the message names the collection, field and rule.",
  ],
  examples: [
    "standin generate big.json --products 1000000 --companies 1000 --seed 1",
    "standin generate shop.json --rules rules.json --counts products=500,companies=50 --seed 1",
  ],
  options: OPTIONS,
  resolve: resolveGenerateOptions,
  async run({ options, file, terminal }) {
    const { seed, quiet, force, overwrite } = options;
    const work = options.rules === undefined ? reference(options) : await byRules(options, options.rules);
    const holder = force ? undefined : liveHolder(realPath(file));
    if (holder) {
      throw new StartError(
        `${file} is in use by a running standin (pid ${holder.pid}). Stop it first, or add --force.`,
      );
    }
    if (!overwrite) await expectReplaceable(file);
    const { writeDataset } = await import("../schema/generate/write-dataset.ts");
    const progress = terminal.progress("generating", quiet ? 0 : work.total);
    const stop = stopOnSignals();
    try {
      await writeDataset(file, await work.pieces(seed, progress.update), stop.signal);
    } catch (thrown) {
      throw new StartError(`${file} was not written: ${fileProblem(thrown)}`);
    } finally {
      stop.release();
      progress.end();
    }
    if (!quiet) terminal.print(`Wrote ${work.amount} to ${file}`);
  },
});

function resolveGenerateOptions(argv: readonly string[], folder: string): { options: GenerateOptions; file: string } {
  const { values, positionals } = parseFlags(argv, OPTIONS);
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
    options: withDefaults(OPTIONS, { ...shared, ...values }),
    file: target ?? SERVE_OPTIONS.source.default,
  };
}

/** Reads `products=500,settings=one`. */
function readCounts(given: readonly string[] = []): ReadonlyMap<string, number | "one"> {
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

/** Data to generate: how much, and its text. */
interface Work {
  readonly total: number;
  readonly amount: string;
  pieces(seed: number | undefined, onProgress: (done: number) => void): Promise<Iterable<string>>;
}

function reference({ products, companies }: GenerateOptions): Work {
  return {
    total: products + companies,
    amount: `${products} products and ${companies} companies`,
    async pieces(seed, onProgress) {
      const { generateDataset } = await import("../schema/generate/dataset.ts");
      return generateDataset({ products, companies, seed, onProgress });
    },
  };
}

async function byRules(options: GenerateOptions, file: string): Promise<Work> {
  const { loadRules } = await import("../schema/rules/read-rules.ts");
  const { countsFor, generateDatabase } = await import("../schema/generate/records/generate-database.ts");
  const rules = loadRules(file);
  const idKeys = IdKeys.from(readIdKeys(options));
  const all = countsFor(rules, readCounts(options.counts));
  const amounts = [...all].map(([name, count]) => (count === "one" ? name : `${count} ${name}`));
  return {
    total: [...all.values()].reduce<number>((sum, count) => sum + (count === "one" ? 1 : count), 0),
    amount: amounts.length === 0 ? "no collections" : amounts.join(", ").replace(/, (?=[^,]*$)/, " and "),
    pieces: (seed = randomInt(MAX_SEED), onProgress) =>
      generateDatabase({ rules, counts: all, idKeyOf: (name) => idKeys.of(name), seed, onProgress }),
  };
}

/** Ctrl+C stops between two pieces: the old file stays, and no temporary file is left behind. */
function stopOnSignals(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => controller.abort(new Error(`stopped by ${name}.`));
  for (const name of stopSignals()) process.once(name, stop);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of stopSignals()) process.off(name, stop);
    },
  };
}

/**
 * Throws a `StartError` unless generated data may replace the file: it is missing, empty, or has `products` and
 * `companies`. Reads it in pieces, because generated files can be larger than memory.
 */
export async function expectReplaceable(file: string): Promise<void> {
  const reason = await whyNot(file);
  if (reason === undefined) return;
  throw new StartError(
    `${file} does not look generated (${reason}), so it was not replaced. ` +
      "Name another file, or add --overwrite to replace it.",
  );
}

async function whyNot(file: string): Promise<string | undefined> {
  const lost = lostSource(file);
  if (lost !== undefined)
    return `it is missing, but a process that was killed while saving left its content in ${lost}`;
  if (isBlank(file)) return undefined;
  const names = new Set<string>();
  try {
    for await (const { name } of readMembers(file)) names.add(name);
  } catch (thrown) {
    return `it is not a data file: ${messageOf(thrown)}`;
  }
  const missing = GENERATED.filter((name) => !names.has(name));
  return names.size === 0 || missing.length === 0 ? undefined : `it has no ${missing.join(" and no ")}`;
}

function isBlank(file: string): boolean {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return bytes === 0 || (bytes <= MAX_BLANK_BYTES && readFileSync(file, "utf8").trim() === "");
}

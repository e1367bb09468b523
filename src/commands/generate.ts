import { randomInt } from "node:crypto";
import { messageOf, StartError } from "../base/errors.ts";
import { realPath } from "../base/files/atomic-write.ts";
import { type GenerateOptions, readCounts, resolveGenerateOptions } from "../config/commands/generate-options.ts";
import { readIdKeys } from "../config/id-keys.ts";
import { liveHolder } from "../store/file/lock.ts";
import { IdKeys } from "../store/id-keys.ts";
import { expectReplaceable } from "./expect-replaceable.ts";
import { generateHelp } from "./help.ts";
import { stopSignals } from "./signals.ts";
import { createTerminal } from "./terminal.ts";

const MAX_SEED = 2 ** 32;

/** `standin generate [file]`: writes random but coherent data to a file that is new or was generated before. */
export async function generate(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, file } = resolveGenerateOptions(argv, process.cwd());
  if (options.help) return terminal.print(generateHelp());
  const { seed, quiet, force, overwrite } = options;
  const work = options.rules === undefined ? reference(options) : await byRules(options, options.rules);
  const holder = force ? undefined : liveHolder(realPath(file));
  if (holder) {
    throw new StartError(`${file} is in use by a running standin (pid ${holder.pid}). Stop it first, or add --force.`);
  }
  if (!overwrite) await expectReplaceable(file);
  const { writeDataset } = await import("../schema/generate/write-dataset.ts");
  const progress = terminal.progress("generating", quiet ? 0 : work.total);
  const stop = stopOnSignals();
  try {
    await writeDataset(file, await work.pieces(seed, progress.update), stop.signal);
  } catch (thrown) {
    throw new StartError(`${file} was not written: ${messageOf(thrown)}`);
  } finally {
    stop.release();
    progress.end();
  }
  if (!quiet) terminal.print(`Wrote ${work.amount} to ${file}`);
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
  const { loadRules } = await import("../schema/rules/load-rules.ts");
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

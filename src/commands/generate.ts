import { realPath } from "../atomic-write.ts";
import { resolveGenerateOptions } from "../config/commands/generate-options.ts";
import { messageOf, StartError } from "../errors.ts";
import { liveHolder } from "../store/file/lock.ts";
import { expectReplaceable } from "./expect-replaceable.ts";
import { generateHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** `standin generate [file]`: writes random but coherent data to a file that is new or was generated before. */
export async function generate(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, file } = resolveGenerateOptions(argv);
  if (options.help) return terminal.print(generateHelp());
  const { products, companies, seed, quiet, force, overwrite } = options;
  const holder = force ? undefined : liveHolder(realPath(file));
  if (holder) {
    throw new StartError(`${file} is in use by a running standin (pid ${holder.pid}). Stop it first, or add --force.`);
  }
  if (!overwrite) await expectReplaceable(file);
  const { writeDataset } = await import("../generate/write-dataset.ts");
  const progress = terminal.progress("generating", quiet ? 0 : products + companies);
  const stop = stopOnSignals();
  try {
    await writeDataset(file, { products, companies, seed, onProgress: progress.update }, stop.signal);
  } catch (thrown) {
    throw new StartError(`${file} was not written: ${messageOf(thrown)}`);
  } finally {
    stop.release();
    progress.end();
  }
  if (!quiet) terminal.print(`Wrote ${products} products and ${companies} companies to ${file}`);
}

/** Ctrl+C stops between two pieces: the old file stays, and no temporary file is left behind. */
function stopOnSignals(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => controller.abort(new Error(`stopped by ${name}.`));
  for (const name of SIGNALS) process.once(name, stop);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}

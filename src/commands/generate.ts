import { realPath } from "../atomic-write.ts";
import { resolveGenerateOptions } from "../config/resolve.ts";
import { messageOf, StartError } from "../errors.ts";
import { liveHolder } from "../store/file/lock.ts";
import { expectReplaceable } from "./expect-replaceable.ts";
import { generateHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

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
  try {
    await writeDataset(file, { products, companies, seed, onProgress: progress.update }, abortedBySignal());
  } catch (thrown) {
    throw new StartError(`${file} was not written: ${messageOf(thrown)}`);
  } finally {
    progress.end();
  }
  if (!quiet) terminal.print(`Wrote ${products} products and ${companies} companies to ${file}`);
}

/** Ctrl+C ends the work between two pieces, so that the old file stays and no temporary one is left. */
function abortedBySignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => controller.abort(new Error(`stopped by ${name}.`)));
  }
  return controller.signal;
}

import { resolveGenerateOptions } from "../config/resolve.ts";
import { messageOf, StartError } from "../errors.ts";
import { generateHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

/** `standin generate [file]`: overwrites a data file with random but coherent data. */
export async function generate(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, file } = resolveGenerateOptions(argv);
  if (options.help) return terminal.print(generateHelp());
  const { products, companies, seed, quiet } = options;
  const { writeDataset } = await import("../generate/write-dataset.ts");
  const progress = terminal.progress("generating", quiet ? 0 : products + companies);
  try {
    await writeDataset(file, { products, companies, seed, onProgress: progress.update });
  } catch (thrown) {
    throw new StartError(`${file} cannot be written: ${messageOf(thrown)}`);
  } finally {
    progress.end();
  }
  if (!quiet) terminal.print(`Wrote ${products} products and ${companies} companies to ${file}`);
}

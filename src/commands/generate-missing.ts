import { existsSync } from "node:fs";
import { messageOf, StartError } from "../base/errors.ts";
import { realPath } from "../base/files/atomic-write.ts";
import { type JsonObject, parseJson } from "../base/json/json.ts";
import type { ServeOptions } from "../config/options.ts";
import { liveHolder } from "../store/file/lock.ts";
import { lostSource } from "../store/file/replaced/lost-files.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import type { Store } from "../store/store.ts";
import type { Terminal } from "./terminal.ts";

const REFERENCE = { products: 100, companies: 100 };
/** A first start makes the same data for everyone, so that the first commands of the README print what it shows. */
const FRESH_SEED = 16;

/**
 * Creates a missing data file with the generated reference dataset. With `--memory`, which never writes, the data is
 * served without a file. Undefined if nothing is missing.
 */
export async function generateMissing(
  { source, memory, quiet, seed = FRESH_SEED }: ServeOptions,
  terminal: Terminal,
): Promise<{ note: string; source: string | JsonObject } | undefined> {
  if (sourceKind(source) !== "file" || existsSync(source)) return undefined;
  // A killed server left the file under another name: opening the store restores it.
  if (lostSource(source) !== undefined) return undefined;
  // Another running server will write the file again; opening the store names that server.
  if (!memory && liveHolder(realPath(source))) return undefined;
  const amount = `${REFERENCE.products} products and ${REFERENCE.companies} companies`;
  if (memory) {
    const { generateDataset } = await import("../schema/generate/dataset.ts");
    const database = parseJson([...generateDataset({ ...REFERENCE, seed })].join("")) as JsonObject;
    return { note: `${source} does not exist; generated ${amount} in memory`, source: database };
  }
  const { generateDataset } = await import("../schema/generate/dataset.ts");
  const { writeDataset } = await import("../schema/generate/write-dataset.ts");
  if (!quiet) terminal.print(`  ${source} does not exist; creating it with generated data ...`);
  try {
    await writeDataset(source, generateDataset({ ...REFERENCE, seed }));
  } catch (thrown) {
    throw new StartError(`${source} cannot be created: ${messageOf(thrown)}`);
  }
  return { note: `${source} did not exist; created it with ${amount}`, source };
}

/** Fills a new database with the generated reference dataset; if several processes start, only one does. */
export async function generateIntoEmpty(store: Store): Promise<string[]> {
  if (!store.shared || store.members().length > 0) return [];
  const { generateDataset } = await import("../schema/generate/dataset.ts");
  const isMade = await store.shared.seed(
    () => parseJson([...generateDataset({ ...REFERENCE, seed: FRESH_SEED })].join("")) as JsonObject,
  );
  const amount = `${REFERENCE.products} products and ${REFERENCE.companies} companies`;
  return isMade ? [`the database was empty; generated ${amount}`] : [];
}

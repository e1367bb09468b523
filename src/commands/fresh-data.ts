import { existsSync } from "node:fs";
import { readClock } from "../base/clock-and-random.ts";
import type { ServeOptions } from "../config/options.ts";
import { sourceKind } from "../store/sources/source-kind.ts";

const REFERENCE = { products: 100, companies: 100 };
/** A first start makes the same data for everyone, so that the first commands of the README print what it shows. */
const FRESH_SEED = 16;

/** The text of the data for a new data file, in pieces, and what it contains in words. */
export interface FreshData {
  readonly amount: string;
  readonly pieces: Iterable<string>;
}

/** Whether a source is a data file that does not exist yet, and can be made. */
export function isMissingFile(source: string): boolean {
  return sourceKind(source) === "file" && /\.json[5c]?$/.test(source) && !existsSync(source);
}

/** Generates the reference dataset, or a sample. */
export async function freshData({
  seed = FRESH_SEED,
  sample,
  clock,
}: Partial<Pick<ServeOptions, "seed" | "sample" | "clock">> = {}): Promise<FreshData> {
  if (sample === "shop") {
    const { generateShop, SHOP_WORDS } = await import("../schema/generate/sample-shop.ts");
    const now = readClock(clock);
    const shop = generateShop({ seed, now: typeof now === "number" ? now : Date.now() });
    return { amount: SHOP_WORDS, pieces: [JSON.stringify(shop, null, 2), "\n"] };
  }
  const { generateDataset } = await import("../schema/generate/dataset.ts");
  const amount = `${REFERENCE.products} products and ${REFERENCE.companies} companies`;
  return { amount, pieces: generateDataset({ ...REFERENCE, seed }) };
}

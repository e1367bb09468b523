import { existsSync } from "node:fs";
import { createRandom, readClock } from "../base/clock-and-random.ts";
import type { ServeOptions } from "../config/options.ts";
import { sourceKind } from "../store/sources/source-kind.ts";

/** The shop of the console's start page, which offers this number of records, too. */
const SHOP = { template: "shop", count: 120, idKey: "id", suffix: "_id" } as const;
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
    const { sampleData } = await import("../schema/generate/sample-data.ts");
    const read = readClock(clock);
    const now = typeof read === "number" ? read : Date.now();
    const made = sampleData({ ...SHOP, now, random: createRandom(seed) });
    const shop = Object.fromEntries(made.map(({ name, records }) => [name, records]));
    const amount = `a shop with ${shop.products?.length} products and ${shop.orders?.length} orders`;
    return { amount, pieces: [JSON.stringify(shop, null, 2), "\n"] };
  }
  const { generateDataset } = await import("../schema/generate/dataset.ts");
  const amount = `${REFERENCE.products} products and ${REFERENCE.companies} companies`;
  return { amount, pieces: generateDataset({ ...REFERENCE, seed }) };
}

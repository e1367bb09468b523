import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { readClock } from "../base/clock.ts";
import { StartError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { createRandom } from "../base/random.ts";
import { SERVE_OPTIONS, type ServeOptions } from "../config/options.ts";
import { headOfFile } from "../store/file/file-content.ts";
import { isDataName } from "../store/file/formats/formats.ts";
import { isApiDocument } from "../store/sources/recognise-document.ts";
import { sourceKind } from "../store/sources/source-kind.ts";

/** The shop of the console's start page, which offers this number of records, too. */
const SHOP = { template: "shop", count: 120, idKey: "id", suffix: "_id" } as const;
const REFERENCE = { products: 100, companies: 100 };
/** A first start makes the same data for everyone, so that the first commands of the README print what it shows. */
const FRESH_SEED = 16;

const DEFAULT_NAME = SERVE_OPTIONS.source.default;
/** A list of objects with ids, in JSON or YAML. */
const RECORDS = /\[\s*\{(?:[^[\]]*?[\s{,"'])?_?id["']?\s*:|^\s*-\s+["']?_?id["']?\s*:/m;
const PEEKED_BYTES = 16 * 1024;
const MAX_NAMED = 5;

/** The text of the data for a new data file, in pieces, and what it contains in words. */
export interface FreshData {
  readonly amount: string;
  readonly pieces: Iterable<string>;
}

/** Whether a source is a data file that does not exist yet, and can be made. */
export function isMissingFile(source: string): boolean {
  return sourceKind(source) === "file" && /\.json[5c]?$/.test(source) && !existsSync(source);
}

/** Refuses to make a data file beside others that can be served: its name is a typing mistake more often than not. */
export function refuseMistyped(source: string): void {
  const name = basename(source);
  const others = name === DEFAULT_NAME ? [] : sourcesIn(dirname(source));
  if (others.length === 0) return;
  const stem = nearest(stemOf(name), others.map(stemOf));
  const meant = others.find((other) => stemOf(other) === stem) ?? others.find((other) => other === DEFAULT_NAME);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new StartError(
    `${source} does not exist; beside it there ${others.length === 1 ? "is" : "are"} ${others.slice(0, MAX_NAMED).join(", ")}.${hint} To create it with generated data: standin generate ${source}`,
  );
}

function stemOf(name: string): string {
  return name.slice(0, -extname(name).length);
}

/** The files of a folder that can be served. Configuration is JSON, too, but has no list of records. */
function sourcesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => {
    const file = join(folder, name);
    if (!isDataName(name) || sourceKind(file) !== "file") return false;
    return name === DEFAULT_NAME || isApiDocument(file) || RECORDS.test(headOfFile(file, PEEKED_BYTES) ?? "");
  });
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

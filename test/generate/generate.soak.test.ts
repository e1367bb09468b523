import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, runCli } from "../support/cli.ts";
import { tellNumbers } from "../support/tell-numbers.ts";

test("1,000,000 products are generated in a heap of 24 MB, and every one refers to a company", async () => {
  const folder = createFolder();
  const args = ["generate", "big.json", "--products", "1000000", "--companies", "1000", "--seed", "1"];
  const run = runCli(args, folder, { NODE_OPTIONS: "--max-old-space-size=24" });
  expect(await run.exit, run.output.stderr).toBe(0);
  const file = join(folder, "big.json");
  expect(statSync(file).size).toBeGreaterThan(100_000_000);
  const { products, companies } = JSON.parse(readFileSync(file, "utf8"));
  expect([products.length, companies.length]).toEqual([1_000_000, 1000]);
  const isWrong = (product: { id: number; company_id: number }, index: number) =>
    product.id !== index + 1 || product.company_id < 1 || product.company_id > 1000;
  expect(products.filter(isWrong)).toEqual([]);
  tellNumbers(`${products.length} products in ${statSync(file).size} bytes, generated in a heap of 24 MB.`);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

interface Shop {
  readonly products: readonly { readonly image: string; readonly status: string; readonly category_id: number }[];
  readonly orders: readonly { readonly placed_at: string; readonly total: number; readonly status: string }[];
}

test("--sample shop creates a missing file whose dates lead up to the clock, and no other", async () => {
  const folder = createFolder();
  const clock = "2031-05-01T12:00:00Z";
  const served = await serveKept(["shop.json", "--sample", "shop", "--clock", clock], folder);
  const shop = JSON.parse(readFileSync(join(folder, "shop.json"), "utf8")) as Shop;
  expect(await (await fetch(`${served.url}/db`)).json()).toEqual(shop);
  await served.stop();
  expect(Object.keys(shop)).toEqual(["categories", "products", "customers", "orders"]);
  const times = shop.orders.map(({ placed_at }) => Date.parse(placed_at));
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.parse(clock));
  expect(Math.min(...times)).toBeGreaterThan(Date.parse(clock) - 91 * 86_400_000);
  expect(new Set(shop.orders.map(({ status }) => status)).size).toBe(5);
  for (const { image } of shop.products) expect(image).toMatch(/^data:image\/svg\+xml,%3Csvg [^<>#"]+$/);

  const run = runKept(["shop.json", "--sample", "shop", "--port", "0"], folder);
  expect(await run.exit).toBe(1);
  expect(run.output.stderr).toContain("--sample shop is for a new data file");
});

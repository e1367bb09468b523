import type { Page } from "playwright-core";
import { askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { openConsole } from "./browser.ts";
import { serveForFile } from "./serve.ts";

const RULES = { products: { properties: { price: { type: "number", minimum: 0 } } } };
const FILES = { "db.json": catalog(), "rules.json": RULES };
export const serve = serveForFile(["--rules", "rules.json"], FILES);

/** The console on the products, and ways to look at them. */
export async function openProducts(provokes: readonly number[] = []) {
  const url = await serve();
  const page = await openConsole(url, { at: "/data/products", provokes });
  const ask = (line: string, body?: unknown) => askAt(url, line, body === undefined ? {} : { body });
  const product = async (id: number) => (await ask(`GET /products/${id}`)).body;
  await page.getByText("Steel Hat").waitFor();
  return { page, ask, product };
}

export const cell = (page: Page, id: number, field: string) =>
  page.locator(`tr:has([data-field=id] a:text-is("${id}")) [data-field=${field}]`);
const toast = (page: Page) => page.locator(".toast");
export const undo = (page: Page) => toast(page).getByRole("button", { name: "Undo" }).click();
export const choose = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true }).click();

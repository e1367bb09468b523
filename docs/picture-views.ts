import type { Page } from "playwright-core";

/** A view to take a picture of. */
export interface View {
  /** Where it is in the console. */
  readonly at: string;
  /** The sandbox that it is inside of. */
  readonly sandbox?: string;
  /** Resolves when all that the view waits for is there. */
  show(page: Page): Promise<void>;
}

const link = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().waitFor();
};

const products = "#/data/products?price:gte=40&_sort=-price";

export const VIEWS = {
  overview: { at: "#/", show: link("main h1") },
  data: { at: products, show: link("tbody a") },
  groups: { at: "#/data/products?_group=company_id&_aggregate=sum:price", show: link("tbody .bar") },
  record: { at: "#/data/products/7", show: (page) => page.getByText("Related").first().waitFor() },
  new: { at: "#/new/products", show: link("dialog input") },
  request: {
    at: "#/request",
    async show(page) {
      await page.getByLabel("Path").fill("/products?category=lamp&price:lte=200&_sort=-price&_limit=3");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".response-line").waitFor();
    },
  },
  traffic: { at: "#/traffic", show: link(".entries tbody tr") },
  lab: { at: "#/lab", show: (page) => page.getByText("checkout-redesign").first().waitFor() },
  snapshots: { at: "#/snapshots", show: (page) => page.getByText("before-the-sale").first().waitFor() },
  comparison: { at: "#/snapshots/before-the-sale", show: link(".change") },
  docs: { at: "#/docs", show: link(".docs-index a") },
  operation: {
    at: "#/docs/listProduct",
    async show(page) {
      await page.getByRole("button", { name: "price_gte" }).click();
      await page.getByLabel("price_gte", { exact: true }).fill("100");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".response-line").waitFor();
      await page.locator(".docs-page").evaluate((page_) => page_.scrollTo(0, 0));
    },
  },
  schema: { at: "#/docs/schemas/Product", show: link(".docs-operation h2") },
} as const satisfies Record<string, View>;

export type ViewName = keyof typeof VIEWS;

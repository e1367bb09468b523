import type { Page } from "playwright-core";

/** A view to take a picture of. */
export interface View {
  /** Where it is in the console. */
  readonly at: string;
  /** The sandbox that it is inside of. */
  readonly sandbox?: string;
  /** Taken of a server without data. */
  readonly isEmpty?: boolean;
  /** Resolves when all that the view waits for is there. */
  show(page: Page): Promise<void>;
}

const link = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().waitFor();
};

/** Opens the change of the agent by its address: customers push it down the list, and out of it. */
async function openAgentsChange(page: Page): Promise<void> {
  const found = await page.request.get(new URL("/__history?by=agent:claude&limit=1", page.url()).href);
  const { versions } = (await found.json()) as { versions: { version: number }[] };
  await page.evaluate(`location.hash = "#/history/${versions[0]?.version}"`);
  await page.locator(".version[aria-current]", { hasText: "agent:" }).waitFor();
}

const products = "#/data/products?price:gte=40&_sort=-price&_fields=id,image,name,category,price,featured,company_id";

export const VIEWS = {
  overview: {
    at: "#/",
    async show(page) {
      await page.locator("main h1").waitFor();
      await page.getByText("Loading the requests").waitFor({ state: "detached" });
    },
  },
  start: { at: "#/", isEmpty: true, show: link("main h1") },
  data: { at: products, show: link("tbody a") },
  column: {
    at: products,
    async show(page) {
      await page.getByRole("button", { name: "Column price" }).first().click();
      await page.locator(".histogram button").first().waitFor();
    },
  },
  selection: {
    at: products,
    async show(page) {
      for (const row of [0, 1, 3]) await page.locator("tbody input[type=checkbox]").nth(row).check();
    },
  },
  row: {
    at: products,
    async show(page) {
      await page.locator("tbody td").nth(3).click({ button: "right" });
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  groups: { at: "#/data/products?_group=company_id&_aggregate=sum:price", show: link("tbody .bar") },
  gallery: { at: "#/data/products?_view=gallery", show: link(".gallery img") },
  board: { at: "#/data/orders?_view=board:status", show: link(".board-region a") },
  map: { at: "#/data/companies?_view=map", show: link("main svg") },
  filter: {
    at: products,
    async show(page) {
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.locator(".popover:popover-open").first().waitFor();
    },
  },
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
  traffic: {
    at: "#/traffic",
    async show(page) {
      await page.getByRole("button", { name: "1 min" }).click();
      await page.locator(".entries tbody tr").first().waitFor();
    },
  },
  waterfall: {
    at: "#/traffic",
    async show(page) {
      await page.getByRole("button", { name: "Waterfall" }).click();
      await page.getByRole("button", { name: "Earlier burst" }).click();
      await page.getByRole("button", { name: "Earlier burst" }).scrollIntoViewIfNeeded();
    },
  },
  entry: {
    at: "#/traffic",
    async show(page) {
      await page.getByText("/api/v1/products?").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  lab: { at: "#/lab", show: (page) => page.getByText("checkout-redesign").first().waitFor() },
  fault: {
    at: "#/lab",
    async show(page) {
      await page.getByRole("button", { name: "New fault", exact: true }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  changes: {
    at: "#/lab",
    async show(page) {
      const item = page.getByRole("listitem").filter({ hasText: "checkout-redesign" });
      await item.getByRole("button", { name: "Compare" }).first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  sandbox: { at: products, sandbox: "checkout-redesign", show: link("tbody a") },
  snapshots: { at: "#/snapshots", show: (page) => page.getByText("before-the-sale").first().waitFor() },
  comparison: { at: "#/snapshots/before-the-sale", show: link(".change") },
  history: {
    at: "#/history",
    async show(page) {
      await openAgentsChange(page);
      await page.locator(".change").first().waitFor();
    },
  },
  past: {
    at: "#/history",
    async show(page) {
      await openAgentsChange(page);
      await page.getByRole("button", { name: "Open at this moment" }).click();
      await page.locator("tbody a").first().waitFor();
    },
  },
  versions: {
    at: "#/data/products/7",
    async show(page) {
      await page.getByRole("dialog").getByRole("button", { name: "History", exact: true }).click();
      await page.locator(".change").first().waitFor();
    },
  },
  recording: { at: "#/record", show: link("main h1") },
  hooks: { at: "#/hooks", show: link("main h1") },
  agents: { at: "#/agents", show: link(".agent-card") },
  examples: { at: "#/examples", show: link("main h1") },
  docs: { at: "#/docs", show: link(".docs-index a") },
  operation: {
    at: "#/docs/listProduct",
    async show(page) {
      await page.getByRole("button", { name: "price:gte" }).click();
      await page.getByLabel("price:gte", { exact: true }).fill("100");
      await page.getByRole("button", { name: "Send" }).click();
      await page.locator(".response-line").waitFor();
      await page.evaluate('document.querySelectorAll("main, .docs-page").forEach((place) => place.scrollTo(0, 0))');
    },
  },
  schema: { at: "#/docs/schemas/Product", show: link(".docs-operation h2") },
  palette: {
    at: "#/",
    async show(page) {
      await page.locator("main h1").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("pro");
    },
  },
  sandboxes: {
    at: "#/",
    async show(page) {
      await page.locator("main h1").waitFor();
      await page.locator(".switcher").click();
    },
  },
} as const satisfies Record<string, View>;

export type ViewName = keyof typeof VIEWS;

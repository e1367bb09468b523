import { test as base, expect } from "@playwright/test";

/** What the vitest test that runs these says of the server. */
const SERVER = process.env.STANDIN_URL as string;

interface Fixtures {
  /** Its own for every test: named by a header, a cookie or the path in turn. */
  readonly sandbox: { readonly name: string; readonly page: string };
}

const test = base.extend<Fixtures>({
  sandbox: async ({ context }, use, testInfo) => {
    const name = `${testInfo.testId}-${testInfo.repeatEachIndex}-${testInfo.workerIndex}`;
    const way = testInfo.repeatEachIndex % 3;
    if (way === 0) await context.setExtraHTTPHeaders({ "X-Standin-Sandbox": name });
    if (way === 1) await context.addCookies([{ name: "standin-sandbox", value: name, url: SERVER }]);
    await use({ name, page: way === 2 ? `${SERVER}/__sandbox/${name}/shop.html` : `${SERVER}/shop.html` });
    const gone = await fetch(`${SERVER}/__sandboxes/${name}`, { method: "DELETE" });
    expect(gone.status).toBe(200);
  },
});

test("creates, edits and deletes the ids that everyone else creates, edits and deletes", async ({ page, sandbox }) => {
  await page.goto(sandbox.page);
  const items = page.locator("li");
  await expect(items).toHaveCount(3);
  for (const [position, name] of ["Cap", "Bag", "Pen"].entries()) {
    await page.getByLabel("name").fill(`${name} of ${sandbox.name}`);
    await page.getByRole("button", { name: "Add" }).click();
    // The next id is the same for all of them.
    await expect(page.locator(`#product-${4 + position} span`)).toHaveText(`${name} of ${sandbox.name}`);
  }
  for (const id of [1, 4]) {
    const before = await page.locator(`#product-${id} span`).textContent();
    await page.locator(`#product-${id} .rename`).click();
    await expect(page.locator(`#product-${id} span`)).toHaveText(`${before}, renamed`);
  }
  for (const id of [2, 5]) {
    await page.locator(`#product-${id} .remove`).click();
    await expect(page.locator(`#product-${id}`)).toHaveCount(0);
  }
  await page.reload();
  await expect(page.locator("li span")).toHaveText([
    "Hat, renamed",
    "Pot",
    `Cap of ${sandbox.name}, renamed`,
    `Pen of ${sandbox.name}`,
  ]);
});

test("sees the data of the start, whatever the others do meanwhile", async ({ page, sandbox }) => {
  await page.goto(sandbox.page);
  for (let round = 0; round < 3; round++) {
    await expect(page.locator("li span")).toHaveText(["Hat", "Mug", "Pot"]);
    await page.reload();
  }
});

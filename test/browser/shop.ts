import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Uses the page of `shop.html` as a person would, in a sandbox of that name. */
export type Scenario = (page: Page, sandbox: string) => Promise<void>;

/** Creates, edits and deletes the ids that everyone else creates, edits and deletes. */
const changesEverything: Scenario = async (page, sandbox) => {
  const textOf = (id: number) => page.locator(`#product-${id} span`).textContent();
  await expect.poll(() => page.locator("li").count()).toBe(3);
  for (const [position, name] of ["Cap", "Bag", "Pen"].entries()) {
    await page.getByLabel("name").fill(`${name} of ${sandbox}`);
    await page.getByRole("button", { name: "Add" }).click();
    // The next id is the same for all of them.
    await expect.poll(() => textOf(4 + position)).toBe(`${name} of ${sandbox}`);
  }
  for (const id of [1, 4]) {
    const before = await textOf(id);
    await page.locator(`#product-${id} .rename`).click();
    await expect.poll(() => textOf(id)).toBe(`${before}, renamed`);
  }
  for (const id of [2, 5]) {
    await page.locator(`#product-${id} .remove`).click();
    await expect.poll(() => page.locator(`#product-${id}`).count()).toBe(0);
  }
  await page.reload();
  await expect
    .poll(() => page.locator("li span").allTextContents())
    .toEqual(["Hat, renamed", "Pot", `Cap of ${sandbox}, renamed`, `Pen of ${sandbox}`]);
};

/** Sees the data of the start, whatever the others do meanwhile. */
const seesTheStart: Scenario = async (page) => {
  for (let round = 0; round < 4; round++) {
    if (round > 0) await page.reload();
    await expect.poll(() => page.locator("li span").allTextContents()).toEqual(["Hat", "Mug", "Pot"]);
  }
};

export const SCENARIOS: readonly Scenario[] = [changesEverything, seesTheStart];

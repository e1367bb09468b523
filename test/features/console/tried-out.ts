import type { Locator, Page } from "playwright-core";

/** An operation of the page, opened. */
export async function operation(page: Page, method: string, path: string): Promise<Locator> {
  const block = page
    .locator(`.opblock-${method}`)
    .filter({ has: page.locator(`.opblock-summary-path[data-path="${path}"]`) });
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Try it out" }).click();
  return block;
}

/** Sends what was filled in; gives back status and body as the page shows them. */
export async function execute(block: Locator): Promise<[status: string, body: string]> {
  await block.getByRole("button", { name: "Execute" }).click();
  const answer = block.locator(".live-responses-table .response");
  const status = await answer.locator(".response-col_status").innerText();
  return [status.trim(), await answer.locator(".highlight-code pre").first().innerText()];
}

/** Any input draws all that is open anew: what is closed costs no more. */
export async function close(block: Locator): Promise<void> {
  await block.locator(".opblock-summary-control").click();
  await block.locator(".opblock-body").waitFor({ state: "detached" });
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { createFolder } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { copyProject } from "../support/reader.ts";
import { serveStatic } from "../support/static-server.ts";
import { standin } from "./demo-site.ts";
import { inChromium } from "./worker-site.ts";

const EXAMPLE = "examples/components-page";

inChromium("each story of the example shows its components with data of its own", async () => {
  const started = await sharedChromium();
  if (started.kind === "none") throw new Error(started.reason);
  const folder = createFolder();
  copyProject(EXAMPLE, folder);
  const { scripts } = JSON.parse(readFileSync(join(EXAMPLE, "package.json"), "utf8")) as { scripts: { build: string } };
  const [program, cli, ...args] = scripts.build.split(" ");
  expect([program, cli]).toEqual(["node", "../../dist/cli.js"]);
  await standin(args, folder);
  const { url, close } = await serveStatic(join(folder, "page"), "/repo");
  const profile = await started.browser.newContext();
  profile.setDefaultTimeout(limit(30_000));
  onTestFinished(async () => {
    await profile.close();
    close();
  });
  const page = await profile.newPage();
  const shown = () => page.locator("main li").allTextContents();

  await page.goto(`${url}/`);
  await page.getByText("Clay Pot: 12.75").waitFor();
  expect(await shown()).toEqual(["Clay Mug: 8.45", "Linen Towel: 9.90", "Clay Pot: 12.75"]);
  await page.getByLabel("Name").fill("Clay Bowl");
  await page.getByLabel("Price").fill("1");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("Clay Bowl: 1.00").waitFor();

  await page.getByRole("link", { name: "A broken server" }).click();
  await page.getByText("The products cannot be loaded (503).").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Clay Mug: 8.45").waitFor();
  expect(await shown()).toHaveLength(3);

  await page.getByRole("link", { name: "No products" }).click();
  await page.getByText("No products yet").waitFor();
});

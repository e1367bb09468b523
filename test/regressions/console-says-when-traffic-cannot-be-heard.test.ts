import { expect } from "vitest";
import { inBrowserWithServer, openConsole } from "../features/console/browser.ts";
import { serveForTest } from "../features/console/serve.ts";
import { createFolder } from "../support/cli.ts";

inBrowserWithServer("a server that is away has not had no requests", async () => {
  const { url, stop } = await serveForTest(["--memory"], createFolder({ "db.json": { notes: [{ id: 1 }] } }));
  const page = await openConsole(url, { at: "/traffic", losesServer: true });
  await page.getByText("No requests yet").waitFor();
  await stop();
  await page.getByText("The server cannot be reached").waitFor();
  expect(await page.getByText("No requests yet").count()).toBe(0);
});

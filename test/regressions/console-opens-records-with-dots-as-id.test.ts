import { expect } from "vitest";
import { inBrowser, openConsole } from "../features/console/browser.ts";
import { serveForTest } from "../features/console/serve.ts";
import { createFolder } from "../support/cli.ts";

const DATA = {
  places: [
    { id: "..", name: "Above" },
    { id: ".", name: "Here" },
    { id: "...", name: "Beyond" },
  ],
  visits: [{ id: 1, placeId: ".." }],
};

const OPENED = [
  ["..", "Above"],
  ["...", "Beyond"],
] as const;

inBrowser("ids of one or two dots open from the list, by their address and as a parent", async () => {
  const { url } = await serveForTest(["--memory"], createFolder({ "db.json": DATA }));
  const page = await openConsole(url, { at: "/data/places" });
  await page.getByText("Above").click();
  for (const [id, name] of OPENED) {
    await page.goto(`${url}/__console#/data/places/${id}`);
    const dialog = page.getByRole("dialog", { name: `places / ${id}`, exact: true });
    await dialog.waitFor();
    await expect.poll(() => dialog.getByRole("textbox", { name: "name", exact: true }).inputValue()).toBe(name);
    // No browser can send a request for "." or "..", so nothing offers to.
    expect(await dialog.getByRole("button", { name: "Delete" }).count()).toBe(id === "..." ? 1 : 0);
    expect(await dialog.getByText("--path-as-is").count()).toBe(id === "..." ? 0 : 1);
  }
  await page.goto(`${url}/__console#/data/visits/1`);
  await page.getByRole("dialog", { name: "visits / 1" }).getByText("Above").waitFor();
});

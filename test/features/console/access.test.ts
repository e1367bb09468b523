import { describe, expect } from "vitest";
import { createFolder } from "../../support/cli.ts";
import { inBrowserWithServer, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForTest } from "./serve.ts";

const FILES = {
  "db.json": {
    users: [
      { id: 1, email: "ann@shop.test", roles: [] },
      { id: 2, email: "eve@shop.test", roles: ["admin"] },
    ],
    orders: [
      { id: 1, user_id: 1, total: 20 },
      { id: 2, user_id: 2, total: 35 },
    ],
    tags: [{ id: 1 }],
  },
  "standin.json": {
    source: "db.json",
    middlewares: ["sign-in"],
    layers: {
      "sign-in": {
        users: "users",
        name: "email",
        claims: { roles: "roles" },
        audience: "shop",
        clients: [{ id: "web", redirectUris: ["http://localhost:5173/"] }],
      },
    },
    access: { orders: { owner: "user_id", read: "owner", write: "owner", admin: "all" } },
  },
};

describe("access in the console", () => {
  inBrowserWithServer("it says who may do what, and shows the data as Ann", async () => {
    const { url } = await serveForTest([], createFolder(FILES));
    const page = await openConsole(url, { provokes: [401, 403] });
    const dialog = page.getByRole("dialog", { name: "Please log in" });
    await dialog.getByLabel("Email").fill("eve@shop.test");
    await dialog.getByRole("button", { name: "Continue" }).click();
    const card = page.getByRole("region", { name: "Who may see what" });
    await card.getByText("You see the data as eve@shop.test (admin).").waitFor();
    await card.getByText("read: owner (user_id), admins").waitFor();
    await card.getByText(/For admins, since no rule lists them: .*tags/).waitFor();
    await page.getByText("3 collections, 5 records").waitFor();
    const users = page.getByRole("region", { name: "Users" });
    await users.getByText("eve@shop.test").waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await users.getByRole("button", { name: "Token of ann@shop.test" }).click();
    await users.getByText("Copied").waitFor();
    const token = await page.evaluate(() => navigator.clipboard.readText());
    const orders = await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await orders.json()).toEqual([{ id: 1, user_id: 1, total: 20 }]);
    await card.getByLabel("Look as").fill("ann@shop.test");
    await card.getByRole("button", { name: "Look", exact: true }).click();
    await card.getByText("You see the data as ann@shop.test.").waitFor();
    await page.getByText("3 collections, 2 records").waitFor();
  });
});

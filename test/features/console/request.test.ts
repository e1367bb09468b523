import { describe, expect } from "vitest";
import { catalog } from "../../support/catalog.ts";
import { inBrowser, inBrowserAtLength, openConsole, problemsOnTheWay } from "./browser.ts";
import { serveForFile } from "./serve.ts";

const serve = serveForFile([], { "db.json": catalog() });

describe("the request view", () => {
  inBrowser("takes an address as it is typed, sends a body by Ctrl+Enter, and keeps both on a reload", async () => {
    const page = await openConsole(await serve(), { at: "/request" });
    const path = page.getByLabel("Path");
    await path.fill("");
    await path.pressSequentially("/products?price:gt=10&_sort=-price");
    await page.keyboard.press("Enter");
    const response = page.getByRole("region", { name: "Response" });
    await response.getByText("200", { exact: true }).waitFor();
    expect(await path.inputValue()).toBe("/products");
    expect(await page.getByLabel("Name of parameter 1").inputValue()).toBe("price:gt");
    expect(await page.getByLabel("Value of parameter 2").inputValue()).toBe("-price");

    await page.getByLabel("Method").selectOption("POST");
    await path.fill("/companies");
    // The focus stays near when the row that has it is removed, and goes into a row that is added.
    await page.getByRole("button", { name: "Remove parameter 1" }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Remove parameter 1");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Add a parameter");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Name of parameter 1");
    await page.getByRole("button", { name: "Remove parameter 1" }).click();
    await page.getByLabel("Body", { exact: true }).fill('{ "name": "Sent by keys" }');
    await page.keyboard.press("Control+Enter");
    await response.getByText("201", { exact: true }).waitFor();

    const address = page.url();
    await page.reload();
    expect(await page.getByLabel("Body", { exact: true }).inputValue()).toBe('{ "name": "Sent by keys" }');
    // The address alone is enough, as in the browser of someone else.
    await page.evaluate("sessionStorage.clear()");
    await page.goto("about:blank");
    await page.goto(address);
    expect(await page.getByLabel("Body", { exact: true }).inputValue()).toBe('{ "name": "Sent by keys" }');
    expect(await page.getByLabel("Method").inputValue()).toBe("POST");
  });

  inBrowserAtLength(
    "lists what was sent and saved, completes names, and shows responses as tables and changes",
    async () => {
      const url = await serve();
      const page = await openConsole(url, { at: "/request?address=/companies" });
      const response = page.getByRole("region", { name: "Response" });
      const send = page.getByRole("button", { name: "Send", exact: true });
      await page.getByRole("button", { name: "Add a header" }).click();
      await page.getByLabel("Name of header 1").fill("Authorization");
      await page.getByLabel("Value of header 1").fill("Bearer mine");
      await page.getByRole("button", { name: "Add a header" }).click();
      await page.getByLabel("Value of header 2").fill("ключ");
      await page.getByText("A header without a name is not sent.").waitFor();
      for (const [name, told] of [
        ["my key", "“my key” cannot name a header."],
        ["X-Key", "The value of X-Key has “к”, which a header cannot have."],
      ] as const) {
        await page.getByLabel("Name of header 2").fill(name);
        await send.click();
        await response.getByText(told).waitFor();
      }
      await page.getByLabel("Name of header 2").fill("Cookie");
      await page.getByText("Browsers do not let a page send Cookie.").waitFor();
      await page.getByRole("button", { name: "Remove header 2" }).click();
      await send.click();
      await response.getByText("200", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Table" }).click();
      await response.getByRole("cell", { name: "Bolt" }).waitFor();
      expect(await response.getByRole("button", { name: "Changes" }).count()).toBe(0);

      // The second response beside the first.
      await fetch(`${url}/companies/2`, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: '{"name":"Screw"}',
      });
      await send.click();
      await response.getByRole("button", { name: "Changes" }).click();
      await response.getByRole("row", { name: "2.name Bolt Screw" }).waitFor();

      // The names of the API's description.
      await page.getByRole("button", { name: "Add a parameter" }).click();
      const names = await page.getByLabel("Name of parameter 1").getAttribute("list");
      await page.locator(`datalist[id="${names}"] option[value="revenue:gte"]`).waitFor({ state: "attached" });

      await page.getByLabel("Method").selectOption("POST");
      await page.getByRole("group", { name: "Fields to add" }).getByRole("button", { name: "+ name" }).click();
      await expect.poll(() => page.getByRole("textbox", { name: "Body" }).inputValue()).toBe('{\n  "name": ""\n}');
      expect(await page.getByRole("button", { name: "+ name" }).count()).toBe(0);
      // The same names while they are typed; Escape leaves the text as it is.
      const body = page.getByRole("textbox", { name: "Body" });
      await body.fill("");
      await body.pressSequentially('{ "rev');
      await page.getByRole("listbox", { name: "Completions" }).getByRole("option", { name: "revenue" }).waitFor();
      expect(await problemsOnTheWay(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await expect.poll(() => body.inputValue()).toBe('{ "revenue": ');
      await body.pressSequentially('1, "n');
      await page.getByRole("option", { name: "name", exact: true }).click();
      await expect.poll(() => body.inputValue()).toBe('{ "revenue": 1, "name": ');
      await body.fill('{ "');
      await page.getByRole("listbox", { name: "Completions" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("listbox", { name: "Completions" }).waitFor({ state: "detached" });
      await body.fill("");
      await page.getByLabel("Method").selectOption("GET");

      // Kept in this browser, without secrets, and opened again.
      const shelf = page.getByRole("region", { name: "Requests" });
      await page.getByLabel("Path").fill("/products");
      await shelf.getByRole("button", { name: "Save this one" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("All products");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await shelf.getByRole("button", { name: "All products" }).first().waitFor();
      await page.reload();
      const sent = shelf.getByRole("list", { name: "Sent requests" });
      await sent.getByRole("button", { name: "/companies" }).first().click();
      expect(await page.getByLabel("Path").inputValue()).toBe("/companies");
      await page.getByText("The value of Authorization is not kept").waitFor();
      expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain("mine");
    },
  );
});

import { describe, expect, test } from "vitest";
import { askAt } from "../../support/api.ts";
import { builtFolder } from "../../support/built-folder.ts";
import { createFolder } from "../../support/cli.ts";
import { accessibilityProblems, inBrowserWithServer, openPage, PHONE, problemsOnTheWay, resize } from "./browser.ts";
import { serveForFile, serveForTest } from "./serve.ts";

const serve = serveForFile([], { "db.json": { posts: [{ id: 1 }] } });

describe("the guide", () => {
  test("every link inside it leads to a page and a heading that are there", () => {
    const pages = new Map(
      [...builtFolder("guide")].filter(([name]) => name.endsWith(".html") && name !== "enter.html"),
    );
    expect(pages.size).toBeGreaterThan(40);
    const broken: string[] = [];
    for (const [name, text] of pages) {
      for (const [, href = ""] of text.matchAll(/href="([^"]*)"/g)) {
        if (/^(?:https?:|mailto:|site\.css|icon\.svg)/.test(href)) continue;
        const [file, anchor] = href.split("#");
        const target = pages.get(file || name);
        if (target === undefined || (anchor && !target.includes(`id="${anchor}"`))) broken.push(`${name}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test("is there without a key, as files that run nothing of others", async () => {
    const url = await serve();
    expect((await askAt(url, "GET /__guide")).text).toContain('url=__guide/"');
    const page = await askAt(url, "GET /__guide/querying.html");
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("<h1")]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    for (const path of ["/__guide/nosuch.html", "/__guide/../cli.js", "/__guide/%2e%2e/cli.js"]) {
      expect([path, (await askAt(url, `GET ${path}`)).status]).toEqual([path, 404]);
    }
    const named = await serveForTest([], createFolder({ "db.json": { __guide: [{ id: 5 }] } }));
    expect((await askAt(named.url, "GET /__guide")).body).toEqual([{ id: 5 }]);
  });

  inBrowserWithServer("is read, searched and accessible, in light and dark, on a phone, too", async () => {
    const page = await openPage(await serve(), "/__guide", {});
    await page.getByRole("heading", { name: "standin", level: 1 }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Querying" }).click();
    await page.getByRole("heading", { name: "Querying", level: 1 }).waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    // The key is heard from the moment on that the script of the page has run.
    await page.waitForLoadState("load");
    await page.keyboard.press("/");
    await page.keyboard.type("fault sandbox");
    await page.getByRole("heading", { name: /^\d+ found for "fault sandbox"$/ }).waitFor();
    expect(await problemsOnTheWay(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await resize(page, PHONE);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page.keyboard.press("Enter");
    await page.locator("article").waitFor();
    expect(page.url()).toContain("/__guide/");
  });
});

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";
import { fetchIn, openDemo, standin } from "./demo-site.ts";
import { inChromium, inChromiumAtLength, stopWorker } from "./worker-site.ts";

const DATA = { products: [{ id: 1, name: "Hat" }] };

describe("standin browser", () => {
  test("writes three files, says how large they are, and what to paste", async () => {
    const folder = createFolder({ "db.json": DATA });
    const printed = await standin(["browser", "db.json"], folder);
    expect(readdirSync(join(folder, "public")).sort()).toEqual([
      "standin-data.json",
      "standin-worker.js",
      "standin.js",
    ]);
    expect(printed).toMatch(/standin-worker\.js +\d+\.\d kB, \d+\.\d kB compressed/);
    expect(printed).toContain('  import { start } from "./standin.js";\n  await start();\n');
    expect(JSON.parse(readFileSync(join(folder, "public/standin-data.json"), "utf8"))).toEqual(DATA);
  });

  test("replaces its own files, and no others unless told to", async () => {
    const folder = createFolder({ "db.json": DATA, "public/standin-data.json": "mine" });
    const refused = runKept(["browser", "db.json"], folder);
    expect(await refused.exit).toBe(1);
    expect(refused.output.stderr).toMatch(/public.standin-data\.json was not written by standin browser.*--overwrite/);
    expect(readFileSync(join(folder, "public/standin-data.json"), "utf8")).toBe("mine");
    await standin(["browser", "db.json", "--overwrite"], folder);
    await standin(["browser", "db.json", "--quiet"], folder);
  });

  testAtLength("removes files of its former console, and no others", async () => {
    const folder = createFolder({ "db.json": DATA });
    await standin(["browser", "db.json", "--console"], folder);
    const console = join(folder, "public/api/__console");
    const start = readFileSync(join(console, "start.js"), "utf8");
    // As an earlier version would have written it.
    const former = start.replace("// Files: ", "// Files: assets/old-1234.js ../../../db.json ");
    writeFileSync(join(console, "start.js"), former);
    for (const name of ["old-1234.js", "mine.js"]) writeFileSync(join(console, "assets", name), "");
    await standin(["browser", "db.json", "--console"], folder);
    expect(readdirSync(join(console, "assets"))).toContain("mine.js");
    expect(readdirSync(join(console, "assets"))).not.toContain("old-1234.js");
    expect(readFileSync(join(console, "start.js"), "utf8")).toBe(start);
    expect(readdirSync(folder)).toContain("db.json");
  });

  test.each([
    [["browser", "db.json", "--base", "/"], /--base \/ leaves no path for the page/],
    [["browser", "db.json", "--base", "../x"], /--base \.\.\/x leaves no path for the page, or is not one/],
    [["browser", "none.json"], /none\.json does not exist/],
    [["browser", "db.json", "db.json"], /reads one source, but was given 2/],
    [["browser", "db.json", "--clock", "soon"], /soon/],
  ])("%j is refused, and writes nothing", async (args, message) => {
    const folder = createFolder({ "db.json": DATA });
    const run = runKept(args, folder);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toMatch(message);
    expect(readdirSync(folder)).toEqual(["db.json"]);
  });

  test("says which parts of the config file a page cannot have, and takes the others", async () => {
    const config = { source: "shop.json", readOnly: true, middlewares: ["bearer"], rules: { products: {} } };
    const folder = createFolder({ "shop.json": DATA, "standin.json": config });
    const run = runKept(["browser"], folder);
    expect(await run.exit).toBe(0);
    const said = [...run.output.stdout.matchAll(/"(\w+)" of standin\.json is left out/g)].map(([, name]) => name);
    expect(said).toEqual(["middlewares"]);
    expect(readFileSync(join(folder, "public/standin-worker.js"), "utf8")).toContain('"readOnly":true');
  });
});

describe("its page", () => {
  inChromium("serves the data below its own folder after start(), and nothing before or after stop()", async () => {
    const { page, url, folder } = await openDemo(DATA);
    writeFileSync(join(folder, "public/idle.html"), '<script type="module" src="./standin.js"></script>');
    await page.evaluate("started");
    expect(await page.evaluate("standin.url")).toBe(`${url}api`);
    expect(await fetchIn(page, "api/products")).toEqual(DATA.products);
    expect(await fetchIn(page, "/api/products")).toBe(404);
    await fetchIn(page, "api/products", { method: "POST" });
    await page.reload();
    await page.evaluate("started");
    expect(await fetchIn(page, "api/products")).toHaveLength(2);
    await page.evaluate("standin.stop()");
    await page.goto(`${url}idle.html`);
    expect(await page.evaluate("indexedDB.databases()")).toEqual([]);
    expect(await page.evaluate("navigator.serviceWorker.getRegistrations().then(({ length }) => length)")).toBe(0);
    expect(await fetchIn(page, "api/products")).toBe(404);
  });

  inChromiumAtLength("refuses records that break the rules", async () => {
    const rules = join(createFolder({ "rules.json": { products: { required: ["name"] } } }), "rules.json");
    const { page } = await openDemo(DATA, ["--rules", rules]);
    await page.evaluate("started");
    expect(await fetchIn(page, "api/products", { method: "POST" })).toBe(422);
  });

  inChromiumAtLength("is loaded again once after a hard reload, which passes the worker by", async () => {
    const { page, url } = await openDemo(DATA);
    await page.evaluate("started");
    await page.evaluate("sessionStorage.setItem('loads', 0)");
    await page.addInitScript("sessionStorage.setItem('loads', 1 + Number(sessionStorage.getItem('loads')))");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.reload", { ignoreCache: true });
    await page.waitForFunction("sessionStorage.getItem('loads') === '2' && navigator.serviceWorker.controller");
    await page.evaluate("started");
    expect(await fetchIn(page, "api/products")).toEqual(DATA.products);
    expect(page.url()).toBe(url);
  });

  inChromiumAtLength(
    "loads the data once, keeps all digits of its numbers, and loads it again for a reset",
    async () => {
      const { page, asked } = await openDemo('{ "products": [{ "id": 1, "price": 12345678901234567890 }] }');
      await page.evaluate("started");
      const read = (): Promise<string> => page.evaluate("fetch('api/products/1').then((response) => response.text())");
      const loads = (): number => asked.filter((path) => path.includes("standin-data.json")).length;
      expect(await read()).toContain("12345678901234567890");
      await fetchIn(page, "api/products", { method: "POST" });
      expect(loads()).toBe(1);
      await stopWorker(page);
      expect(await fetchIn(page, "api/products")).toHaveLength(2);
      expect(loads()).toBe(1);
      expect(await fetchIn(page, "api/__reset", { method: "POST" })).not.toBe(503);
      expect(await fetchIn(page, "api/products")).toHaveLength(1);
      expect(await read()).toContain("12345678901234567890");
    },
  );

  inChromiumAtLength("says so when a page is outside of the worker's reach", async () => {
    const { page, url } = await openDemo(DATA);
    await page.goto(`${url}../repo-not-here`);
    const said = page.evaluate(`import(${JSON.stringify(`${url}standin.js`)}).then(({ start }) => start())`);
    await expect(said).rejects.toThrow(/serves only pages below that/);
  });

  inChromiumAtLength(
    "serves the new data once the files are written again, and keeps what was changed unless told",
    async () => {
      const { page, write } = await openDemo(DATA);
      const rewritten = async (...[data, ...more]: Parameters<typeof write>): Promise<unknown> => {
        await write(data, ...more);
        await page.reload();
        await page.evaluate("started");
        return fetchIn(page, "api/products");
      };
      await page.evaluate("started");
      expect(await fetchIn(page, "api/products")).toEqual(DATA.products);
      const cap = { id: 1, name: "Cap" };
      expect(await rewritten({ products: [cap] })).toEqual([cap]);
      await fetchIn(page, "api/products", { method: "POST" });
      expect(await rewritten(DATA)).toEqual([cap, { id: 2 }]);
      if (IS_SOAK) expect(await rewritten(DATA, "--onNewSeed", "replace")).toEqual(DATA.products);
    },
  );

  inChromiumAtLength("has the console in any folder, which starts the worker itself, also in a sandbox", async () => {
    const { page, url } = await openDemo(DATA, ["--console", "--base", "/mock/api"]);
    await page.evaluate("started");
    await page.evaluate("standin.stop()");
    const console = `${url}mock/api/__console`;
    await page.goto(`${console}#/data/products`);
    await page.getByText("Hat").waitFor();
    const body = JSON.stringify({ name: "Cap" });
    await fetchIn(page, `${url}mock/api/products`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json" },
    });
    await page.getByText("Cap").waitFor();

    await page.goto(`${console}/#/request`);
    await page.getByRole("button", { name: "Main data. Switch to a sandbox" }).click();
    await page.getByRole("button", { name: "New sandbox" }).click();
    await page.getByLabel("Name (optional)").fill("ann");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.waitForURL(`${console}/?sandbox=ann#/request`);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.reload", { ignoreCache: true });
    await page.getByText(`fetch("${url}mock/api/__sandbox/ann/`).waitFor();
    await page.getByText("curl and other programs do not").waitFor();
    expect(await page.getByRole("button", { name: "curl", exact: true }).count()).toBe(0);
  });
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askAt, codeOf } from "../support/api.ts";
import { createFolder, type Served } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const SHOP = { products: [{ id: 1, name: "Hat" }], companies: [] };
const CRM = { people: [{ id: 1, name: "Ann" }] };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: {
    "/pets": {
      get: {
        responses: {
          200: {
            description: "Pets",
            content: {
              "application/json": {
                schema: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } },
              },
            },
          },
        },
      },
    },
  },
};

async function serve(args: readonly string[], files: Readonly<Record<string, unknown>>) {
  const folder = createFolder(files);
  const served: Served = await serveKept(args, folder);
  onTestFinished(async () => {
    await served.stop();
  });
  return { ...served, folder, ask: askAt.bind(undefined, served.url) };
}

describe("standin shop.json crm.json", () => {
  test("serves each below its own path, with its own console, and lists them in front", async () => {
    const { url, ask, output } = await serve(["shop.json", "crm.json"], { "shop.json": SHOP, "crm.json": CRM });
    expect((await ask("GET /shop/products/1")).body).toEqual({ id: 1, name: "Hat" });
    expect((await ask("GET /crm/people/1")).body).toEqual({ id: 1, name: "Ann" });
    expect((await ask("GET /crm/products")).status).toBe(404);
    expect((await ask("POST /crm/people", { body: {} })).headers.get("location")).toBe(`${url}/crm/people/2`);
    expect((await ask("GET /shop/__openapi.json")).body).toMatchObject({ servers: [{ url: `${url}/shop` }] });
    expect((await ask("GET /")).body).toEqual({
      name: "standin",
      mounts: ["shop", "crm"].map((name) => ({
        name,
        url: `${url}/${name}`,
        console: `${url}/${name}/__console`,
      })),
    });
    const page = await ask("GET /", { headers: { Accept: "text/html" } });
    expect(page.text).toContain('<a class="url" href="/shop/__console">Console</a>');
    expect((await ask("GET /shop/__console", { headers: { Accept: "text/html" } })).text).toContain(
      'src="/shop/__console/assets/',
    );
    for (const name of ["shop", "crm"]) {
      expect(output.stdout).toContain(`${url}/${name}\n`);
      expect(output.stdout).toContain(`Console   ${url}/${name}/__console`);
      expect(output.stdout).toContain(`${name}.json`);
    }
    const nowhere = await ask("GET /products");
    expect([nowhere.status, codeOf(nowhere)]).toEqual([404, "ROUTE_NOT_FOUND"]);
    expect(nowhere.text).toContain("Try below /shop, /crm.");
    expect((await ask("GET /shopping")).status).toBe(404);
  });

  test("saves all of them when it is stopped", async () => {
    const served = await serve(["shop.json", "crm.json"], { "shop.json": SHOP, "crm.json": CRM });
    const { folder, ask, child, exit } = served;
    await ask("POST /shop/products", { body: { name: "Cap" } });
    await ask("POST /crm/people", { body: { name: "Bob" } });
    const other = runKept(["crm.json", "--port", "0"], folder);
    expect(await other.exit).toBe(1);
    expect(other.output.stderr).toContain("crm.json is in use");
    child.kill("SIGINT");
    expect(await exit).toBe(0);
    expect(readFileSync(join(folder, "shop.json"), "utf8")).toContain("Cap");
    expect(readFileSync(join(folder, "crm.json"), "utf8")).toContain("Bob");
  });

  test("follows the files of each, and keeps their snapshots apart", async () => {
    const args = ["shop.json", "crm.json", "--watch", "--snapshots", "kept"];
    const { folder, ask, output } = await serve(args, { "shop.json": SHOP, "crm.json": CRM });
    writeFileSync(join(folder, "crm.json"), JSON.stringify({ people: [{ id: 9 }] }));
    await expect.poll(async () => (await ask("GET /crm/people/9")).status).toBe(200);
    await expect.poll(() => output.stdout).toContain("crm: Reloaded crm.json (changed on disk).");
    expect((await ask("POST /shop/__snapshots__", { body: { name: "one" } })).status).toBe(201);
    expect(existsSync(join(folder, "kept/shop"))).toBe(true);
    expect((await ask("GET /crm/__snapshots__")).body).toEqual([]);
  });

  test("takes data, folders and documents, below a base", async () => {
    const files = { "shop.json": SHOP, "pets.json": DOCUMENT, "crm/people.json": CRM.people };
    const { url, ask } = await serve(["shop.json", "pets.json", "crm", "--base", "/v1"], files);
    expect(url).toMatch(/\/v1$/);
    expect((await ask("GET /v1/pets/pets")).status).toBe(200);
    expect((await ask("GET /v1/crm/people/1")).status).toBe(200);
    expect((await ask("GET /v1")).body).toMatchObject({ mounts: [{ url: `${url}/shop` }, {}, {}] });
    expect((await ask("GET /")).text).toContain("outside the base /v1");
  });

  test("words that name nothing are ignored, as in json-server", async () => {
    const { url, ask, output } = await serve(["shop.json", "crm.json"], { "shop.json": SHOP });
    expect((await ask("GET /products/1")).status).toBe(200);
    expect(output.stdout).toContain("Serving shop.json only; ignored: crm.json.");
    expect(url).not.toContain("/shop");
  });
});

describe("mounts in the config file", () => {
  test("have names and options of their own", async () => {
    const config = {
      mounts: { shop: "data/shop.json", team: { source: "crm.json", readOnly: true, noConsole: true } },
      pretty: true,
    };
    const files = { "data/shop.json": SHOP, "crm.json": CRM, "standin.json": config };
    const { url, ask } = await serve([], files);
    expect((await ask("POST /shop/products", { body: {} })).status).toBe(201);
    expect(codeOf(await ask("POST /team/people", { body: {} }))).toBe("READ_ONLY");
    expect((await ask("GET /team/people/1")).text).toBe('{\n  "id": 1,\n  "name": "Ann"\n}');
    expect((await ask("GET /")).body).toMatchObject({
      mounts: [
        { name: "shop", console: `${url}/shop/__console` },
        { name: "team", url: `${url}/team` },
      ],
    });
    expect((await ask("GET /")).text).not.toContain("/team/__console");
  });

  test("give options to the sources of the command line; a single one is served alone", async () => {
    const config = { mounts: { crm: { source: "other.json", readOnly: true } } };
    const files = { "shop.json": SHOP, "crm.json": CRM, "standin.json": config };
    const { ask } = await serve(["shop.json", "crm.json"], files);
    expect(codeOf(await ask("DELETE /crm/people/1"))).toBe("READ_ONLY");
    expect((await ask("DELETE /shop/products/1")).status).toBe(200);
    const alone = await serve(["shop.json"], files);
    expect((await alone.ask("GET /products/1")).status).toBe(200);
  });
});

describe("refused at the start, with words", () => {
  const FILES = { "shop.json": SHOP, "crm.json": CRM, "old/shop.json": SHOP, "__own.json": CRM, "a b.json": CRM };
  const cases: readonly (readonly [args: readonly string[], config: object | undefined, words: string])[] = [
    [["shop.json", "old/shop.json"], undefined, "shop.json and old/shop.json would both be served at /shop."],
    [["shop.json", "__own.json"], undefined, "__own.json cannot be served at /__own."],
    [["shop.json", "a b.json"], undefined, "a b.json cannot be served at /a b."],
    [[], { mounts: { __console: "shop.json" } }, '"mounts": "__console" cannot be the path of a source.'],
    [[], { mounts: {} }, '"mounts" names no source.'],
    [[], { mounts: { shop: 5 } }, "standin.json: mounts.shop is 5; it must be a source"],
    [[], { mounts: { shop: {} } }, 'standin.json: mounts.shop needs a "source".'],
    [[], { mounts: { shop: { source: "shop.json", port: 1 } } }, '"port" is for the whole server; move it to the top.'],
    [[], { mounts: { shop: { source: "shop.json", readOnly: 1 } } }, 'mounts.shop: "read-only" is 1'],
    [[], { source: "crm.json", mounts: { shop: "shop.json" } }, '"source" and "mounts" cannot be given both.'],
    [[], { mounts: { shop: "shop.json", again: "./shop.json" } }, "shop.json is in use"],
    [["mcp", "shop.json", "crm.json"], undefined, "standin mcp uses one source"],
  ];

  test.each(cases)("%j with %j", async (args, config, words) => {
    const folder = createFolder({ ...FILES, ...(config && { "standin.json": config }) });
    const { output, exit } = runKept([...args, "--port", "0"], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain(words);
  });
});

test("a command wins over a folder of its name, which ./ still serves", async () => {
  const folder = createFolder({});
  mkdirSync(join(folder, "types"));
  writeFileSync(join(folder, "types/products.json"), JSON.stringify(SHOP.products));
  writeFileSync(join(folder, "db.json"), JSON.stringify(CRM));
  const { output, exit } = runKept(["types"], folder);
  expect(await exit).toBe(0);
  expect(output.stdout).toContain("interface");
  const served = await serveKept(["./types"], folder);
  onTestFinished(async () => {
    await served.stop();
  });
  expect((await fetch(`${served.url}/products/1`)).status).toBe(200);
});

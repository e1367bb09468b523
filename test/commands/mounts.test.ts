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

const BOTH = {
  "shop.json": SHOP,
  "crm.json": CRM,
  "standin.json": { mounts: { shop: "shop.json", crm: "crm.json" } },
};

async function serve(args: readonly string[], files: Readonly<Record<string, unknown>>) {
  const folder = createFolder(files);
  const served: Served = await serveKept(args, folder);
  onTestFinished(async () => {
    await served.stop();
  });
  return { ...served, folder, ask: askAt.bind(undefined, served.url) };
}

describe("mounts", () => {
  test("serves each below its own path, with its own console, and lists them in front", async () => {
    const { url, ask, output } = await serve([], BOTH);
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
    const served = await serve([], BOTH);
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
    const { folder, ask, output } = await serve(["--watch", "--snapshots", "kept"], BOTH);
    writeFileSync(join(folder, "crm.json"), JSON.stringify({ people: [{ id: 9 }] }));
    await expect.poll(async () => (await ask("GET /crm/people/9")).status).toBe(200);
    await expect.poll(() => output.stdout).toContain("crm: Reloaded crm.json (changed on disk).");
    expect((await ask("POST /shop/__snapshots__", { body: { name: "one" } })).status).toBe(201);
    expect(existsSync(join(folder, "kept/shop"))).toBe(true);
    expect((await ask("GET /crm/__snapshots__")).body).toEqual([]);
  });

  test("takes data, folders and documents, below a base", async () => {
    const config = { mounts: { shop: "shop.json", pets: "pets.json", crm: "crm" } };
    const files = { "shop.json": SHOP, "pets.json": DOCUMENT, "crm/people.json": CRM.people, "standin.json": config };
    const { url, ask } = await serve(["--base", "/v1"], files);
    expect(url).toMatch(/\/v1$/);
    expect((await ask("GET /v1/pets/pets")).status).toBe(200);
    expect((await ask("GET /v1/crm/people/1")).status).toBe(200);
    expect((await ask("GET /v1")).body).toMatchObject({ mounts: [{ url: `${url}/shop` }, {}, {}] });
    expect((await ask("GET /")).text).toContain("outside the base /v1");
  });

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
});

describe("standin shop.json crm.json, as in json-server", () => {
  const config = { mounts: { crm: { source: "crm.json", readOnly: true } } };
  const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    "serves the first": { "shop.json": SHOP, "crm.json": CRM },
    "ignores a word that names nothing": { "shop.json": SHOP },
    "and whatever the config file mounts": { "shop.json": SHOP, "crm.json": CRM, "standin.json": config },
  };
  for (const [name, files] of Object.entries(cases)) {
    test(`${name}, with a warning`, async () => {
      const { ask, output } = await serve(["shop.json", "crm.json"], files);
      expect((await ask("GET /products/1")).body).toEqual(SHOP.products[0]);
      expect((await ask("DELETE /products/1")).status).toBe(200);
      expect((await ask("GET /people")).status).toBe(404);
      expect(output.stdout).toContain(
        'Serving shop.json only; ignored: crm.json. To serve several sources, give them names under "mounts"',
      );
    });
  }
});

describe("refused at the start, with words", () => {
  const FILES = { "shop.json": SHOP, "crm.json": CRM };
  const cases: readonly (readonly [args: readonly string[], config: object | undefined, words: string])[] = [
    [[], { mounts: { "a b": "shop.json" } }, '"mounts": "a b" cannot be the path of a source.'],
    [[], { mounts: { __console: "shop.json" } }, '"mounts": "__console" cannot be the path of a source.'],
    [[], { mounts: {} }, '"mounts" names no source.'],
    [[], { mounts: { shop: 5 } }, "standin.json: mounts.shop is 5; it must be a source"],
    [[], { mounts: { shop: {} } }, 'standin.json: mounts.shop needs a "source".'],
    [[], { mounts: { shop: { source: "shop.json", port: 1 } } }, '"port" is for the whole server; move it to the top.'],
    [[], { mounts: { shop: { source: "shop.json", readOnly: 1 } } }, 'mounts.shop: "read-only" is 1'],
    [[], { source: "crm.json", mounts: { shop: "shop.json" } }, '"source" and "mounts" cannot be given both.'],
    [[], { mounts: { shop: "shop.json", again: "./shop.json" } }, "shop.json is in use"],
    [["mcp"], { mounts: { shop: "shop.json", crm: "crm.json" } }, "standin mcp uses one source"],
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

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import type * as runtime from "../../../../clients/client.ts";
import type {
  StandinClientOptions,
  StandinCollection,
  StandinFile,
  StandinSingleton,
} from "../../../../clients/client.ts";
import { ERRORS } from "../../../../src/base/errors.ts";
import { type Api, startApi } from "../../../support/api.ts";
import { createFolder } from "../../../support/cli.ts";
import { runKept } from "../../../support/kept-process.ts";
import { DATABASES, ODD_NAMES, SHOP_COLLECTIONS, shopData } from "./databases.ts";
import { dataOfPage, fileOfPage, shownBehind, writtenFor } from "./written-client.ts";

/** Programs that compile, and programs that the compiler must refuse. */
const ACCEPTED = [
  'client.products.list({ where: { price: { gte: 5, lt: 50 }, name: { contains: "pot" }, company_id: ["kiln", "tide"] } })',
  "client.products.list({ where: { or: [{ price: 5 }, { not: { id: { in: [1, 2] } } }], sold_at: null } })",
  'client.products.list({ where: { tags: "red" }, sort: ["-price", "name"], start: 1, limit: 5 })',
  'client.products.list({ where: { tags: { null: true }, sold_at: { gt: "2026" } }, search: "clay" })',
  'client.companies.list({ where: { headquarter: { lat: { gt: 40 } }, locations: { city: "Rome" } }, sort: "headquarter.lat" })',
  'client.companies.get<{ products: Product[] }>("kiln", { embed: "products" }).then(({ products }) => products.length)',
  'client.products.create({ name: "Mug", price: 1, company_id: "kiln", tags: [], sold_at: null })',
  'client.products.create({ id: 9, name: "Mug", price: 1, company_id: "kiln", tags: [], sold_at: null })',
  "client.orderLines.create({ count: 1 })",
  "client.products.update(1, { price: 2 })",
  'client.settings.update({ currency: "USD" })',
  "client.products.find(1).then((found) => found?.price.toFixed(2))",
  'files.products.upload(1, "photo", new Blob(["x"])).then(({ photo }) => photo.url)',
  'files.products.upload(1, "manuals", new File(["x"], "a.txt"), new Blob(["y"]))',
  'files.uploadFile(new Blob(["x"])).then((photo) => files.products.update(1, { photo }))',
];
const REFUSED = [
  "client.prodcuts.list()",
  "client.products.list({ where: { prise: 1 } })",
  'client.products.list({ where: { price: "cheap" } })',
  "client.products.list({ where: { price: { gtr: 1 } } })",
  'client.products.list({ where: { price: { gt: "1" } } })',
  "client.companies.list({ where: { headquarter: { lat: true } } })",
  'client.products.list({ sort: "prise" })',
  'client.products.list({ sort: "+price" })',
  'client.products.get("one")',
  'client.products.create({ name: "Mug" })',
  'client.products.create({ name: "Mug", price: "1", company_id: "kiln", tags: [], sold_at: null })',
  "client.products.update(1, { prise: 2 })",
  "client.settings.update({ currency: 1 })",
  "client.settings.delete()",
  'files.products.upload(1, "name", new Blob(["x"]))',
  'files.products.upload(1, "photo", "x")',
  "client.products.list().then(([first]) => first.price)",
];
const STRICT = [
  ...["strict", "noUncheckedIndexedAccess", "exactOptionalPropertyTypes", "noImplicitOverride", "noImplicitReturns"],
  ...["noPropertyAccessFromIndexSignature", "noUnusedLocals", "noUnusedParameters", "noFallthroughCasesInSwitch"],
  ...["verbatimModuleSyntax", "isolatedModules", "erasableSyntaxOnly", "allowImportingTsExtensions", "noEmit"],
];

const texts = new Map<string, string>();

beforeAll(async () => {
  for (const [name, given] of Object.entries(DATABASES)) {
    texts.set(name, await writtenFor(given, "client"));
  }
});

test("strict compilers accept every client and correct programs, and refuse mistakes", async () => {
  const names = [...texts.keys()];
  const folder = createFolder({ "package.json": { type: "module" } });
  for (const [name, text] of texts) writeFileSync(join(folder, `client-${names.indexOf(name)}.ts`), text);
  const program = [
    `import { type Product, StandinClient } from "./client-${names.indexOf("shop")}.ts";`,
    `import { StandinClient as FilesClient } from "./client-${names.indexOf("files")}.ts";`,
    "const client = new StandinClient();",
    "const files = new FilesClient();",
    `export const accepted = [\n${ACCEPTED.map((call) => `  () => ${call},`).join("\n")}\n];`,
    `export const refused = [\n${REFUSED.map((call) => `  // @ts-expect-error\n  () => ${call},`).join("\n")}\n];`,
  ];
  writeFileSync(join(folder, "program.ts"), program.join("\n"));
  const page = fileOfPage("report.ts").replace("./client.ts", "./page-client.ts");
  writeFileSync(join(folder, "page.ts"), `export {};\n${page}`);
  writeFileSync(join(folder, "page-client.ts"), await writtenFor({ data: dataOfPage() }, "client"));
  const files = [...names.map((_name, at) => `client-${at}.ts`), "program.ts", "page.ts"];
  const flags = [
    ...STRICT.map((flag) => `--${flag}`),
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--pretty",
    "false",
  ];
  const tsc = [resolve("node_modules/typescript/bin/tsc"), ...flags, "--lib", "es2022,dom", ...files];
  const checked = promisify(execFile)(process.execPath, tsc, { cwd: folder }).catch((thrown) => thrown);
  expect(((await checked) as { stdout: string }).stdout).toBe("");
});

interface Product {
  id: number;
  name: string;
  price: number;
  company_id: string;
}

/** The parts of the client for the shop that these tests use. */
interface Shop {
  readonly products: StandinCollection<Product, number, "id">;
  readonly companies: StandinCollection<
    { id: string; headquarter: { lat: number }; locations: { city: string }[] },
    string
  >;
  readonly orderLines: StandinCollection<{ sku: string; count: number; state: string }, string, "sku" | "state">;
  readonly settings: StandinSingleton<{ currency: string; decimals: number }>;
  inSandbox(name: string): Shop;
  removeSandbox(): Promise<void>;
}

interface Module<Client> {
  readonly StandinClient: new (options?: StandinClientOptions) => Client;
  readonly StandinClientError: typeof runtime.StandinClientError;
  readonly StandinConflictError: typeof runtime.StandinConflictError;
}

async function load<Client>(text: string): Promise<Module<Client>> {
  const { code } = await transform(text, { loader: "ts", target: "node20" });
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

describe("against a server", () => {
  let module: Module<Shop>;
  beforeAll(async () => {
    module = await load(texts.get("shop")!);
  });

  async function start(options: Partial<StandinClientOptions> = {}): Promise<{ api: Api; client: Shop }> {
    const api = await startApi({ data: shopData(), collections: SHOP_COLLECTIONS });
    return { api, client: new module.StandinClient({ url: `${api.url}/`, ...options }) };
  }

  test("lists by conditions, order and window", async () => {
    const { client } = await start();
    const { products, companies } = client;
    const ids = async (query: Parameters<typeof products.list>[0]) => (await products.list(query)).map(({ id }) => id);
    expect(await ids({})).toEqual([1, 2, 3, 4, 5]);
    expect(await ids({ where: {} })).toEqual([1, 2, 3, 4, 5]);
    expect(await ids({ where: { price: { gte: 8.45, lt: 12.75 } }, sort: "-price" })).toEqual([4, 2]);
    expect(await ids({ where: { company_id: ["kiln", "tide"] }, sort: ["company_id", "-id"] })).toEqual([2, 1, 5]);
    expect(await ids({ where: { or: [{ name: { startsWith: "oat" } }, { id: 5 }] } })).toEqual([3, 5]);
    expect(await ids({ where: { not: { name: { contains: "clay" } } }, start: 1, limit: 1 })).toEqual([4]);
    expect(await ids({ search: "honey & rule=1" })).toEqual([]);
    expect(await ids({ search: "RULE" })).toEqual([5]);
    expect((await companies.list({ where: { headquarter: { lat: { lt: 40 } } } })).length).toBe(2);
    expect((await companies.list({ where: { locations: { city: "Rome" } } })).map(({ id }) => id)).toEqual(["kiln"]);
    expect(await products.count({ where: { price: { gt: 9 } } })).toBe(3);
  });

  test("reads pages, and all of them with an iterator that new records do not confuse", async () => {
    const sent: string[] = [];
    const { api, client } = await start({
      fetch: (address, init) => {
        sent.push(String(address));
        return fetch(address, init);
      },
    });
    const page = await client.products.page(2, { sort: "price" }, 2);
    expect({ ...page, records: page.records.map(({ id }) => id) }).toEqual({
      records: [4, 1],
      page: 2,
      pages: 3,
      total: 5,
    });
    sent.length = 0;
    const seen: number[] = [];
    for await (const { id } of client.products.all({ sort: "id", where: { id: { lt: 100 } } }, 2)) {
      seen.push(id);
      if (id === 2) await api.ask("DELETE /products/1");
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(sent).toHaveLength(3);
  });

  test("creates, replaces, updates and deletes", async () => {
    const { client } = await start();
    const { products, orderLines, settings } = client;
    const made = await products.create({ name: "Clay Bowl", price: 1, company_id: "kiln" });
    expect(made.id).toBe(6);
    expect(await products.update(made, { price: 2 })).toEqual({ ...made, price: 2 });
    expect(await products.replace(6, { name: "Bowl", price: 3, company_id: "tide" })).toEqual({
      ...{ id: 6, name: "Bowl", price: 3, company_id: "tide" },
    });
    await products.delete(6);
    expect(await products.find(6)).toBeUndefined();
    const draft = { name: "x", price: 1, company_id: "kiln" };
    expect((await products.createAll([draft, draft])).map(({ id }) => id)).toEqual([6, 7]);
    const line = await orderLines.create({ sku: "b/2?", count: 2 });
    expect(line.state).toBe("open");
    expect((await orderLines.update(line, { count: 3 })).count).toBe(3);
    expect((await orderLines.get("b/2?")).count).toBe(3);
    expect(await settings.update({ currency: "USD" })).toEqual({ currency: "USD", decimals: 2 });
    expect(await settings.replace({ currency: "CHF", decimals: 0 })).toEqual(await settings.get());
    const mug = await products.get<{ company: { name: string } }>(2, { expand: "company" });
    expect(mug.company.name).toBe("Blue Kiln Ceramics");
    // Its tag is weak, so it is no condition.
    expect((await products.update(mug, { price: 8 })).price).toBe(8);
  });

  test("a record that was read and has changed since is a conflict, unless its id is given", async () => {
    const { api, client } = await start();
    const { products, settings } = client;
    const read = await products.get(1);
    const [settingsRead, other] = [await settings.get(), await products.get(1)];
    const updated = await products.update(read, { price: 1 });
    await settings.update({ decimals: 3 });
    for (const attempt of [
      () => products.update(other, { price: 2 }),
      () => products.replace(other, { ...other, price: 2 }),
      () => products.delete(other),
      () => settings.update({ decimals: 4 }, settingsRead),
    ]) {
      const thrown = await attempt().catch((reason: unknown) => reason);
      expect(thrown).toBeInstanceOf(module.StandinConflictError);
      expect(thrown).toMatchObject({ status: 412, code: "RECORD_CHANGED", etag: expect.stringMatching(/^"/) });
    }
    expect((await products.update(1, { price: 3 })).price).toBe(3);
    const conflict = await products.update(updated, { price: 4 }).catch((reason: unknown) => reason);
    expect(conflict).toMatchObject({ name: "StandinConflictError", message: expect.stringContaining("has changed") });
    expect((await api.ask("GET /products/1")).body).toMatchObject({ price: 3 });
  });

  test("a sandbox keeps its changes to itself", async () => {
    const { client } = await start();
    const sandbox = client.inSandbox("ann");
    await sandbox.products.delete(1);
    expect(await sandbox.products.count()).toBe(4);
    expect(await client.products.count()).toBe(5);
    expect(await client.inSandbox("bob").products.count()).toBe(5);
    await sandbox.removeSandbox();
    expect(await sandbox.products.count()).toBe(5);
  });

  test("errors have the code, the message and what breaks the rules", async () => {
    const { client } = await start();
    const missing = await client.products.get(99).catch((reason: unknown) => reason);
    expect(missing).toBeInstanceOf(module.StandinClientError);
    expect(missing).not.toBeInstanceOf(module.StandinConflictError);
    expect(missing).toMatchObject({
      ...{ name: "StandinClientError", status: 404, code: "RECORD_NOT_FOUND", violations: [] },
      message: 'products has no record with id "99". GET /products lists those it has.',
    });
    const ruled = await startApi({ data: shopData(), rules: { products: { properties: { price: { minimum: 0 } } } } });
    const broken = new module.StandinClient({ url: ruled.url }).products.update(1, { price: -1 });
    const violations = [expect.objectContaining({ pointer: "/price", rule: "minimum" })];
    await expect(broken).rejects.toMatchObject({ status: 422, code: "RECORD_INVALID", violations });
    const page = { fetch: async () => new Response("<h1>Bad Gateway</h1>", { status: 502 }) };
    await expect(new module.StandinClient(page).products.list()).rejects.toMatchObject({
      ...{ status: 502, code: "HTTP_502", body: "<h1>Bad Gateway</h1>" },
    });
    await expect(client.products.delete({} as Product)).rejects.toThrow("/products: this record has no id");
  });

  test("headers go with every request, and a request can be cancelled", async () => {
    const layers = { "api-key": { keys: ["typescript-example-key"] } };
    const api = await startApi({ data: shopData(), middlewares: ["api-key"], layers });
    const headers = { "X-API-KEY": "typescript-example-key" };
    expect(await new module.StandinClient({ url: api.url, headers }).products.count()).toBe(5);
    const { products } = new module.StandinClient({ url: api.url });
    await expect(products.list()).rejects.toMatchObject({ status: 401, code: "API_KEY_MISSING" });
    await expect(products.list({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });
});

test("every member of odd data is a property of the client", async () => {
  const { StandinClient } = await load<Record<string, StandinCollection<unknown, string>>>(texts.get("odd names")!);
  const api = await startApi({ data: structuredClone(ODD_NAMES) });
  const client = new StandinClient({ url: api.url });
  const keys = ["class", "_2nd", "产品", "aBCDE", "orderLines", "orderLines2", "constructor2", "inSandbox2"];
  for (const key of [...keys, "RemoveSandboxAsync", "empty", "bare", "mixed"]) {
    expect(await client[key]!.list(), key).toBeInstanceOf(Array);
  }
  expect(await client.aBCDE!.get("x/y")).toEqual({ id: "x/y" });
  expect(await client.产品!.get("一")).toEqual({ id: "一", 名: "甲" });
  expect(await (client.promise as unknown as StandinSingleton<unknown>).get()).toEqual({ kept: "later" });
});

test("the program of the page prints what the page says", async () => {
  const api = await startApi({ data: dataOfPage() });
  const program = fileOfPage("report.ts");
  const client = await writtenFor({ data: dataOfPage() }, "client");
  const folder = createFolder();
  for (const [name, text] of [
    ["client.mjs", client],
    ["report.mjs", program.replace("./client.ts", "./client.mjs").replace("http://localhost:3000", api.url)],
  ] as const) {
    writeFileSync(join(folder, name), (await transform(text, { loader: "ts", target: "node20" })).code);
  }
  const { exit, output } = runKept([], folder, {}, join(folder, "report.mjs"));
  expect([await exit, output.stderr]).toEqual([0, ""]);
  expect(output.stdout.trimEnd().split("\n")).toEqual(shownBehind("console.log(", program));
});

test("the codes that the client names are those of the server", () => {
  const [, union = ""] = /type StandinErrorCode =([^;]*);/.exec(texts.get("shop")!) ?? [];
  const codes = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !(code in ERRORS))).toEqual([]);
});

test("uploads files to fields, and alone", async () => {
  interface WithFiles {
    readonly products: StandinCollection<{ id: number; photo: StandinFile; manuals: StandinFile[] }, number>;
    uploadFile(file: Blob): Promise<StandinFile>;
  }
  const { StandinClient } = await load<WithFiles>(texts.get("files")!);
  const api = await startApi({ data: { products: [{ id: 1, name: "Hat" }] } });
  const client = new StandinClient({ url: api.url });
  const hat = await client.products.get(1);
  const uploaded = await client.products.upload(hat, "photo", new File(["hat"], "hat.txt", { type: "text/plain" }));
  expect(uploaded).toMatchObject({ id: 1, name: "Hat", photo: { name: "hat.txt", type: "text/plain", size: 3 } });
  expect(await (await fetch(api.url + uploaded.photo.url)).text()).toBe("hat");
  await expect(client.products.upload(hat, "photo", new Blob(["old"]))).rejects.toMatchObject({ status: 412 });
  const alone = await client.uploadFile(new File(["alone"], "alone.txt"));
  const { manuals } = await client.products.update(1, { manuals: [alone] });
  expect(manuals).toEqual([alone]);
});

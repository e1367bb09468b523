import { execFile, execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import openapiTS from "openapi-typescript";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { generateDataset } from "../../../src/schema/generate/dataset.ts";
import { startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";

const CLIENT = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Product = components["schemas"]["Product"];
const client = createClient<paths>({ baseUrl: process.argv[2]! });

const list = await client.GET("/products", { params: { query: { price_gte: 10, _sort: "price", _page: 1, _limit: 3 } } });
const products: Product[] = list.data!;
const made = await client.POST("/products", { body: { name: "Made", price: 5, company_id: 1 } });
const id: number = made.data!.id;
const changed = await client.PATCH("/products/{id}", { params: { path: { id } }, body: { price: 6 } });
const read = await client.GET("/products/{id}", { params: { path: { id }, query: { _expand: ["company"] } } });
const children = await client.GET("/companies/{id}/products", { params: { path: { id: 1 } } });
const gone = await client.DELETE("/products/{id}", { params: { path: { id } } });
const missing = await client.GET("/products/{id}", { params: { path: { id: 123456 } } });
console.log(JSON.stringify({
  prices: products.map((product) => product.price),
  total: list.response.headers.get("X-Total-Count"),
  changed: changed.data!.price,
  company: read.data!.company!.id,
  children: children.data!.length > 0,
  gone: gone.response.status,
  code: missing.error!.code,
}));
`;

/** Code that must not type-check, one mistake per line. */
const MISTAKES = [
  `await client.GET("/nothing", {});`,
  `await client.GET("/products/{id}", { params: { path: { id: "one" } } });`,
  `await client.POST("/products", { body: { price: "cheap" } });`,
  `const wrong: string = (await client.GET("/products", {})).data![0]!.price;`,
];

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    lib: ["es2023", "dom"],
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    outDir: "out",
  },
  files: ["client.ts"],
};

test("a client generated from the description type-checks, works over HTTP, and notices mistakes", async () => {
  const data = JSON.parse([...generateDataset({ products: 50, companies: 5, seed: 3 })].join("")) as JsonObject;
  const api = await startApi({ data });
  const document = (await api.ask("GET /__openapi.json")).body as Parameters<typeof openapiTS>[0];
  const folder = createFolder({ "package.json": { type: "module" }, "tsconfig.json": TSCONFIG });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "api.d.ts"), await openapiTS(document));
  writeFileSync(join(folder, "client.ts"), CLIENT);
  expect(typeCheck(folder)).toBe("");
  const printed = JSON.parse(await runClient(folder, api.url)) as Record<string, unknown>;
  expect(printed).toMatchObject({
    total: expect.stringMatching(/^\d+$/),
    changed: 6,
    company: 1,
    gone: 200,
    code: "RECORD_NOT_FOUND",
  });
  const prices = printed.prices as number[];
  expect(prices).toHaveLength(3);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));

  writeFileSync(join(folder, "client.ts"), `${CLIENT}\n${MISTAKES.join("\n")}\nexport { wrong };\n`);
  const lines = CLIENT.split("\n").length;
  const found = [...typeCheck(folder).matchAll(/client\.ts\((\d+),/g)].map(([, line]) => Number(line) - lines);
  expect(new Set(found)).toEqual(new Set([1, 2, 3, 4]));
});

/** The output of the compiler; empty on success. */
function typeCheck(folder: string): string {
  try {
    execFileSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], {
      cwd: folder,
    });
    return "";
  } catch (thrown) {
    return String((thrown as { stdout: Buffer }).stdout);
  }
}

async function runClient(folder: string, url: string): Promise<string> {
  return (await promisify(execFile)(process.execPath, ["out/client.js", url], { cwd: folder })).stdout;
}

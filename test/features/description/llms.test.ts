import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { generateDataset } from "../../../src/schema/generate/dataset.ts";
import { type Api, startApi } from "../../support/api.ts";
import { ODD_DATABASES } from "../../support/odd-databases.ts";

const shop = (): JsonObject =>
  JSON.parse([...generateDataset({ products: 30, companies: 5, seed: 1 })].join("")) as JsonObject;

/** The requests of the guide, each as `GET /products?...`, with the body of a write. */
async function examplesOf({ url }: Api): Promise<{ text: string; requests: [line: string, body?: Json][] }> {
  const response = await fetch(`${url}/llms.txt`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  const requests = [...text.matchAll(/^- (GET|POST|PATCH) (\/\S*?)(?: (\{.*\}))?(?:: .*)?$/gm)].map(
    ([, method, path, body]): [string, Json?] => {
      const line = `${method} ${path}`;
      return body ? [line, JSON.parse(body) as Json] : [line];
    },
  );
  return { text, requests: requests.filter(([line]) => line !== "POST /__batch") };
}

async function expectToWork(api: Api, requests: readonly [line: string, body?: Json][]): Promise<void> {
  for (const [line, body] of requests) {
    const answer = await api.ask(line, body === undefined ? {} : { body });
    expect([line, answer.status]).toEqual([line, line.startsWith("POST") ? 201 : 200]);
    const isFound = !line.includes("q=word") && Array.isArray(answer.body) ? answer.body.length > 0 : true;
    expect([line, isFound]).toEqual([line, true]);
  }
}

test("says what there is, and every example in it works", async () => {
  const api = await startApi({ data: shop() });
  const { text, requests } = await examplesOf(api);
  expect(text).toContain("- /products: 30 records with id (integer), ");
  expect(text).toMatch(/company_id \(integer, refers to companies\)/);
  const lines = requests.map(([line]) => line);
  expect(lines).toContain("GET /products/1");
  expect(lines).toContain("GET /products?_expand=company&_limit=10");
  expect(lines).toContain("GET /companies?_embed=products&_limit=10");
  expect(lines.some((line) => line.startsWith("POST /products"))).toBe(true);
  expect(lines.some((line) => line.startsWith("PATCH /products/1"))).toBe(true);
  await expectToWork(api, requests);
});

for (const [name, data] of Object.entries(ODD_DATABASES)) {
  test(`works for ${name}`, async () => {
    const api = await startApi({ data: structuredClone(data) });
    await expectToWork(api, (await examplesOf(api)).requests);
  });
}

test("has the rules of records, and examples that keep them", async () => {
  const rules = {
    products: {
      type: "object",
      required: ["sku", "price"],
      properties: {
        sku: { type: "string", pattern: "^[A-Z]+$" },
        price: { type: "number", minimum: 0, exclusiveMaximum: 100 },
        status: { enum: ["new", "old"] },
      },
      "x-unique": ["sku"],
      "x-references": { maker: "companies" },
    },
  };
  const products = [{ id: 1, sku: "A", price: 5, status: "new", maker: 1 }];
  const api = await startApi({ data: { products, companies: [{ id: 1, name: "Acme" }] }, rules });
  const { text, requests } = await examplesOf(api);
  expect(text).toContain("sku (string, pattern ^[A-Z]+$, required, unique)");
  expect(text).toContain("price (number, at least 0, less than 100, required)");
  expect(text).toContain('status ("new" | "old")');
  expect(text).toContain("maker (integer, refers to companies)");
  expect(text).toContain("refused with 422");
  expect(requests.filter(([line]) => line.startsWith("POST"))).toEqual([]);
  await expectToWork(api, requests);
});

test("has no writes where there are none, and is not there without the console", async () => {
  const api = await startApi({ data: shop(), readOnly: true });
  const { text, requests } = await examplesOf(api);
  expect(text).toContain("Read-only.");
  expect(requests.every(([line]) => line.startsWith("GET"))).toBe(true);
  const plain = await startApi({ data: shop(), console: false });
  expect((await plain.ask("GET /llms.txt")).status).toBe(404);
});

test("names the layers, and credentials only where one of them asks for any", async () => {
  const open = await startApi({ middlewares: ["cors"] });
  const { text } = await open.ask("GET /llms.txt");
  expect(text).toContain("Requests pass these layers: cors.\n");
  const guarded = await startApi({
    middlewares: ["cors", "bearer"],
    layers: { bearer: { token: "not-a-real-token" } },
  });
  const headers = { Authorization: "Bearer not-a-real-token" };
  expect((await guarded.ask("GET /llms.txt", { headers })).text).toContain(
    "Requests pass these layers: cors, bearer. 401 means that credentials are missing.",
  );
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askAt, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, type Served } from "../support/cli.ts";
import { answering, runKept, serveKept } from "../support/kept-process.ts";
import { askRaw, exchangeBytes, parseAnswer } from "../support/raw.ts";

/** Serves a folder whose db.json is the catalog, from the command line, for one test. */
async function serveCatalog(files: Readonly<Record<string, unknown>> = {}): Promise<Served & { file: string }> {
  const folder = createFolder({ "db.json": catalog(), ...files });
  const served = await serveKept(["db.json"], folder);
  onTestFinished(async () => {
    await served.stop();
  });
  return { ...served, file: join(folder, "db.json") };
}

function readDatabase(file: string): ReturnType<typeof catalog> {
  return JSON.parse(readFileSync(file, "utf8"));
}

describe("the two collections come from a JSON data file", () => {
  test("one top-level key per collection, served under its name", async () => {
    const { url } = await serveCatalog();
    expect((await askAt(url, "GET /products")).body).toEqual(catalog().products);
    expect((await askAt(url, "GET /companies")).body).toEqual(catalog().companies);
  });

  test("a key that the file does not have is not a collection", async () => {
    const { url } = await serveCatalog();
    expect((await askAt(url, "GET /customers")).status).toBe(404);
  });
});

describe("no client identification, and JSON for every request", () => {
  test("a request without Accept and User-Agent gets a response", async () => {
    const { port } = await startApi();
    const answer = await askRaw(port, "GET /products/1");
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual(catalog().products[0]);
  });

  test("so is one of HTTP/1.0 without any header", async () => {
    const { port } = await startApi();
    const answer = parseAnswer(await exchangeBytes(port, "GET /products/1 HTTP/1.0\r\n\r\n"));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual(catalog().products[0]);
  });

  for (const accept of [
    "application/json",
    "application/xml",
    "text/html",
    "image/png",
    "text/plain;q=0",
    "nonsense",
  ]) {
    for (const path of ["/products", "/products/1", "/companies", "/db", "/__rules", "/products/999", "/nowhere"]) {
      test(`GET ${path} with Accept: ${accept} -> JSON`, async () => {
        const api = await startApi();
        const { headers, body } = await api.ask(`GET ${path}`, { headers: { Accept: accept } });
        expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
        expect(body).toBeDefined();
      });
    }
  }
});

describe("data-changing calls are persisted into the data file", () => {
  test("POST, PUT, PATCH and DELETE are in the file after a stop", async () => {
    const { url, file, stop } = await serveCatalog();
    await askAt(url, "POST /products", { body: { name: "Paper Kite", price: 3.5, company_id: 2 } });
    await askAt(url, "PUT /products/1", { body: { id: 1, name: "Steel Cap", price: 11, company_id: 1 } });
    await askAt(url, "PATCH /companies/3", { body: { name: "Corto & Sons" } });
    await askAt(url, "DELETE /products/12");
    expect(await stop()).toBe(0);

    const { products, companies } = readDatabase(file);
    expect(products).toEqual([
      { id: 1, name: "Steel Cap", price: 11, company_id: 1 },
      ...catalog().products.slice(1, 11),
      { name: "Paper Kite", price: 3.5, company_id: 2, id: 13 },
    ]);
    expect(companies).toEqual([
      ...catalog().companies.slice(0, 2),
      { ...catalog().companies[2], name: "Corto & Sons" },
    ]);
  });

  test("another start serves what the first one wrote", async () => {
    const { url, file, stop } = await serveCatalog();
    await askAt(url, "POST /companies", { body: { name: "Delta" } });
    await stop();
    const again = await serveKept([file], createFolder());
    expect((await askAt(again.url, "GET /companies/4")).body).toEqual({ name: "Delta", id: 4 });
    await again.stop();
  });

  test("the file is UTF-8, 2-space JSON with a final newline, its keys in their order", async () => {
    const { url, file, stop } = await serveCatalog();
    await askAt(url, "PATCH /products/1", { body: { name: "Hütchen 帽子 🎩" } });
    await stop();
    const expected = catalog();
    expected.products[0] = { id: 1, name: "Hütchen 帽子 🎩", price: 10, company_id: 1 };
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(expected, null, 2)}\n`);
  });

  test("a refused call changes nothing in the file", async () => {
    const { url, file, stop } = await serveCatalog();
    expect((await askAt(url, "POST /products", { body: { id: 1 } })).status).toBe(409);
    expect((await askAt(url, "PUT /products/99", { body: {} })).status).toBe(404);
    await stop();
    expect(readDatabase(file)).toEqual(catalog());
  });
});

describe("GET /db is the whole database", () => {
  test("every collection, as it is now", async () => {
    const api = await startApi();
    expect((await api.ask("GET /db")).body).toEqual(catalog());
    await api.ask("DELETE /companies/1");
    const after = catalog();
    after.companies.shift();
    expect((await api.ask("GET /db")).body).toEqual(after);
  });

  test("singletons and $schema belong to it, in the order of the data", async () => {
    const data = { $schema: "./shop.json", profile: { name: "shop" }, products: [{ id: 1 }] };
    const api = await startApi({ data: structuredClone(data) });
    expect((await api.ask("GET /db")).text).toBe(JSON.stringify(data));
  });
});

describe("the optional configuration file", () => {
  test("every key that is built does what the table of keys says, in one file", async () => {
    const config = {
      port: 0,
      host: "0.0.0.0",
      quiet: true,
      "no-cors": true,
      "no-gzip": true,
      routes: "routes.json",
      id: "sku",
      foreignKeySuffix: "Ref",
      bodyParser: true,
    };
    const data = { companies: [{ sku: "a" }], products: [{ sku: 1, companyRef: "a", text: "x".repeat(2000) }] };
    const rules = { "/api/v1/*": "/$1" };
    const folder = createFolder({ "db.json": data, "standin.json": config, "routes.json": rules });
    const { url, output, stop } = await answering(runKept(["db.json"], folder));
    const answer = await askAt(url, "GET /api/v1/products/1?_expand=company", {
      headers: { Origin: "http://page.example", "Accept-Encoding": "gzip" },
    });
    expect(answer.body).toEqual({ ...data.products[0], company: data.companies[0] });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect((await askAt(url, "POST /products", { body: { a: 1 } })).body).toEqual({ a: 1, sku: 2 });
    expect(await stop()).toBe(0);
    // With port 0, nobody would know the address.
    expect(output.stdout).toMatch(/^http:\/\/localhost:\d+\n$/);
  });

  test("host is localhost by default: both of its addresses respond", async () => {
    const { port } = await startApi();
    for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
      expect((await askAt(`http://${host}:${port}`, "GET /products/1")).status, host).toBe(200);
    }
  });

  test("--config names another file, and a flag wins over it", async () => {
    const folder = createFolder({ "db.json": catalog(), "other.json": { "read-only": true, port: 1 } });
    const served = await serveKept(["db.json", "--config", "other.json"], folder);
    expect((await askAt(served.url, "DELETE /products/1")).status).toBe(403);
    await served.stop();
  });
});

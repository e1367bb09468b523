import { readdirSync } from "node:fs";
import { Agent } from "node:http";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Api, askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { openHosted, serveHosted } from "../support/hosted.ts";
import { limit } from "../support/limits.ts";
import { SEGMENTS, VALUES } from "./odd-words.ts";

/** Headers that hosted mode reads. */
const HEADERS = [
  "x-mock-response-code",
  "x-mock-response-name",
  "x-mock-response-id",
  "x-mock-match-request-headers",
  "x-mock-match-request-body",
  "prefer",
  "accept",
];

describe("hosted mode under attack", () => {
  let api: Api & { close(): Promise<void> };
  beforeAll(async () => {
    api = await openHosted("test/hosted/fixtures/shop.postman_collection.json");
  });
  afterAll(() => api.close());

  test("no path, parameter or header makes it fail, and every refusal is JSON", async () => {
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const lines = [
      ...SEGMENTS.flatMap((word) => [`GET /${word}`, `GET /products/${word}`, `GET /products/1/texts/${word}`]),
      ...VALUES.flatMap((word) => [`GET /products/1/texts/fr?tone=${word}`, `POST /orders?${word}=${word}`]),
    ];
    for (const line of lines) {
      const { status, body, text } = await api.ask(line, { agent });
      expect(status, line).toBeLessThan(500);
      if (status >= 400 && !text.includes("No such product")) expect(body, line).toHaveProperty("code");
    }
    for (const name of HEADERS) {
      for (const value of [...SEGMENTS, ...VALUES]) {
        const { status } = await api.ask("POST /orders", { headers: { [name]: value }, body: { a: 1 }, agent });
        expect(status, `${name}: ${value}`).toBeLessThan(500);
      }
    }
  });

  test("names that every object has are names like others", async () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      const headers = { "x-mock-match-request-headers": name };
      expect((await api.ask("GET /products", { headers })).status, name).toBe(200);
      expect((await api.ask(`GET /${name}`)).status).toBe(404);
      expect((await api.ask("GET /products", { headers: { "x-mock-response-name": name } })).status).toBe(404);
      expect((await api.ask("GET /products", { headers: { prefer: `${name}=1` } })).status).toBe(200);
    }
  });

  test("a broken escape in a path is 400", async () => {
    expect((await api.ask("GET /products/%zz")).body).toHaveProperty("code", "PATH_MALFORMED");
    expect((await api.ask("GET /products/%ff")).body).toHaveProperty("code", "PATH_MALFORMED");
  });

  test("a captured value cannot leave its place in JSON", async () => {
    const values = ['1,"admin":true', '"}', "\\", "\u2028", "{{language}}", "null", "1e999", "01", "-", "--1", "1.5"];
    for (const value of values) {
      const answer = await api.ask(
        `GET /products/${encodeURIComponent(value)}/texts/${encodeURIComponent(value)}?tone=${encodeURIComponent(value)}`,
      );
      const body = answer.body as Record<string, unknown>;
      expect(Object.keys(body), value).toEqual(["product", "language", "tone", "kept"]);
      expect(body.language, value).toBe(value);
    }
  });

  test("long headers and paths get a response like others", async () => {
    const long = "a".repeat(12_000);
    const cases = [
      ["GET /products", { prefer: long }],
      ["GET /products", { prefer: "a=".repeat(6000) }],
      ["GET /products", { prefer: `${"\t ".repeat(6000)}x` }],
      ["GET /products", { "x-mock-match-request-headers": "a,".repeat(6000) }],
      [`GET /${long}`, {}],
      [`GET ${"/".repeat(12_000)}x`, {}],
      [`GET /products${"/".repeat(12_000)}`, {}],
      [`GET ${"/a".repeat(6000)}`, {}],
      [`GET /products?${"a=1&".repeat(3000)}`, {}],
    ] as const;
    for (const [line, headers] of cases) {
      expect((await api.ask(line, { headers })).status).toBeLessThan(500);
    }
  });

  test("a path of many slashes is read in one go", async () => {
    const { user: before } = process.cpuUsage();
    for (let at = 0; at < 12; at++) await api.ask(`GET ${"/".repeat(15_000)}${at}`);
    // At every slash anew, it takes seconds.
    expect(process.cpuUsage().user - before).toBeLessThan(limit(500) * 1000);
  });

  test("a body is read only to be compared, and then within bounds", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const headers = { "x-mock-match-request-body": "true" };
    expect((await api.ask("POST /orders", { body: deep })).status).toBe(201);
    expect((await api.ask("POST /orders", { body: deep, headers })).status).toBe(404);
    expect((await api.ask("POST /orders", { body: "\u0000\ufffd", headers })).status).toBe(404);
    const huge = Buffer.alloc(11 * 2 ** 20, 0x20);
    expect((await api.ask("POST /orders", { body: huge, headers })).body).toHaveProperty("code", "BODY_TOO_LARGE");
    const zipped = { ...headers, "content-encoding": "gzip" };
    expect((await api.ask("POST /orders", { body: "no gzip", headers: zipped })).body).toHaveProperty(
      "code",
      "BODY_MALFORMED",
    );
  });

  test("names of the prototype in a document are names like others", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const collection = JSON.parse(
      JSON.stringify({
        info: { name: "x" },
        variable: names.map((key) => ({ key, value: `v-${key}` })),
        item: names.map((name) => ({
          request: { url: { raw: `/${name}/:id`, variable: [{ key: "id", value: name }] } },
          response: [{ name, code: 200, header: [{ key: name, value: "x" }], body: `{"${name}":"{{${name}}}"}` }],
        })),
      }),
    );
    const folder = createFolder({ "x.json": collection });
    const hosted = await openHosted(`${folder}/x.json`);
    for (const name of names) {
      const { status, text } = await hosted.ask(`GET /${name}/7`);
      expect([status, text]).toEqual([200, `{"${name}":"v-${name}"}`]);
    }
    await hosted.close();
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

test("no request writes anything", async () => {
  const folder = createFolder();
  const server = await serveHosted([resolve("test/hosted/fixtures/library.openapi.yaml")], folder);
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    for (const path of ["/books", "/books/1", "/__reset", "/__snapshots__", "/db", "/../../etc/passwd"]) {
      await askAt(server.url, `${method} ${path}`, method === "GET" ? {} : { body: { id: 1 } });
    }
  }
  expect(await server.stop()).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

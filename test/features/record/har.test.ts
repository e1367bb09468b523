import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { busiestOrigin, readHar } from "../../../src/features/record/read-har.ts";
import { createStandin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { HAR_SCHEMA } from "../../support/har-schema.ts";

test("GET /__requests?format=har is a valid archive of the traffic, without its secrets", async () => {
  await using api = await createStandin({ data: { products: [{ id: 1, name: "Hat" }] } });
  await askAt(api.url, "GET /products?token=hidden-0123456789&name=Hat");
  await askAt(api.url, "POST /products", { body: { name: "Cap", password: "hidden-0123456789" } });
  const response = await fetch(`${api.url}/__requests?format=har`);
  const text = await response.text();
  const validate = new Ajv({ strict: false, formats: { uri: true } }).compile(HAR_SCHEMA);
  expect(validate(JSON.parse(text)) || validate.errors).toBe(true);
  expect(text).not.toContain("hidden-0123456789");
  const read = readHar(text, "traffic.har");
  expect(read.map(({ exchange: { method, url, status } }) => `${method} ${url} ${status}`)).toEqual([
    "GET /products?token=...&name=Hat 200",
    "POST /products 201",
  ]);
  expect(JSON.parse(read[0]?.exchange.responseBody ?? "")).toEqual([{ id: 1, name: "Hat" }]);
  expect(read[1]).toMatchObject({ origin: api.url, exchange: { mediaType: "application/json" } });
});

test("GET /__requests?format=xml is 400 and names the formats", async () => {
  await using api = await createStandin({ data: {} });
  const { status, body } = await askAt(api.url, "GET /__requests?format=xml");
  expect([status, body]).toMatchObject([400, { code: "QUERY_INVALID", message: expect.stringContaining('"har"') }]);
});

const entry = (url: string, content: object, status = 200): object => ({
  startedDateTime: "2026-01-02T03:04:05.000Z",
  request: {
    method: "get",
    url,
    headers: [
      { name: ":path", value: "/" },
      { name: "Accept", value: "*/*" },
    ],
  },
  response: { status, headers: [], content },
});

test("an archive of a page is read with base64 bodies, and without blocked requests, sockets and data addresses", () => {
  const read = readHar(
    `\uFEFF${JSON.stringify({
      log: {
        entries: [
          entry("https://app.test/", { mimeType: "text/html", text: "<p>" }),
          entry("https://app.test/a.js", { mimeType: "text/javascript", text: "1" }),
          entry("https://api.test/v1/a?b=1", {
            mimeType: "application/json; charset=utf-8",
            text: Buffer.from('{"a":"é"}').toString("base64"),
            encoding: "base64",
          }),
          entry("https://api.test/x.png", { mimeType: "image/png", text: "iVBORw0KGgo=", encoding: "base64" }),
          entry("https://api.test/blocked", {}, 0),
          entry("wss://api.test/socket", {}, 101),
          entry("data:text/plain,x", {}),
        ],
      },
    })}`,
    "page.har",
  );
  expect(read.map(({ exchange }) => exchange.url)).toEqual(["/", "/a.js", "/v1/a?b=1", "/x.png"]);
  expect(busiestOrigin(read)).toBe("https://api.test");
  expect(read[2]?.exchange).toMatchObject({
    method: "GET",
    mediaType: "application/json",
    responseBody: '{"a":"é"}',
    requestHeaders: [["Accept", "*/*"]],
  });
  expect(read[3]?.exchange.responseBody).toBeUndefined();
});

test("a file that is no archive is refused by name", () => {
  expect(() => readHar("{}", "shop.har")).toThrow('shop.har is not an HTTP archive: it has no list "log.entries".');
  expect(() => readHar("x", "shop.har")).toThrow(/^shop\.har is not an HTTP archive: /);
});

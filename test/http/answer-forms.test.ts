import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";

describe("JSON text", () => {
  test("is compact", async () => {
    const api = await startApi();
    expect((await api.ask("GET /products/1")).text).toBe(JSON.stringify(catalog().products[0]));
    expect((await api.ask("GET /products")).text).toBe(JSON.stringify(catalog().products));
  });

  test("is indented by two with --pretty, errors too", async () => {
    const api = await startApi({ pretty: true });
    expect((await api.ask("GET /products/1")).text).toBe(JSON.stringify(catalog().products[0], null, 2));
    expect((await api.ask("GET /db")).text).toBe(JSON.stringify(catalog(), null, 2));
    const { text, body } = await api.ask("GET /nowhere");
    expect(text).toBe(JSON.stringify(body, null, 2));
  });
});

describe("compression", () => {
  /** A record whose compact JSON has exactly this many bytes. */
  const recordOf = (bytes: number) => ({ id: 1, text: "x".repeat(bytes - '{"id":1,"text":""}'.length) });

  const cases: [bytes: number, accepted: string, encoding: string | null][] = [
    [1024, "gzip", "gzip"],
    [1024, "br", "br"],
    [1024, "gzip, deflate, br", "br"],
    [1024, "br;q=0.5, gzip", "gzip"],
    [1024, "gzip;q=0", null],
    [1024, "identity", null],
    [1024, "deflate", null],
    [1024, "*", "br"],
    [1024, "", null],
    [1023, "gzip", null],
    [1023, "br", null],
    [20, "gzip, br", null],
  ];
  for (const [bytes, accepted, encoding] of cases) {
    test(`${bytes} bytes for Accept-Encoding: ${accepted} -> ${encoding ?? "as they are"}`, async () => {
      const record = recordOf(bytes);
      const api = await startApi({ data: { products: [record] } });
      const answer = await api.ask("GET /products/1", { headers: { "Accept-Encoding": accepted } });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      const unpacked =
        encoding === "gzip"
          ? gunzipSync(answer.bytes)
          : encoding === "br"
            ? brotliDecompressSync(answer.bytes)
            : answer.bytes;
      expect(unpacked.toString()).toBe(JSON.stringify(record));
      expect(answer.headers.get("vary")).toMatch(/\bAccept-Encoding\b/);
      expect(answer.headers.get("content-length")).toBe(String(answer.bytes.length));
    });
  }

  test("the size is counted in bytes, not characters", async () => {
    const api = await startApi({ data: { products: [{ id: 1, text: "ä".repeat(600) }] } });
    const { headers } = await api.ask("GET /products/1", { headers: { "Accept-Encoding": "gzip" } });
    expect(headers.get("content-encoding")).toBe("gzip");
  });

  test("without Accept-Encoding there is none", async () => {
    const api = await startApi({ data: { products: [recordOf(5000)] } });
    expect((await api.ask("GET /products/1")).headers.get("content-encoding")).toBeNull();
  });

  test("with no-gzip there is none, and Vary does not speak of it", async () => {
    const api = await startApi({ data: { products: [recordOf(5000)] }, compression: false });
    const { headers } = await api.ask("GET /products/1", { headers: { "Accept-Encoding": "gzip, br" } });
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("vary") ?? "").not.toMatch(/Accept-Encoding/);
  });

  test("HEAD says the length that GET has", async () => {
    const api = await startApi({ data: { products: [recordOf(5000)] } });
    const headers = { "Accept-Encoding": "gzip" };
    const [head, get] = [await api.ask("HEAD /products/1", { headers }), await api.ask("GET /products/1", { headers })];
    expect(head.headers.get("content-length")).toBe(String(get.bytes.length));
    expect(head.bytes.length).toBe(0);
  });
});

describe("JSONP", () => {
  const cases: [path: string, status: number, script: (json: string) => string][] = [
    ["/products/1?callback=show", 200, (json) => `/**/ typeof show === 'function' && show(${json});`],
    [
      "/products?id=1&callback=my.app.show",
      200,
      (json) => `/**/ typeof my.app.show === 'function' && my.app.show([${json}]);`,
    ],
    ["/products/1?callback=a[0].$b_1", 200, (json) => `/**/ typeof a[0].$b_1 === 'function' && a[0].$b_1(${json});`],
    ["/products/1?callback=alert(1);x", 200, (json) => `/**/ typeof alert1x === 'function' && alert1x(${json});`],
  ];
  for (const [path, status, script] of cases) {
    test(`GET ${path}`, async () => {
      const api = await startApi();
      const answer = await api.ask(`GET ${path}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/javascript; charset=utf-8"]);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.text).toBe(script(JSON.stringify(catalog().products[0])));
    });
  }

  test("an error is called back, too", async () => {
    const api = await startApi();
    const { status, text } = await api.ask("GET /products/99?callback=show");
    expect(status).toBe(404);
    expect(text).toMatch(/^\/\*\*\/ typeof show === 'function' && show\(\{"error":.*"RECORD_NOT_FOUND"\}\);$/);
  });

  test("/db works, and line separators are escaped", async () => {
    const api = await startApi({ data: { products: [{ id: 1, name: "a\u2028b\u2029c" }] } });
    const { text } = await api.ask("GET /db?callback=f");
    expect(text).toBe(`/**/ typeof f === 'function' && f({"products":[{"id":1,"name":"a\\u2028b\\u2029c"}]});`);
  });

  test("an empty callback is none", async () => {
    const api = await startApi();
    expect((await api.ask("GET /products/1?callback=")).headers.get("content-type")).toMatch(/json/);
  });

  test("callback is not a filter", async () => {
    const api = await startApi({ data: { products: [{ id: 1, callback: "a" }] } });
    expect((await api.ask("GET /products?callback=show")).text).toContain('show([{"id":1,"callback":"a"}])');
  });
});

import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { askRaw } from "../support/raw.ts";

describe("HEAD, OPTIONS and method override", () => {
  for (const path of ["/products", "/products/1", "/products?_page=2&_limit=5", "/db", "/__rules", "/", "/stats"]) {
    test(`HEAD ${path} -> as GET, no body`, async () => {
      const { port } = await startApi();
      const get = await askRaw(port, `GET ${path}`);
      const head = await askRaw(port, `HEAD ${path}`);
      const { date: _get, ...expected } = get.headers;
      const { date: _head, ...headers } = head.headers;
      expect([head.status, head.body, headers]).toEqual([200, "", expected]);
      expect(Number(headers["content-length"])).toBe(get.body.length);
    });
  }

  for (const path of ["/products/99", "/nowhere"]) {
    test(`HEAD ${path} -> 404, no body`, async () => {
      const { port } = await startApi();
      const answer = await askRaw(port, `HEAD ${path}`);
      expect([answer.status, answer.body]).toEqual([404, ""]);
    });
  }

  for (const path of ["/products", "/products/1", "/db", "/nowhere", "/a/b/c/d", "/%ff"]) {
    test(`OPTIONS ${path} -> 204 preflight`, async () => {
      const api = await startApi();
      const { status, headers, text } = await api.ask(`OPTIONS ${path}`, {
        headers: { Origin: "http://page.example", "Access-Control-Request-Headers": "x-api-key, content-type" },
      });
      expect([status, text]).toEqual([204, ""]);
      expect(headers.get("access-control-allow-methods")).toBe("GET,HEAD,PUT,PATCH,POST,DELETE");
      expect(headers.get("access-control-allow-headers")).toBe("x-api-key, content-type");
      expect(headers.get("access-control-allow-origin")).toBe("http://page.example");
      expect(headers.get("access-control-allow-credentials")).toBe("true");
    });
  }

  test("OPTIONS /products without the cross-origin handling -> 204 with Allow", async () => {
    const api = await startApi({ cors: false });
    const { status, headers } = await api.ask("OPTIONS /products");
    expect([status, headers.get("allow")]).toEqual([204, "GET, HEAD, POST, PATCH, DELETE, QUERY, OPTIONS"]);
    expect(headers.get("access-control-allow-methods")).toBeNull();
  });

  const overridden: [wanted: string, path: string, status: number][] = [
    ["PUT", "/products/1", 200],
    ["patch", "/products/1", 200],
    ["Delete", "/products/1", 200],
    ["GET", "/products/1", 200],
    ["PUT", "/products", 405],
    ["NONSENSE", "/products", 201],
    ["", "/products", 201],
  ];
  for (const [wanted, path, status] of overridden) {
    test(`POST ${path} with X-HTTP-Method-Override: ${wanted} -> ${status}`, async () => {
      const api = await startApi();
      const headers = { "X-HTTP-Method-Override": wanted };
      expect((await api.ask(`POST ${path}`, { body: { name: "x" }, headers })).status).toBe(status);
    });
  }

  test("an overridden PUT replaces, PATCH merges, DELETE removes", async () => {
    const api = await startApi();
    const ask = (method: string) =>
      api.ask("POST /products/1", { body: { name: "x" }, headers: { "X-HTTP-Method-Override": method } });
    expect((await ask("PATCH")).body).toEqual({ ...catalog().products[0], name: "x" });
    expect((await ask("PUT")).body).toEqual({ id: 1, name: "x" });
    expect((await ask("DELETE")).body).toEqual({});
    expect((await api.ask("GET /products/1")).status).toBe(404);
  });

  for (const method of ["GET", "PUT"]) {
    test(`${method} is not overridden`, async () => {
      const api = await startApi();
      const body = method === "PUT" ? { name: "x" } : undefined;
      await api.ask(`${method} /products/1`, { body, headers: { "X-HTTP-Method-Override": "DELETE" } });
      expect((await api.ask("GET /products/1")).status).toBe(200);
    });
  }
});

describe("methods that a path does not offer", () => {
  const cases: [line: string, allow: string][] = [
    ["PUT /products", "GET, HEAD, POST, PATCH, DELETE, QUERY, OPTIONS"],
    ["POST /products/1", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["POST /products/999", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["DELETE /profile", "GET, HEAD, POST, PUT, PATCH, OPTIONS"],
    ["PUT /companies/1/products", "GET, HEAD, POST, QUERY, OPTIONS"],
    ["DELETE /companies/1/products", "GET, HEAD, POST, QUERY, OPTIONS"],
    ["POST /db", "GET, HEAD, OPTIONS"],
    ["DELETE /db", "GET, HEAD, OPTIONS"],
    ["PUT /__rules", "GET, HEAD, OPTIONS"],
    ["POST /stats", "GET, HEAD, OPTIONS"],
    ["POST /health-check", "GET, HEAD, OPTIONS"],
    ["POST /", "GET, HEAD, OPTIONS"],
    ["PROPFIND /products", "GET, HEAD, POST, PATCH, DELETE, QUERY, OPTIONS"],
    ["TRACE /products/1", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["M-SEARCH /products", "GET, HEAD, POST, PATCH, DELETE, QUERY, OPTIONS"],
  ];
  for (const [line, allow] of cases) {
    test(`${line} -> 405 METHOD_NOT_ALLOWED, Allow: ${allow}`, async () => {
      const { port } = await startApi({ data: { ...catalog(), profile: {} } });
      const { status, headers, body } = await askRaw(port, line);
      expect([status, headers.allow]).toEqual([405, allow]);
      expect(JSON.parse(body)).toEqual({
        error: "Method not allowed",
        message: expect.stringContaining(line.split(" ")[0]!),
        code: "METHOD_NOT_ALLOWED",
      });
    });
  }
});

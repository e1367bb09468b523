import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";

const PASS = resolve("test/fixtures/middlewares/pass.cjs");
const KEY = "my-key-0123456789";
const TOKEN = "the-one-fixed-token";
const LAYERS = {
  "api-key": { keys: [KEY] },
  bearer: { token: TOKEN },
  "signed-token": { secret: "a secret of thirty-two bytes, ok", users: [{ email: "a@b.c", password: "pw" }] },
  latency: { minMs: 1, maxMs: 2 },
  "rate-limit": { limit: 5 },
};
const REFUSALS: Readonly<Record<string, string>> = {
  "api-key": "API_KEY_MISSING",
  bearer: "AUTH_REQUIRED",
  "signed-token": "TOKEN_REQUIRED",
};

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]];
  return list.flatMap((first, position) =>
    permutations(list.filter((_, other) => other !== position)).map((rest) => [first, ...rest]),
  );
}

describe("the first guard in the list refuses", () => {
  for (const guards of permutations(["api-key", "bearer", "signed-token"])) {
    for (const position of [undefined, 0, 1, 3]) {
      const middlewares = position === undefined ? guards : guards.toSpliced(position, 0, PASS);
      const name = middlewares.map((entry) => (entry === PASS ? "an interceptor" : entry)).join(", ");
      test(`${name}: ${guards[0]}`, async () => {
        const api = await startLayered({ middlewares, layers: LAYERS });
        const { body, headers } = await api.ask("DELETE /products/1");
        expect(body).toMatchObject({ code: REFUSALS[guards[0]!] });
        // An interceptor behind the guard has seen nothing.
        expect(headers.has("x-seen")).toBe(position === 0);
        expect((await api.ask("DELETE /products/1", { headers: { "X-API-KEY": KEY } })).status).toBe(401);
      });
    }
  }
});

describe("every layer does its part wherever it stands", () => {
  const all = ["logger", "cors", "latency", "api-key", "bearer", "rate-limit"];
  const orders = [...all.map((_, shift) => [...all.slice(shift), ...all.slice(0, shift)]), all.toReversed()];
  for (const layered of orders) {
    for (const middlewares of [layered, [...layered.slice(0, 3), PASS, ...layered.slice(3)]]) {
      test(middlewares.map((entry) => (entry === PASS ? "an interceptor" : entry)).join(", "), async () => {
        const api = await startLayered({ middlewares, layers: LAYERS });
        const { status, headers, body } = await api.ask("GET /products/1", {
          headers: { "X-API-KEY": KEY, Authorization: `Bearer ${TOKEN}` },
        });
        expect([status, body]).toEqual([200, catalog().products[0]]);
        expect(headers.get("x-ratelimit-limit")).toBe("5");
        expect(headers.get("x-ratelimit-remaining")).toBe("4");
        expect(headers.get("x-authenticated-client")).toBe("generic");
        expect(headers.get("x-simulated-delay")).toMatch(/^[12]ms$/);
        expect(headers.get("x-server-time")).toMatch(/Z$/);
        expect(headers.get("access-control-allow-origin")).toBe("*");
        expect(api.requests).toHaveLength(1);
      });
    }
  }

  test("layers after a rejection add nothing", async () => {
    const api = await startLayered({ middlewares: ["bearer", "latency", "cors", "rate-limit"], layers: LAYERS });
    const { headers } = await api.ask("GET /products/1");
    for (const name of ["x-simulated-delay", "access-control-allow-methods", "x-ratelimit-limit"]) {
      expect(headers.has(name), name).toBe(false);
    }
  });

  test("layers before it have run", async () => {
    const api = await startLayered({ middlewares: ["latency", "cors", "rate-limit", "bearer"], layers: LAYERS });
    const { status, headers } = await api.ask("GET /products/1");
    expect(status).toBe(401);
    for (const name of ["x-simulated-delay", "access-control-allow-methods", "x-ratelimit-limit"]) {
      expect(headers.has(name), name).toBe(true);
    }
  });

  test("a layer that is listed twice is harmless", async () => {
    const api = await startLayered({ middlewares: ["api-key", "api-key", "cors", "cors"], layers: LAYERS });
    expect((await api.ask("GET /products/1", { headers: { "X-API-KEY": KEY } })).status).toBe(200);
  });
});

describe("guards come before everything that shows or changes data", () => {
  const rules = { "/api/v1/*": "/$1", "/search/:term": "/products?name_like=:term", "/dashboard": "/stats" };
  const lines = [
    "GET /",
    "GET /products",
    "GET /products/1",
    "GET /products/999",
    "HEAD /products",
    "GET /companies/1/products",
    "GET /profile",
    "GET /db",
    "GET /__rules",
    "GET /__snapshots__",
    "POST /__snapshots__",
    "PUT /__snapshots__/x",
    "DELETE /__snapshots__/x",
    "POST /__reset",
    "GET /__anything",
    "GET /stats",
    "GET /health-check",
    "GET /nowhere",
    "GET /%ff",
    "GET /api/v1/products",
    "GET /api/v1/db",
    "GET /search/steel",
    "GET /dashboard",
    "POST /products",
    "POST /api/v1/products",
    "POST /companies/1/products",
    "PUT /products/1",
    "PATCH /products/1",
    "DELETE /products/1",
    "PUT /profile",
    "TRACE /products",
  ];
  for (const guard of ["api-key", "bearer"]) {
    for (const middlewares of [[guard], [guard, PASS], [PASS, guard]]) {
      test(middlewares.map((entry) => (entry === PASS ? "an interceptor" : entry)).join(", "), async () => {
        const api = await startLayered({
          middlewares,
          layers: LAYERS,
          rules,
          data: { ...catalog(), profile: { name: "x" } },
        });
        for (const line of lines) {
          const { status, text } = await api.ask(line);
          expect(status, line).toBe(401);
          expect(text, line).not.toMatch(/Steel|Acme|products/);
        }
        for (const method of ["GET", "PUT", "PATCH", "DELETE", "HEAD"]) {
          const headers = { "X-HTTP-Method-Override": method };
          expect((await api.ask("POST /products/1", { headers })).status, `override to ${method}`).toBe(401);
        }
      });
    }
  }
});

test("the command line applies the order of the config file", async () => {
  const config = { middlewares: ["rate-limit", "bearer", "api-key"], layers: LAYERS };
  const served = await serveKept(["db.json"], createFolder({ "db.json": catalog(), "standin.json": config }));
  const refused = await fetch(`${served.url}/products`);
  expect([refused.status, refused.headers.get("x-ratelimit-remaining")]).toEqual([401, "4"]);
  expect(await refused.json()).toMatchObject({ code: "AUTH_REQUIRED" });
  const half = await fetch(`${served.url}/products`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect(await half.json()).toMatchObject({ code: "API_KEY_MISSING" });
  await served.stop();
});

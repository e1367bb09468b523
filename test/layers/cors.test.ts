import { describe, expect, test } from "vitest";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";

const KEY = "my-key-0123456789";
const TOKEN = "the-one-fixed-token";
const ORIGIN = "https://page.example";
const METHODS = "GET, POST, PUT, DELETE, PATCH, OPTIONS";
const HEADERS = "Origin, X-Requested-With, Content-Type, Accept, Authorization";

function crossOriginHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

const LISTED = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers": HEADERS,
};

describe("the three headers are on every response", () => {
  const cases: [line: string, status: number][] = [
    ["GET /products/1", 200],
    ["HEAD /products/1", 200],
    ["POST /companies/1/products", 201],
    ["PUT /products/1", 200],
    ["PATCH /products/1", 200],
    ["DELETE /products/2", 200],
    ["GET /db", 200],
    ["GET /nowhere", 404],
    ["PUT /products", 405],
    ["GET /%ff", 400],
  ];
  for (const [line, status] of cases) {
    for (const origin of [undefined, ORIGIN]) {
      test(`${line} ${origin ? "from a page" : "from no page"} -> ${status}`, async () => {
        const api = await startLayered({ middlewares: ["cors"] });
        const body = /^P/.test(line) ? { name: "x" } : undefined;
        const answer = await api.ask(line, { headers: { Origin: origin }, body });
        expect(answer.status).toBe(status);
        const { "access-control-expose-headers": _exposed, ...rest } = crossOriginHeaders(answer.headers);
        // Nothing of the built-in handling is left beside them, such as Allow-Credentials.
        expect(rest).toEqual(LISTED);
      });
    }
  }

  test("headers of lists are still named to the page", async () => {
    const api = await startLayered({ middlewares: ["cors"] });
    const { headers } = await api.ask("GET /products?_page=1", { headers: { Origin: ORIGIN } });
    expect(headers.get("access-control-expose-headers")).toContain("X-Total-Count");
  });
});

describe("OPTIONS gets a 200 and goes no further", () => {
  for (const path of ["/products", "/products/1", "/nowhere", "/%ff", "/db", "/__reset", "*"]) {
    test(`OPTIONS ${path}`, async () => {
      const api = await startLayered({ middlewares: ["cors", "latency"], layers: { latency: { minMs: 9, maxMs: 9 } } });
      const { status, text, headers } = await api.ask(`OPTIONS ${path}`, {
        headers: { Origin: ORIGIN, "Access-Control-Request-Method": "DELETE" },
      });
      expect([status, text, headers.get("content-length")]).toEqual([200, "", "0"]);
      expect(crossOriginHeaders(headers)).toEqual(LISTED);
      expect(headers.get("x-simulated-delay")).toBeNull();
    });
  }

  test("before a guard it lets preflights through; the request itself is still judged", async () => {
    const layers = { "api-key": { keys: [KEY] } };
    const api = await startLayered({ middlewares: ["cors", "api-key"], layers });
    expect((await api.ask("OPTIONS /products")).status).toBe(200);
    const refused = await api.ask("GET /products");
    expect(refused.status).toBe(401);
    expect(crossOriginHeaders(refused.headers)).toEqual(LISTED);
  });

  test("behind a guard the guard refuses preflights, and the start warns of it", async () => {
    const layers = { bearer: { token: TOKEN } };
    const api = await startLayered({ middlewares: ["bearer", "cors"], layers });
    expect((await api.ask("OPTIONS /products")).status).toBe(401);
    const folder = createFolder({ "db.json": catalog(), "standin.json": { middlewares: ["bearer", "cors"], layers } });
    const served = await serveKept(["db.json"], folder);
    await served.stop();
    expect(served.output.stdout).toMatch(/warning "cors" is listed after "bearer"/);
  });
});

describe("allowHeaders", () => {
  test("come behind the usual ones", async () => {
    const layers = { cors: { allowHeaders: ["X-API-KEY", "X-Trace"] } };
    const api = await startLayered({ middlewares: ["cors"], layers });
    const { headers } = await api.ask("GET /products/1");
    expect(headers.get("access-control-allow-headers")).toBe(`${HEADERS}, X-API-KEY, X-Trace`);
  });
});

describe("the built-in handling, where the layer is not listed", () => {
  const own = { "access-control-allow-origin": ORIGIN, "access-control-allow-credentials": "true" };
  const layers = {
    "api-key": { keys: [KEY] },
    bearer: { token: TOKEN },
    "rate-limit": { limit: 1 },
    "signed-token": { users: [{ email: "a@b.c", password: "pw" }] },
  };
  const cases: [name: string, middlewares: string[], line: string, status: number][] = [
    ["API_KEY_MISSING", ["api-key"], "GET /products", 401],
    ["AUTH_REQUIRED", ["bearer"], "GET /products", 401],
    ["TOKEN_REQUIRED", ["signed-token"], "DELETE /products/1", 401],
    ["LOGIN_FAILED", ["signed-token"], "POST /login", 401],
    ["a record", ["signed-token"], "GET /products/1", 200],
  ];
  for (const [name, middlewares, line, status] of cases) {
    test(`${name}: a page may read the response`, async () => {
      const api = await startLayered({ middlewares, layers });
      const body = line.startsWith("POST") ? { email: "a@b.c", password: "wrong" } : undefined;
      const { status: given, headers } = await api.ask(line, { headers: { Origin: ORIGIN }, body });
      expect(given).toBe(status);
      expect(crossOriginHeaders(headers)).toMatchObject(own);
      expect(headers.get("vary")).toContain("Origin");
    });
  }

  test("429 and a successful login, too", async () => {
    const api = await startLayered({ middlewares: ["signed-token", "rate-limit"], layers });
    const headers = { Origin: ORIGIN };
    const login = await api.ask("POST /login", { headers, body: { email: "a@b.c", password: "pw" } });
    expect([login.status, crossOriginHeaders(login.headers)]).toEqual([200, own]);
    await api.ask("GET /products");
    const refused = await api.ask("GET /products", { headers });
    expect([refused.status, crossOriginHeaders(refused.headers)]).toEqual([429, own]);
  });

  test("preflights end before any guard", async () => {
    const api = await startLayered({ middlewares: ["api-key", "bearer"], layers });
    expect((await api.ask("OPTIONS /products", { headers: { Origin: ORIGIN } })).status).toBe(204);
  });

  test("no-cors: guards respond without them, and OPTIONS is theirs to judge", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers, settings: { cors: false } });
    const refused = await api.ask("GET /products", { headers: { Origin: ORIGIN } });
    expect([refused.status, crossOriginHeaders(refused.headers)]).toEqual([401, {}]);
    expect((await api.ask("OPTIONS /products")).status).toBe(401);
    expect((await api.ask("OPTIONS /products", { headers: { "X-API-KEY": KEY } })).status).toBe(204);
  });
});

test("listed on the command line, it replaces the built-in handling", async () => {
  const folder = createFolder({ "db.json": catalog(), "standin.json": { middlewares: ["cors"] } });
  const served = await serveKept(["db.json"], folder);
  const preflight = await fetch(`${served.url}/products`, { method: "OPTIONS", headers: { Origin: ORIGIN } });
  expect([preflight.status, crossOriginHeaders(preflight.headers)]).toEqual([200, LISTED]);
  await served.stop();
});

import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { catalog } from "../support/catalog.ts";
import { startLayered } from "../support/layers.ts";

const TOKEN = "the-one-fixed-token";
const LAYERS = { bearer: { token: TOKEN } };
const RULES = { "/health": "/health-check", "/auth/login": "/health-check", "/public/products": "/products" };
const SHOW_USER = resolve("test/fixtures/middlewares/show-user.cjs");

describe("rejected requests", () => {
  const required = { status: 401, error: "Token required", code: "AUTH_REQUIRED" };
  const forbidden = { status: 403, error: "Token not accepted", code: "AUTH_FORBIDDEN" };
  const cases: [name: string, header: string | undefined, refusal: typeof required][] = [
    ["no header", undefined, required],
    ["an empty header", "", required],
    ["the scheme alone", "Bearer", required],
    ["the scheme and a space", "Bearer ", required],
    ["the scheme in lower case", `bearer ${TOKEN}`, required],
    ["the scheme in capitals", `BEARER ${TOKEN}`, required],
    ["another scheme", `Basic ${TOKEN}`, required],
    ["no scheme", TOKEN, required],
    ["a scheme that begins alike", `Bearers ${TOKEN}`, required],
    ["another token", "Bearer something-else", forbidden],
    ["a token with another last character", `Bearer ${TOKEN.slice(0, -1)}m`, forbidden],
    ["a token that begins alike", `Bearer ${TOKEN.slice(0, -1)}`, forbidden],
    ["a token with more behind it", `Bearer ${TOKEN}x`, forbidden],
    ["the token in capitals", `Bearer ${TOKEN.toUpperCase()}`, forbidden],
    ["two spaces", `Bearer  ${TOKEN}`, forbidden],
    ["the token twice", `Bearer ${TOKEN}, Bearer ${TOKEN}`, forbidden],
    ["a token that is not ASCII", "Bearer tökén", forbidden],
  ];
  for (const method of ["GET", "POST", "DELETE"]) {
    for (const [name, header, { status, ...body }] of cases) {
      test(`${method} with ${name} -> ${status} ${body.code}`, async () => {
        const api = await startLayered({ middlewares: ["bearer"], layers: LAYERS });
        const answer = await api.ask(`${method} /products/1`, { headers: { Authorization: header } });
        expect(answer.status).toBe(status);
        expect(answer.body).toEqual({ ...body, message: expect.stringMatching(/./) });
        expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
      });
    }
  }
});

describe("accepted requests", () => {
  test("the token opens every method", async () => {
    const api = await startLayered({ middlewares: ["bearer"], layers: LAYERS });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect((await api.ask("GET /products/1", { headers })).body).toEqual(catalog().products[0]);
    expect((await api.ask("POST /products", { headers, body: { name: "x" } })).status).toBe(201);
    expect((await api.ask("DELETE /products/1", { headers })).status).toBe(200);
  });

  test("as user 1 with the role admin, which interceptors after it see and those before it do not", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const after = await startLayered({ middlewares: ["bearer", SHOW_USER], layers: LAYERS });
    expect((await after.ask("GET /products/1", { headers })).headers.get("x-user")).toBe('{"id":1,"role":"admin"}');
    const before = await startLayered({ middlewares: [SHOW_USER, "bearer"], layers: LAYERS });
    expect((await before.ask("GET /products/1", { headers })).headers.get("x-user")).toBe("none");
  });
});

describe("public routes", () => {
  for (const path of ["/health", "/auth/login", "/health?x=1"]) {
    test(`GET ${path} needs no token`, async () => {
      const api = await startLayered({ middlewares: ["bearer"], layers: LAYERS, rules: RULES });
      expect((await api.ask(`GET ${path}`)).status).toBe(200);
    });
  }

  for (const path of ["/public/products", "/healthx", "/products", "/db", "/__rules", "/", "/HEALTH"]) {
    test(`GET ${path} needs one`, async () => {
      const api = await startLayered({ middlewares: ["bearer"], layers: LAYERS, rules: RULES });
      expect((await api.ask(`GET ${path}`)).status).toBe(401);
    });
  }

  test("publicRoutes takes their place", async () => {
    const layers = { bearer: { token: TOKEN, publicRoutes: ["/products"] } };
    const api = await startLayered({ middlewares: ["bearer"], layers, rules: RULES });
    expect((await api.ask("GET /products/1")).status).toBe(200);
    expect((await api.ask("GET /health")).status).toBe(401);
  });

  test("there is no user on public routes", async () => {
    const api = await startLayered({ middlewares: ["bearer", SHOW_USER], layers: LAYERS, rules: RULES });
    expect((await api.ask("GET /health")).headers.get("x-user")).toBe("none");
  });
});

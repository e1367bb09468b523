import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { serve } from "../features/document/serve.ts";
import { startLayered } from "../support/layers.ts";
import { askRaw } from "../support/raw.ts";

const KEY = "my-key-0123456789";
const TOKEN = "the-one-fixed-token";
const publicRoutes = ["/open", "/health", "/v1/open", "/pots"];
const LAYERS = { "api-key": { keys: [KEY], publicRoutes }, bearer: { token: TOKEN, publicRoutes } };
const RULES = {
  "/health/db": "/health-check",
  "/v1/*": "/$1",
  "/open/:id/notes": "/open/:id/secrets",
  "/pots": "/open/1/secrets",
};
const data = () => ({ open: [{ id: 1, name: "Shown" }], secrets: [{ id: 1, openId: 1, text: "Closed" }] });
const pass = resolve("test/fixtures/middlewares/pass.cjs");
const GUARDS = [
  ["api-key", "API_KEY_MISSING", { "X-API-KEY": KEY }],
  ["bearer", "AUTH_REQUIRED", { Authorization: `Bearer ${TOKEN}` }],
] as const;

const closed = [
  "/open/1/secrets",
  "/open/1/secrets/",
  "/open/1/SECRETS",
  "/open/1/%73ecrets",
  "/open/2/secrets",
  "/open/1/secrets?_limit=1",
  "/open/1/notes",
  "/v1/open/1/secrets",
  "/__sandbox/a/open/1/secrets",
  "/__sandbox/a/v1/open/1/secrets",
].flatMap((path) => [`GET ${path}`, `HEAD ${path}`, `POST ${path}`]);

describe("a public route opens its own collection only", () => {
  for (const [guard, code, headers] of GUARDS) {
    for (const middlewares of [[guard], [guard, pass], [pass, guard]]) {
      test(`${middlewares.map((one) => (one === pass ? "interceptor" : one)).join(", ")}: ${closed.length} requests -> 401`, async () => {
        const api = await startLayered({ middlewares, layers: LAYERS, rules: RULES, data: data() });
        for (const line of closed) {
          const { status, body } = await askRaw(api.port, line, ["Content-Length: 0"]);
          expect(status, line).toBe(401);
          if (!line.startsWith("HEAD")) expect(body, line).toContain(code);
        }
        expect((await api.ask("GET /db", { headers })).body).toMatchObject(data());
        expect((await api.ask("GET /open/1/secrets", { headers })).text).toContain("Closed");
        expect((await api.ask("POST /open/1/secrets", { headers, body: {} })).status).toBe(201);
      });
    }

    test(`${guard}: its records, paths below that are no collection, and a nested path listed by itself stay open`, async () => {
      const api = await startLayered({ middlewares: [guard], layers: LAYERS, rules: RULES, data: data() });
      for (const path of ["/open", "/open/1", "/open/1/", "/v1/open/1", "/health/db", "/pots", "/pots/"]) {
        expect((await api.ask(`GET ${path}`)).status, path).toBe(200);
      }
      expect((await api.ask("GET /open/1/nothing")).status).toBe(404);
      expect((await api.ask("PATCH /open/1", { body: { name: "New" } })).status).toBe(200);
    });

    test(`${guard}: a batch is no way around, and neither is a repeated request`, async () => {
      const layers = { [guard]: { ...LAYERS[guard], publicRoutes: [...publicRoutes, "/__batch"] } };
      const api = await startLayered({ middlewares: [guard], layers, rules: RULES, data: data() });
      for (const path of ["/open/1/secrets", "/v1/open/1/secrets", "/open/{{a.id}}/secrets"]) {
        const first = { method: "POST", path: "/open", as: "a", body: {} };
        const batch = [first, { method: "POST", path, body: { text: "Written" } }];
        const { status, text } = await api.ask("POST /__batch", { body: { requests: batch } });
        expect([status, text], path).toEqual([401, expect.stringContaining(code)]);
      }
      const keyed = { "Idempotency-Key": "k1" };
      const created = await api.ask("POST /open/1/secrets", { headers: { ...headers, ...keyed }, body: { text: "A" } });
      expect(created.status).toBe(201);
      expect((await api.ask("POST /open/1/secrets", { headers: keyed, body: { text: "A" } })).status).toBe(401);
    });
  }

  test("with two guards, each wants its own credentials", async () => {
    const middlewares = ["api-key", "bearer"];
    const api = await startLayered({ middlewares, layers: LAYERS, rules: RULES, data: data() });
    const [[, , key], [, , token]] = GUARDS;
    expect((await api.ask("GET /open/1/secrets", { headers: key })).status).toBe(401);
    expect((await api.ask("GET /open/1/secrets", { headers: token })).status).toBe(401);
    expect((await api.ask("GET /open/1/secrets", { headers: { ...key, ...token } })).status).toBe(200);
  });

  test("with a signed token alone, the key is still missing", async () => {
    const users = [{ email: "a@b.c", password: "pw-of-mine" }];
    const layers = { ...LAYERS, "signed-token": { secret: "0123456789abcdef0123456789abcdef", users } };
    const api = await startLayered({ middlewares: ["api-key", "signed-token"], layers, data: data() });
    const body = { email: "a@b.c", password: "pw-of-mine" };
    const login = await api.ask("POST /login", { headers: { "X-API-KEY": KEY }, body });
    const { accessToken } = login.body as { accessToken: string };
    const headers = { Authorization: `Bearer ${accessToken}` };
    expect((await api.ask("POST /open", { headers, body: {} })).status).toBe(201);
    expect((await api.ask("POST /open/1/secrets", { headers, body: {} })).status).toBe(401);
  });

  test("nested operations of an OpenAPI document are closed, too", async () => {
    const { ask } = await serve(nestedDocument(), {
      middlewares: ["api-key"],
      layers: { "api-key": { keys: [KEY], publicRoutes: ["/pets"] } },
    });
    expect((await ask("GET /pets")).status).toBe(200);
    const [pet] = (await ask("GET /pets")).body as { id: number }[];
    expect((await ask(`GET /pets/${pet!.id}`)).status).toBe(200);
    expect((await ask(`GET /pets/${pet!.id}/toys`)).status).toBe(401);
    expect((await ask(`GET /pets/${pet!.id}/toys`, { headers: { "X-API-KEY": KEY } })).status).toBe(200);
  });
});

function nestedDocument(): JsonObject {
  const record = (properties: JsonObject): JsonObject => ({ type: "object", required: ["id"], properties });
  const id = { type: "integer" };
  const pet = record({ id, name: { type: "string" } });
  const toy = record({ id, petId: { type: "integer" }, name: { type: "string" } });
  const returning = (schema: JsonObject, parameters: string[]): JsonObject => ({
    get: {
      parameters: parameters.map((name) => ({ name, in: "path", required: true, schema: id })),
      responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
    },
  });
  return {
    openapi: "3.0.3",
    info: { title: "Pets", version: "1" },
    paths: {
      "/pets": returning({ type: "array", items: pet }, []),
      "/pets/{petId}": returning(pet, ["petId"]),
      "/pets/{petId}/toys": returning({ type: "array", items: toy }, ["petId"]),
      "/pets/{petId}/toys/{toyId}": returning(toy, ["petId", "toyId"]),
    },
  };
}

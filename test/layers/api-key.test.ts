import { describe, expect, test } from "vitest";
import type { Answer } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const KEYS = {
  full: "my-key-0123456789",
  csharp: "csharp-0123456789",
  reader: "reader-0123456789",
  writer: "writer-0123456789",
  locked: "locked-0123456789",
};
const SETTINGS = {
  "api-key": {
    keys: [
      KEYS.full,
      { key: KEYS.csharp },
      { key: KEYS.reader, permissions: ["read"] },
      { key: KEYS.writer, permissions: ["write"] },
      { key: KEYS.locked, permissions: [] },
    ],
  },
};
const RULES = {
  "/health": "/health-check",
  "/auth/login": "/health-check",
  "/public/products": "/products",
  "/public/products/:id": "/products/:id",
};

interface Refusal {
  status: number;
  code: string;
  /** Set where the table of the service wants it. */
  timestamp?: string;
}

const missing: Refusal = { status: 401, code: "API_KEY_MISSING", timestamp: new Date(NOW).toISOString() };
const malformed: Refusal = { status: 400, code: "API_KEY_MALFORMED" };
const invalid: Refusal = { status: 403, code: "API_KEY_INVALID" };

function expectRefusal({ status, headers, body }: Answer, expected: Refusal): void {
  const fields = { error: expect.stringMatching(/./), message: expect.stringMatching(/./), code: expected.code };
  // Exactly these: a timestamp stands only where it is ordered.
  expect(body).toEqual(expected.timestamp ? { ...fields, timestamp: expected.timestamp } : fields);
  expect([status, headers.get("content-type")]).toEqual([expected.status, "application/json; charset=utf-8"]);
  expect(headers.get("x-authenticated-client")).toBeNull();
  expect(headers.get("x-ratelimit-limit")).toBeNull();
}

describe("steps 1 to 3: rejected requests, in this order", () => {
  const cases: [name: string, key: string | undefined, refusal: Refusal][] = [
    ["no header", undefined, missing],
    ["an empty header", "", malformed],
    ["9 characters", "abcdefghi", malformed],
    ["51 characters", "a".repeat(51), malformed],
    ["a character that is no letter, digit or dash", "abcdefghij_", malformed],
    ["a space inside", "abcdefghij klm", malformed],
    ["a text that is not ASCII", "abcdefghijä", malformed],
    ["two keys in one header", `${KEYS.full}, ${KEYS.csharp}`, malformed],
    ["10 characters, not in the list", "abcdefghij", invalid],
    ["50 characters, not in the list", "a".repeat(50), invalid],
    ["a known key in capitals", KEYS.full.toUpperCase(), invalid],
    ["a known key with one character more", `${KEYS.full}0`, invalid],
  ];
  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
    for (const [name, key, refusal] of cases) {
      test(`${method} with ${name} -> ${refusal.status} ${refusal.code}`, async () => {
        const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS, now: () => NOW });
        const answer = await api.ask(`${method} /products/1`, { headers: { "X-API-KEY": key } });
        if (method === "HEAD") expect([answer.status, answer.text]).toEqual([refusal.status, ""]);
        else expectRefusal(answer, refusal);
      });
    }
  }

  test("the name of the header is case-insensitive", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS });
    for (const name of ["x-api-key", "X-Api-Key", "X-API-KEY"]) {
      expect((await api.ask("GET /products/1", { headers: { [name]: KEYS.full } })).status, name).toBe(200);
    }
  });
});

describe("step 4: accepted requests", () => {
  const clients: [key: string, client: string][] = [
    [KEYS.full, "generic"],
    [KEYS.csharp, "dotnet-client"],
  ];
  for (const [key, client] of clients) {
    test(`${key} -> X-Authenticated-Client: ${client}, and the placeholders`, async () => {
      const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS });
      const { status, headers, body } = await api.ask("GET /products/1", { headers: { "X-API-KEY": key } });
      expect([status, body]).toEqual([200, catalog().products[0]]);
      expect(headers.get("x-authenticated-client")).toBe(client);
      expect(headers.get("x-ratelimit-limit")).toBe("1000");
      expect(headers.get("x-ratelimit-remaining")).toBe("999");
    });
  }

  test("the headers are on errors of the routes, too", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS });
    const { status, headers } = await api.ask("GET /products/99", { headers: { "X-API-KEY": KEYS.csharp } });
    expect([status, headers.get("x-authenticated-client")]).toEqual([404, "dotnet-client"]);
  });
});

describe("permissions", () => {
  const cases: [line: string, key: string, status: number, code: string | undefined][] = [
    ["GET /products/1", KEYS.full, 200, undefined],
    ["POST /products", KEYS.full, 201, undefined],
    ["GET /products/1", KEYS.reader, 200, undefined],
    ["HEAD /products/1", KEYS.reader, 200, undefined],
    ["POST /products", KEYS.reader, 403, "FORBIDDEN_WRITE"],
    ["PUT /products/1", KEYS.reader, 403, "FORBIDDEN_WRITE"],
    ["PATCH /products/1", KEYS.reader, 403, "FORBIDDEN_WRITE"],
    ["DELETE /products/1", KEYS.reader, 403, "FORBIDDEN_WRITE"],
    ["POST /companies/1/products", KEYS.reader, 403, "FORBIDDEN_WRITE"],
    ["POST /__reset", KEYS.reader, 403, "FORBIDDEN_WRITE"],
    ["PROPFIND /products", KEYS.reader, 403, "FORBIDDEN_WRITE"],
    ["GET /products/1", KEYS.writer, 403, "FORBIDDEN_READ"],
    ["GET /db", KEYS.writer, 403, "FORBIDDEN_READ"],
    ["POST /products", KEYS.writer, 201, undefined],
    ["DELETE /products/1", KEYS.writer, 200, undefined],
    ["GET /products/1", KEYS.locked, 403, "FORBIDDEN_READ"],
    ["DELETE /products/1", KEYS.locked, 403, "FORBIDDEN_WRITE"],
  ];
  for (const [line, key, status, code] of cases) {
    test(`${line} with ${key.slice(0, 6)} -> ${status} ${code ?? ""}`, async () => {
      const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS });
      const answer = await api.ask(line, {
        headers: { "X-API-KEY": key },
        ...(/^P/.test(line) ? { body: { name: "x" } } : {}),
      });
      expect(answer.status).toBe(status);
      if (code === undefined) return;
      expect(answer.body).toEqual({ error: "Insufficient permissions", message: expect.stringMatching(/./), code });
    });
  }

  test("a POST that is overridden needs what the other method needs", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS });
    const ask = (wanted: string, key: string) =>
      api.ask("POST /products/1", { headers: { "X-API-KEY": key, "X-HTTP-Method-Override": wanted } });
    expect((await ask("GET", KEYS.reader)).status).toBe(200);
    expect((await ask("HEAD", KEYS.reader)).status).toBe(200);
    expect((await ask("DELETE", KEYS.reader)).body).toMatchObject({ code: "FORBIDDEN_WRITE" });
    expect((await ask("GET", KEYS.writer)).body).toMatchObject({ code: "FORBIDDEN_READ" });
  });
});

describe("public routes", () => {
  const open = [
    "/health",
    "/health?x=1",
    "/auth/login",
    "/public/products",
    "/public/products/1",
    "/public/products?_limit=1",
  ];
  for (const path of open) {
    test(`GET ${path} needs no key`, async () => {
      const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS, rules: RULES });
      const { status, headers } = await api.ask(`GET ${path}`);
      expect([status, headers.get("x-authenticated-client")]).toEqual([200, null]);
    });
  }

  test("a path below one is public, even where nothing is served", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS, rules: RULES });
    expect((await api.ask("GET /health/deep/down")).status).toBe(404);
    expect((await api.ask("POST /public/products", { body: { name: "x" } })).status).toBe(201);
  });

  test("a wrong key does no harm there", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS, rules: RULES });
    expect((await api.ask("GET /health", { headers: { "X-API-KEY": "?" } })).status).toBe(200);
  });

  test("publicRoutes takes the place of the usual ones", async () => {
    const layers = { "api-key": { keys: [KEYS.full], publicRoutes: ["/companies"] } };
    const api = await startLayered({ middlewares: ["api-key"], layers, rules: RULES });
    expect((await api.ask("GET /companies")).status).toBe(200);
    expect((await api.ask("GET /companies/1")).status).toBe(200);
    expect((await api.ask("GET /companies/1/products")).status).toBe(401);
    expect((await api.ask("GET /health")).status).toBe(401);
  });

  test("publicRoutes: [] leaves none", async () => {
    const layers = { "api-key": { keys: [KEYS.full], publicRoutes: [] } };
    const api = await startLayered({ middlewares: ["api-key"], layers, rules: RULES });
    expect((await api.ask("GET /health")).status).toBe(401);
  });
});

describe("the console line about an unknown key", () => {
  test("has its first five characters and no more", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS });
    await api.ask("GET /products", { headers: { "X-API-KEY": "secret-key-of-somebody" } });
    expect(api.warnings).toHaveLength(1);
    expect(api.warnings[0]).toContain("secre");
    expect(api.warnings[0]).not.toContain("secret");
  });

  test("is written for unknown keys alone", async () => {
    const api = await startLayered({ middlewares: ["api-key"], layers: SETTINGS });
    for (const key of [undefined, "", "short", KEYS.full, KEYS.reader]) {
      await api.ask("DELETE /products/1", { headers: { "X-API-KEY": key } });
    }
    expect(api.warnings).toEqual([]);
  });

  test("appears on the terminal of the command line", async () => {
    const config = { middlewares: ["api-key"], layers: SETTINGS };
    const served = await serveKept(["db.json"], createFolder({ "db.json": catalog(), "standin.json": config }));
    await fetch(`${served.url}/products`, { headers: { "X-API-KEY": "secret-key-of-somebody" } });
    await served.stop();
    expect(served.output.stdout).toMatch(/warning .*\bsecre$/m);
    expect(served.output.stdout + served.output.stderr).not.toContain("secret");
  });
});

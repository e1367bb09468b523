import { resolve } from "node:path";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { hashPassword } from "../../src/layers/password.ts";
import type { Answer } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, runCli } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";

const SECRET = "a secret of thirty-two bytes, ok";
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const SECONDS = NOW / 1000;
const USERS = [
  { email: "ann@example.com", password: "open sesame" },
  { email: "bob@example.com", password: "correct horse", id: "b-7" },
];
const LAYERS = { "signed-token": { secret: SECRET, users: USERS } };
const SHOW_USER = resolve("test/fixtures/middlewares/show-user.cjs");
const ANN = { email: "ann@example.com", password: "open sesame" };

interface Login {
  accessToken: string;
  tokenType: string;
  expiresIn: number;
  user: { id: string; email: string };
}

function tokenIn({ body }: Answer): string {
  return (body as Login).accessToken;
}

describe("POST /login", () => {
  test("responds 200 with accessToken, tokenType, expiresIn and user, and nothing else", async () => {
    const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS, now: () => NOW });
    const { status, body, headers } = await api.ask("POST /login", { body: ANN });
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: "Bearer",
      expiresIn: 3600,
      user: { id: "1", email: ANN.email },
    });
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("the token is HS256, with the claims sub, email, iat and exp, signed with the secret", async () => {
    const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS, now: () => NOW });
    const token = tokenIn(await api.ask("POST /login", { body: ANN }));
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT" });
    expect(decodeJwt(token)).toEqual({ sub: "1", email: ANN.email, iat: SECONDS, exp: SECONDS + 3600 });
    await jwtVerify(token, new TextEncoder().encode(SECRET), { currentDate: new Date(NOW) });
  });

  test("a user can have a custom id", async () => {
    const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
    const answer = await api.ask("POST /login", { body: USERS[1] });
    expect(answer.body).toMatchObject({ user: { id: "b-7", email: "bob@example.com" } });
    expect(decodeJwt(tokenIn(answer)).sub).toBe("b-7");
  });

  test("expiresInSeconds decides how long it lasts", async () => {
    const layers = { "signed-token": { ...LAYERS["signed-token"], expiresInSeconds: 60 } };
    const api = await startLayered({ middlewares: ["signed-token"], layers, now: () => NOW });
    const answer = await api.ask("POST /login", { body: ANN });
    expect(answer.body).toMatchObject({ expiresIn: 60 });
    expect(decodeJwt(tokenIn(answer)).exp).toBe(SECONDS + 60);
  });

  const forms: [name: string, line: string][] = [
    ["a trailing slash", "POST /login/"],
    ["capitals", "POST /LOGIN"],
    ["an escape", "POST /%6cogin"],
    ["a query", "POST /login?next=/"],
    ["a rewrite rule", "POST /api/v1/login"],
    ["another rewrite rule", "POST /auth/login"],
  ];
  for (const [name, line] of forms) {
    test(`${line} logs in, with ${name}`, async () => {
      const rules = { "/api/v1/*": "/$1", "/auth/login": "/login" };
      const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS, rules });
      expect((await api.ask(line, { body: ANN })).body).toMatchObject({ tokenType: "Bearer" });
    });
  }

  test("a form works as well as JSON", async () => {
    const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
    const { status } = await api.ask("POST /login", {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "email=ann%40example.com&password=open+sesame",
    });
    expect(status).toBe(200);
  });

  const wrong: [name: string, body: unknown, status: number, code: string][] = [
    ["the wrong password", { ...ANN, password: "open sesam" }, 401, "LOGIN_FAILED"],
    ["the password of another", { ...ANN, password: "correct horse" }, 401, "LOGIN_FAILED"],
    ["an unknown email", { ...ANN, email: "eve@example.com" }, 401, "LOGIN_FAILED"],
    ["an email in capitals", { ...ANN, email: ANN.email.toUpperCase() }, 401, "LOGIN_FAILED"],
    ["an email called __proto__", { ...ANN, email: "__proto__" }, 401, "LOGIN_FAILED"],
    ["no password", { email: ANN.email }, 400, "LOGIN_INCOMPLETE"],
    ["no email", { password: ANN.password }, 400, "LOGIN_INCOMPLETE"],
    ["an empty password", { ...ANN, password: "" }, 400, "LOGIN_INCOMPLETE"],
    ["a password that is a number", { ...ANN, password: 5 }, 400, "LOGIN_INCOMPLETE"],
    ["a password that is an object", { ...ANN, password: { $ne: "" } }, 400, "LOGIN_INCOMPLETE"],
    ["an email that is a list", { ...ANN, email: [ANN.email] }, 400, "LOGIN_INCOMPLETE"],
    ["an array", [ANN], 400, "LOGIN_INCOMPLETE"],
    ["null", null, 400, "LOGIN_INCOMPLETE"],
    ["no body", undefined, 400, "LOGIN_INCOMPLETE"],
    ["broken JSON", '{"email":', 400, "BODY_MALFORMED"],
  ];
  for (const [name, body, status, code] of wrong) {
    test(`${name} -> ${status} ${code}`, async () => {
      const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
      const answer = await api.ask("POST /login", { body });
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ error: expect.any(String), message: expect.any(String), code });
      expect(answer.text).not.toContain("sesame");
    });
  }

  for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
    test(`${method} /login -> 405; a collection of that name stays hidden`, async () => {
      const data = { ...catalog(), login: [{ id: 1, hidden: true }] };
      const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS, data });
      const { status, headers, text } = await api.ask(`${method} /login`);
      expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
      expect(text).not.toContain("hidden");
    });
  }

  test("the start warns of a collection that the login hides", async () => {
    const config = { middlewares: ["signed-token"], layers: LAYERS };
    const served = await serveKept(["db.json"], createFolder({ "db.json": { login: [] }, "standin.json": config }));
    await served.stop();
    expect(served.output.stdout).toContain('/login is a built-in route, so the data key "login" is hidden');
  });

  test("read-only mode refuses writes, not the login", async () => {
    const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS, settings: { readOnly: true } });
    const token = tokenIn(await api.ask("POST /login", { body: ANN }));
    const answer = await api.ask("DELETE /products/1", { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.body).toMatchObject({ code: "READ_ONLY" });
  });

  test("without the layer there is no login", async () => {
    const api = await startLayered({ middlewares: [] });
    expect((await api.ask("POST /login", { body: ANN })).status).toBe(404);
  });
});

describe("passwords", () => {
  // "open sesame" as json-server-auth's bcrypt writes it, in each of its revisions.
  const bcrypt = "04$2QH5R.giKhzZBYnGXRQ9h.6CFI7xKsiApbP8GiUjf1Axbwk/.7TN2";
  const stored: [name: string, make: () => Promise<string>][] = [
    ["plain text", async () => "open sesame"],
    ["scrypt", () => hashPassword("open sesame")],
    ["bcrypt 2a", async () => `$2a$${bcrypt}`],
    ["bcrypt 2b", async () => `$2b$${bcrypt}`],
    ["bcrypt 2y", async () => `$2y$${bcrypt}`],
  ];
  for (const [name, make] of stored) {
    test(`stored as ${name}: the right one logs in, others do not, nor does what is stored`, async () => {
      const password = await make();
      const users = [{ email: ANN.email, password }];
      const layers = { "signed-token": { secret: SECRET, users } };
      const api = await startLayered({ middlewares: ["signed-token"], layers });
      const login = async (given: string) =>
        (await api.ask("POST /login", { body: { email: ANN.email, password: given } })).status;
      expect(await login("open sesame")).toBe(200);
      for (const given of ["open sesamf", "Open sesame", "open sesame ", "x".repeat(100_000)]) {
        expect(await login(given), given.slice(0, 20)).toBe(401);
      }
      if (name !== "plain text") expect(await login(password)).toBe(401);
    });
  }

  test("users of different kinds live side by side", async () => {
    const users = await Promise.all(
      stored.map(async ([name, make]) => ({ email: name.replaceAll(" ", "-"), password: await make() })),
    );
    const api = await startLayered({ middlewares: ["signed-token"], layers: { "signed-token": { users } } });
    for (const { email } of users) {
      expect((await api.ask("POST /login", { body: { email, password: "open sesame" } })).status, email).toBe(200);
      expect((await api.ask("POST /login", { body: { email, password: "sesame" } })).status, email).toBe(401);
    }
  });

  test("what `standin secret password` prints is a password that works", async () => {
    const run = runCli(["secret", "password"], createFolder());
    run.child.stdin?.end("open sesame\n");
    expect(await run.exit).toBe(0);
    const password = run.output.stdout.trim();
    expect(password).toMatch(/^scrypt\$/);
    const layers = { "signed-token": { users: [{ email: "a", password }] } };
    const api = await startLayered({ middlewares: ["signed-token"], layers });
    expect((await api.ask("POST /login", { body: { email: "a", password: "open sesame" } })).status).toBe(200);
  });

  test("two hashes of one password differ", async () => {
    expect(await hashPassword("same")).not.toBe(await hashPassword("same"));
  });
});

describe("reads stay public, everything else needs a token", () => {
  const rules = { "/api/v1/*": "/$1" };
  const reads = ["GET /products", "GET /products/1", "HEAD /products/1", "GET /db", "GET /companies/1/products"];
  for (const line of reads) {
    test(`${line} needs none`, async () => {
      const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
      expect((await api.ask(line)).status).toBe(200);
    });
  }

  const writes: [line: string, override: string | undefined, status: number][] = [
    ["POST /products", undefined, 201],
    ["PUT /products/1", undefined, 200],
    ["PATCH /products/1", undefined, 200],
    ["DELETE /products/1", undefined, 200],
    ["POST /companies/1/products", undefined, 201],
    ["POST /api/v1/products", undefined, 201],
    ["DELETE /api/v1/products/1", undefined, 200],
    ["POST /products/1", "PUT", 200],
    ["POST /products/1", "patch", 200],
    ["POST /products/1", "DELETE", 200],
    ["POST /api/v1/products/1", "DELETE", 200],
    ["POST /__reset", undefined, 200],
    ["POST /__snapshots__", undefined, 404],
    ["PROPFIND /products", undefined, 405],
  ];
  for (const [line, override, status] of writes) {
    const name = override ? `${line} overridden to ${override}` : line;
    test(`${name} without a token -> 401 TOKEN_REQUIRED, with one -> ${status}`, async () => {
      const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS, rules });
      const before = (await api.ask("GET /db")).text;
      const headers = { "X-HTTP-Method-Override": override };
      const refused = await api.ask(line, { headers, body: { name: "x" } });
      expect(refused.status).toBe(401);
      expect(refused.body).toEqual({ error: "Token required", message: expect.any(String), code: "TOKEN_REQUIRED" });
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
      expect((await api.ask("GET /db")).text).toBe(before);
      const token = tokenIn(await api.ask("POST /login", { body: ANN }));
      const answer = await api.ask(line, {
        headers: { ...headers, Authorization: `Bearer ${token}` },
        body: { name: "x" },
      });
      expect(answer.status).toBe(status);
    });
  }

  test("a token works until the second it expires, and not in that second", async () => {
    let time = NOW;
    const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS, now: () => time });
    const headers = { Authorization: `Bearer ${tokenIn(await api.ask("POST /login", { body: ANN }))}` };
    const write = () => api.ask("PATCH /products/1", { headers, body: { name: "x" } });
    time = NOW + 3_599_999;
    expect((await write()).status).toBe(200);
    time = NOW + 3_600_000;
    const expired = await write();
    expect([expired.status, expired.body]).toEqual([
      401,
      { error: "Token expired", message: expect.stringContaining("/login"), code: "TOKEN_EXPIRED" },
    ]);
  });

  test("interceptors behind it see the user", async () => {
    const api = await startLayered({ middlewares: ["signed-token", SHOW_USER], layers: LAYERS });
    const token = tokenIn(await api.ask("POST /login", { body: ANN }));
    const { headers } = await api.ask("DELETE /products/1", { headers: { Authorization: `Bearer ${token}` } });
    expect(headers.get("x-user")).toBe('{"id":"1","email":"ann@example.com"}');
  });

  test("the login works behind an interceptor that has the body parsed, too", async () => {
    const api = await startLayered({ middlewares: [SHOW_USER, "signed-token"], layers: LAYERS });
    expect((await api.ask("POST /login", { body: ANN })).status).toBe(200);
  });
});

describe("secrets", () => {
  test("tokens of one secret are good at every server that has it, and at no other", async () => {
    const one = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
    const same = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
    const other = await startLayered({
      middlewares: ["signed-token"],
      layers: { "signed-token": { users: USERS, secret: `${SECRET}!` } },
    });
    const headers = { Authorization: `Bearer ${tokenIn(await one.ask("POST /login", { body: ANN }))}` };
    expect((await same.ask("DELETE /products/1", { headers })).status).toBe(200);
    expect((await other.ask("DELETE /products/1", { headers })).body).toMatchObject({ code: "TOKEN_INVALID" });
  });

  test("without a secret each start makes its own, and says so", async () => {
    const layers = { "signed-token": { users: USERS } };
    const one = await startLayered({ middlewares: ["signed-token"], layers });
    const other = await startLayered({ middlewares: ["signed-token"], layers });
    expect(one.warnings).toEqual([expect.stringMatching(/signed-token: no secret.*random/)]);
    const headers = { Authorization: `Bearer ${tokenIn(await one.ask("POST /login", { body: ANN }))}` };
    expect((await one.ask("DELETE /products/1", { headers })).status).toBe(200);
    expect((await other.ask("DELETE /products/1", { headers })).body).toMatchObject({ code: "TOKEN_INVALID" });
  });

  test("secret and password from the environment", async () => {
    const users = [{ email: "a@b.c", password: { env: "ANN_PASSWORD" } }];
    const config = {
      middlewares: ["signed-token"],
      layers: { "signed-token": { secret: { env: "TOKEN_SECRET" }, users } },
    };
    const folder = createFolder({ "db.json": catalog(), "standin.json": config });
    const served = await serveKept(["db.json"], folder, { ANN_PASSWORD: "from outside", TOKEN_SECRET: SECRET });
    const login = await fetch(`${served.url}/login`, {
      method: "POST",
      body: JSON.stringify({ email: "a@b.c", password: "from outside" }),
      headers: { "Content-Type": "application/json" },
    });
    expect(login.status).toBe(200);
    const { accessToken } = (await login.json()) as Login;
    await jwtVerify(accessToken, new TextEncoder().encode(SECRET));
    await served.stop();
  });
});

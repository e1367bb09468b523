import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRemoteJWKSet, decodeJwt, exportSPKI, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { IS_SOAK } from "../../support/soak.ts";
import { openShop, SIGN_IN, shopUsers } from "./shop.ts";

/** The keys of RS256, which `real-clients.test.ts` uses, take seconds to make on a busy machine. */
const ALGORITHM = IS_SOAK ? "RS256" : "ES256";

let api: Standin;
beforeAll(async () => {
  api = await openShop({ algorithm: ALGORITHM });
});
afterAll(() => api.close());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const orders = (token: string, from = api.url) => fetch(`${from}/orders`, { headers: bearer(token) });
const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
  fetch(api.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...more },
    body: JSON.stringify(body),
  });

describe("faulty tokens", () => {
  for (const fault of [
    "expired",
    "not-yet",
    "wrong-issuer",
    "wrong-audience",
    "bad-signature",
    "unknown-key",
  ] as const) {
    test(`${fault}: refused by jose and by the server`, async () => {
      const made = await post("/__oidc/tokens", { user: "ann@shop.test", fault });
      const { access_token } = (await made.json()) as { access_token: string };
      const keys = createRemoteJWKSet(new URL(`${api.url}/__oidc/jwks`));
      const expected = { issuer: `${api.url}/__oidc`, audience: "shop-api", typ: "at+jwt" };
      await expect(jwtVerify(access_token, keys, expected)).rejects.toThrow();
      expect((await orders(access_token)).status).toBe(401);
      const whole = await api.tokenFor("ann@shop.test");
      expect((await jwtVerify(whole, keys, expected)).payload).toMatchObject({
        sub: "1",
        auth_time: expect.any(Number),
      });
    });
  }

  test("a foreign issuer is named with our own", async () => {
    const response = await orders(await api.tokenFor("ann@shop.test", { fault: "wrong-issuer" }));
    const { message } = (await response.json()) as { message: string };
    expect(message).toContain(`"${api.url}/__oidc/another"`);
    expect(message).toContain(`"${api.url}/__oidc"`);
  });

  test("an unknown user or fault is refused in OAuth's form", async () => {
    for (const body of [{ user: "anne@shop.test" }, { user: "ann@shop.test", fault: "late" }, { usr: "x" }]) {
      const response = await post("/__oidc/tokens", body);
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: "invalid_request", error_description: expect.any(String) },
      ]);
    }
  });
});

test("every refusal under /__oidc has OAuth's form", async () => {
  for (const [method, path, status] of [
    ["GET", "/__oidc/nothing", 404],
    ["GET", "/__oidc/token", 405],
    ["POST", "/__oidc/token", 401],
    ["GET", "/__oidc/userinfo", 401],
    ["GET", "/__sandbox/one/__oidc/nothing", 404],
  ] as const) {
    const response = await fetch(api.url + path, { method });
    expect([path, response.status, await response.json()]).toEqual([
      path,
      status,
      { error: expect.any(String), error_description: expect.any(String) },
    ]);
  }
});

describe("forged tokens", () => {
  const forged: [string, () => Promise<string>][] = [
    [
      "alg none",
      async () => {
        const [, payload] = (await api.tokenFor("ann@shop.test")).split(".");
        return `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${payload}.`;
      },
    ],
    [
      "an HMAC made with the public key",
      async () => {
        const { keys } = (await (await fetch(`${api.url}/__oidc/jwks`)).json()) as { keys: JWK[] };
        const key = await importJWK(keys[0] as JWK, ALGORITHM, { extractable: true });
        const secret = new TextEncoder().encode(await exportSPKI(key as CryptoKey));
        const claims = decodeJwt(await api.tokenFor("ann@shop.test"));
        return new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: keys[0]?.kid ?? "" })
          .sign(secret);
      },
    ],
    [
      "an ID token in place of an access token",
      async () => {
        const token = await api.tokenFor("ann@shop.test");
        return token.replace(/^[^.]+/, Buffer.from(`{"alg":"${ALGORITHM}","typ":"JWT"}`).toString("base64url"));
      },
    ],
    ["no token at all", async () => "not.a.token"],
  ];
  for (const [name, forge] of forged) {
    test(`${name}: 401`, async () => {
      const response = await orders(await forge());
      expect([response.status, await response.json()]).toMatchObject([401, { code: "TOKEN_INVALID" }]);
    });
  }
});

describe("users are records", () => {
  test("one created by POST can sign in at once; deleted, a record with the same id does not inherit", async () => {
    await api.db.users?.create({ id: 20, email: "new@shop.test" });
    const token = await api.tokenFor("new@shop.test");
    expect((await orders(token)).status).toBe(200);
    await api.db.users?.remove(20);
    expect((await orders(token)).status).toBe(401);
    await api.db.users?.create({ id: 20, email: "new@shop.test" });
    expect((await orders(token)).status).toBe(401);
    expect((await orders(await api.tokenFor("new@shop.test"))).status).toBe(200);
  });

  test("reset and restore end all, but leave the keys", async () => {
    await api.snapshot("before");
    const jwks = async () => (await fetch(`${api.url}/__oidc/jwks`)).text();
    const keys = await jwks();
    for (const end of [() => api.reset(), () => api.restore("before")]) {
      const token = await api.tokenFor("ann@shop.test");
      expect((await orders(token)).status).toBe(200);
      await end();
      expect((await orders(token)).status).toBe(401);
      expect(await jwks()).toBe(keys);
    }
  });

  test("the history says who", async () => {
    const token = await api.tokenFor("bob@shop.test");
    await post("/orders", { user_id: 2 }, bearer(token));
    expect((await api.history.list({ limit: 1 })).versions[0]).toMatchObject({ by: "bob@shop.test" });
  });
});

describe("public routes", () => {
  for (const [line, status] of [
    ["GET /products", 200],
    ["HEAD /products/1", 200],
    ["GET /products?name=Hat", 200],
    ["POST /products", 401],
    ["GET /orders", 401],
    ["GET /products/1/orders", 401],
    ["GET /products?_embed=orders", 401],
    ["GET /db", 401],
    ["GET /products/../orders", 401],
    ["GET /__oidc/../orders", 401],
    ["GET /__history", 401],
  ] as const) {
    test(`${line}: ${status}`, async () => {
      const [method = "", path = ""] = line.split(" ");
      const response = await api.fetch(path, { method });
      expect([response.status, response.headers.get("vary")]).toEqual([
        status,
        expect.stringContaining("Authorization"),
      ]);
    });
  }
});

describe("issuer", () => {
  test("another host gets endpoints of its own, but the same issuer and page", async () => {
    const port = new URL(api.url).port;
    const there = `http://127.0.0.1:${port}/__oidc`;
    const found = (await (await fetch(`${there}/.well-known/openid-configuration`)).json()) as Record<string, string>;
    const here = `${api.url}/__oidc`;
    expect(found).toMatchObject({
      issuer: here,
      authorization_endpoint: `${here}/authorize`,
      token_endpoint: `${there}/token`,
      end_session_endpoint: `${there}/logout`,
      jwks_uri: `${there}/jwks`,
    });
  });

  test("a sandbox has its own issuer and users", async () => {
    const sandbox = api.sandbox("own");
    await sandbox.db.users?.create({ id: 30, email: "only@here.test" });
    const token = await sandbox.tokenFor("only@here.test");
    expect(decodeJwt(token).iss).toBe(`${sandbox.url}/__oidc`);
    expect((await orders(token, sandbox.url)).status).toBe(200);
    expect((await orders(token)).status).toBe(401);
    await expect(api.tokenFor("only@here.test")).rejects.toThrow("There is no user");
    const found = await fetch(`${sandbox.url}/__oidc/.well-known/openid-configuration`);
    expect(await found.json()).toMatchObject({ issuer: `${sandbox.url}/__oidc` });
  });

  test("keys are rotated; old tokens still hold", async () => {
    const token = await api.tokenFor("ann@shop.test");
    expect((await fetch(`${api.url}/__oidc/keys`, { method: "POST" })).status).toBe(201);
    expect((await orders(token)).status).toBe(200);
    expect((await orders(await api.tokenFor("ann@shop.test"))).status).toBe(200);
  });

  test("only local requests make tokens, or those with the admin's token", async () => {
    await using own = await openShop({}, { adminToken: "the-admin-token" });
    const ask = (headers: Record<string, string>) =>
      fetch(`${own.url}/__oidc/tokens`, {
        method: "POST",
        body: '{"user":"ann@shop.test"}',
        headers: { "Content-Type": "application/json", ...headers },
      });
    expect((await ask({})).status).toBe(201);
    for (const name of ["X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-IP", "Via"]) {
      expect([name, (await ask({ [name]: "1.2.3.4" })).status]).toEqual([name, 403]);
    }
    expect((await ask({ "X-Forwarded-For": "1.2.3.4", ...bearer("wrong") })).status).toBe(403);
    expect((await ask({ "X-Forwarded-For": "1.2.3.4", ...bearer("the-admin-token") })).status).toBe(201);
    expect((await ask({ Origin: "http://evil.test" })).status).toBe(403);
  });

  test("RFC 8414 finds the issuer below a base and in a sandbox, too", async () => {
    await using own = await openShop({}, { base: "/api" });
    const sandbox = own.sandbox("one");
    for (const address of [own.url, sandbox.url]) {
      const { origin, pathname } = new URL(address);
      const found = await fetch(`${origin}/.well-known/oauth-authorization-server${pathname}/__oidc`);
      expect(await found.json()).toMatchObject({
        issuer: `${address}/__oidc`,
        authorization_endpoint: `${address}/__oidc/authorize`,
        token_endpoint: `${address}/__oidc/token`,
      });
    }
    const { origin } = new URL(own.url);
    for (const path of ["", "/", "/__oidc", "/api", "/api/orders", "/api/__oidc/token", "/api/__sandbox/one/orders"]) {
      const { status } = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test("all times follow the server's clock", async () => {
    let now = Date.parse("2030-01-01T00:00:00Z");
    await using own = await openShop({}, { clock: () => now });
    const token = await own.tokenFor("ann@shop.test", { expiresIn: 60 });
    expect(decodeJwt(token).exp).toBe(now / 1000 + 60);
    expect((await orders(token, own.url)).status).toBe(200);
    now += 61_000;
    expect(await (await orders(token, own.url)).json()).toMatchObject({ code: "TOKEN_EXPIRED" });
  });

  test("keys lie in .standin, readable by the owner alone, and stay over a restart; ES256 on request", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sign-in-"));
    const source = join(folder, "db.json");
    writeFileSync(source, JSON.stringify(shopUsers()));
    const layers = { "sign-in": JSON.parse(JSON.stringify({ ...SIGN_IN, algorithm: "ES256" })) };
    const jwks = async () => {
      await using own = await createStandin({ source, persist: true, middlewares: ["sign-in"], layers });
      return (await fetch(`${own.url}/__oidc/jwks`)).text();
    };
    const first = await jwks();
    expect(JSON.parse(first)).toEqual({ keys: [expect.not.objectContaining({ d: expect.anything() })] });
    expect(await jwks()).toBe(first);
    const file = join(folder, ".standin", "db.json.sign-in-keys");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain('"d":');
  });
});

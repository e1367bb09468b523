import { createHook } from "node:async_hooks";
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { LayerRequest, LayerResponse } from "../../src/layers/layer.ts";
import { hashPassword } from "../../src/layers/password.ts";
import { rateLimit } from "../../src/layers/rate-limit.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { startLayered, toolsWith } from "../support/layers.ts";
import { askRaw } from "../support/raw.ts";
import { IS_SOAK } from "../support/soak.ts";

const PASS = resolve("test/fixtures/middlewares/pass.cjs");
const KEY = "my-key-0123456789";
const TOKEN = "the-one-fixed-token";
const SECRET = "a secret of thirty-two bytes, ok";
const ANN = { email: "ann@example.com", password: "open sesame" };
const LAYERS = {
  "api-key": { keys: [KEY, { key: "reader-0123456789", permissions: ["read"] }] },
  bearer: { token: TOKEN },
  "signed-token": { secret: SECRET, users: [ANN] },
};
const RULES = {
  "/api/v1/*": "/$1",
  "/health": "/health-check",
  "/public/products": "/products",
  "/search/:term": "/products?name_like=:term",
};
type Way = [name: string, around: (guard: string) => string[]];

/** Each guard alone, and on both sides of an interceptor: the two ways of a request. */
const WAYS: Way[] = [
  ["alone", (guard) => [guard]],
  ["before an interceptor", (guard) => [guard, PASS]],
  ["behind an interceptor", (guard) => [PASS, guard]],
];

/** The ways for one of many cases: in `npm test` one, by turns. */
function waysFor(at: number): readonly Way[] {
  return IS_SOAK ? WAYS : WAYS.filter((_, way) => way === at % WAYS.length);
}

describe("invalid credentials", () => {
  const keys: [name: string, headers: string[], status: number][] = [
    ["none", [], 401],
    ["an empty one", ["X-API-KEY:"], 400],
    ["blanks", ["X-API-KEY:    \t "], 400],
    ["the right one twice", [`X-API-KEY: ${KEY}`, `X-API-KEY: ${KEY}`], 400],
    ["a wrong and the right one", ["X-API-KEY: wrong-key-0000", `x-api-key: ${KEY}`], 400],
    ["the right and an empty one", [`X-API-KEY: ${KEY}`, "X-API-KEY:"], 400],
    ["15 kB of it", [`X-API-KEY: ${"a".repeat(15_000)}`], 400],
    ["20 kB of it", [`X-API-KEY: ${"a".repeat(20_000)}`], 431],
    ["bytes beyond ASCII", [`X-API-KEY: ${KEY}\xe4\xff`], 400],
    ["in quotes", [`X-API-KEY: "${KEY}"`], 400],
    ["percent-encoded", [`X-API-KEY: ${KEY.replace("-", "%2D")}`], 400],
    ["under another name", [`X_API_KEY: ${KEY}`, `API-KEY: ${KEY}`, `X-API-KEY2: ${KEY}`], 401],
    ["as a bearer token", [`Authorization: Bearer ${KEY}`], 401],
  ];
  for (const [at, [name, headers, status]] of keys.entries()) {
    for (const [way, around] of waysFor(at)) {
      test(`api-key ${way}: ${name} -> ${status}`, async () => {
        const { port } = await startLayered({ middlewares: around("api-key"), layers: LAYERS });
        const answer = await askRaw(port, "GET /products/1", headers);
        expect(answer.status).toBe(status);
        expect(answer.body).not.toContain("Steel");
      });
    }
  }

  test("in the address it is not a credential", async () => {
    const { port } = await startLayered({ middlewares: ["api-key"], layers: LAYERS });
    expect((await askRaw(port, `GET /products/1?X-API-KEY=${KEY}&x-api-key=${KEY}`)).status).toBe(401);
  });

  test("a key that differs in any one character is refused; so is one that is shorter or longer by one", async () => {
    const { port } = await startLayered({ middlewares: ["api-key"], layers: LAYERS });
    const variants = [...KEY].map((letter, at) => KEY.slice(0, at) + (letter === "x" ? "y" : "x") + KEY.slice(at + 1));
    for (const key of [...variants, KEY.slice(1), KEY.slice(0, -1), `${KEY}x`, `x${KEY}`]) {
      expect((await askRaw(port, "GET /products/1", [`X-API-KEY: ${key}`])).status, key).toBe(403);
    }
    expect((await askRaw(port, "GET /products/1", [`X-API-KEY: ${KEY}`])).status).toBe(200);
  });

  const tokens: [name: string, headers: string[], status: number][] = [
    ["none", [], 401],
    ["an empty one", ["Authorization:"], 401],
    ["the scheme alone", ["Authorization: Bearer "], 401],
    ["lower case", [`Authorization: bearer ${TOKEN}`], 401],
    ["a tab in place of the space", [`Authorization: Bearer\t${TOKEN}`], 401],
    ["a wrong one first", ["Authorization: Bearer wrong", `Authorization: Bearer ${TOKEN}`], 403],
    ["15 kB of it", [`Authorization: Bearer ${"a".repeat(15_000)}`], 403],
    ["bytes beyond ASCII", [`Authorization: Bearer ${TOKEN}\xe4`], 403],
    ["a name before it", [`Authorization: Token Bearer ${TOKEN}`], 401],
    ["as Proxy-Authorization", [`Proxy-Authorization: Bearer ${TOKEN}`], 401],
    ["as a cookie", [`Cookie: Authorization=Bearer ${TOKEN}`], 401],
  ];
  for (const [at, [name, headers, status]] of tokens.entries()) {
    for (const [way, around] of waysFor(at)) {
      test(`bearer ${way}: ${name} -> ${status}`, async () => {
        const { port } = await startLayered({ middlewares: around("bearer"), layers: LAYERS });
        const answer = await askRaw(port, "GET /products/1", headers);
        expect(answer.status).toBe(status);
        expect(answer.body).not.toContain("Steel");
      });
    }
  }
});

describe("addresses that look like a public route", () => {
  const lookAlikes = [
    "/products",
    "//products",
    "///products",
    "/PRODUCTS",
    "/Products/1",
    "/products/",
    "/products//",
    "/products/.",
    "/./products",
    "/../products",
    "/%2e%2e/products",
    "/%2e/products",
    "/%2fproducts",
    "/%70roducts",
    "/healthx",
    "/health.",
    "/health..",
    "/health-",
    "/health%20",
    "/health%00",
    "/health%2e",
    "/health;",
    "/health;/products",
    "/health;x=1/../products",
    "/HEALTH",
    "/Health",
    "//health",
    "/health//products",
    "/health/../products",
    "/health/./../products",
    "/health/..%2fproducts",
    "/health/..%2Fproducts",
    "/health/%2e%2e/products",
    "/health/%2e%2e%2fproducts",
    "/health/.%2e/products",
    "/health/%2E./products",
    "/health%2f..%2fproducts",
    "/health%2Fproducts",
    "/health/..%5cproducts",
    "/health\\..\\products",
    "/health/..\\products",
    "/health/..",
    "/health/.",
    "/health/%2e%2e",
    "/health/\xc0\xaf../products",
    "/health%c0%afproducts",
    "/health/%ff/../products",
    "/health/%",
    "/health/%zz/products",
    "/health/%0a",
    "/health\t",
    "/public/products/../companies",
    "/public/productsx",
    "/public%2fproducts",
    "/public//products",
    "/public/./products",
    "/PUBLIC/products",
    "/public/products%2f1",
    "/public",
    "/auth",
    "/auth/loginx",
    "/auth/login/../../products",
    "/products?/health",
    "/products?x=/health/",
    "/products#/health",
    "/products/#/../../health",
    "/#/health",
    "/db",
    "/db/",
    "/__rules",
    "/__rules/",
    "/__snapshots__",
    "/stats",
    "/health-check",
    "/",
    "/?/health",
    "/companies/1/products",
    "/companies/1/products/",
    "/api/v1/products",
    "/API/V1/products",
    "/api/v1/health",
    "/api/v1/health/../products",
    "/api/v1//products",
    "/api/v1/api/v1/products",
    "/api/v1/public/products",
    "/search/steel",
    "/search/steel%2f..%2f..%2fhealth",
    "//user@health/products",
    "//health@x#",
    "//health/products",
    "http://localhost/products",
    "http://health/products",
    "http://localhost//products",
    "http://localhost/health/../products",
    "HTTP://a@health/products",
    "http://localhost?/health",
    "http:/health/../products",
    "ftp://localhost/products",
  ];
  for (const [at, guard] of ["api-key", "bearer"].entries()) {
    for (const [way, around] of waysFor(at + 1)) {
      test(`${guard} ${way}: none of ${lookAlikes.length} gets around it`, async () => {
        const { port } = await startLayered({ middlewares: around(guard), layers: LAYERS, rules: RULES });
        for (const target of lookAlikes) {
          const { status, body } = await askRaw(port, `GET ${target}`);
          // Requests that the HTTP parser cannot read are 400.
          const isUnreadable = status === 400 && body.includes("REQUEST_MALFORMED");
          expect(isUnreadable ? 401 : status, target).toBe(401);
          expect(body, target).not.toMatch(/Steel|Acme|uptime|name_like/);
        }
      });
    }
  }

  const open: [target: string, status: number][] = [
    ["/health", 200],
    ["/health?x=/products", 200],
    ["http://localhost/health", 200],
    ["http://anything:80/health", 200],
    ["/public/products", 200],
    // Below a public route, where nothing is served; the last one is no rule's.
    ["/health/products", 404],
    ["/health/..;/products", 404],
    ["/health/.../products", 404],
    ["/%68ealth", 404],
  ];
  for (const [way, around] of WAYS) {
    test(`the public routes themselves stay open, and lead nowhere else, ${way}`, async () => {
      const { port } = await startLayered({ middlewares: around("api-key"), layers: LAYERS, rules: RULES });
      for (const [target, status] of open) {
        const answer = await askRaw(port, `GET ${target}`);
        expect(answer.status, target).toBe(status);
        if (target !== "/public/products") expect(answer.body, target).not.toContain("Steel");
      }
    });
  }

  const overrides = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "get", "GET, DELETE", "OPTIONS", "NONSENSE"];
  for (const [at, guard] of ["api-key", "bearer"].entries()) {
    for (const [way, around] of waysFor(at)) {
      test(`${guard} ${way}: an overridden method is no way around`, async () => {
        const api = await startLayered({ middlewares: around(guard), layers: LAYERS, rules: RULES });
        for (const wanted of overrides) {
          const headers = [`X-HTTP-Method-Override: ${wanted}`, "Content-Length: 0"];
          const { status, body } = await askRaw(api.port, "POST /products/1", headers);
          // A preflight shows nothing and changes nothing.
          expect(status, wanted).toBe(wanted === "OPTIONS" ? 204 : 401);
          expect(body, wanted).not.toContain("Steel");
        }
      });
    }
  }
});

describe("a read-only key stays read-only", () => {
  const reader = ["X-API-KEY: reader-0123456789", "Content-Length: 0"];
  for (const [way, around] of WAYS) {
    test(way, async () => {
      const { port } = await startLayered({ middlewares: around("api-key"), layers: LAYERS, rules: RULES });
      const before = (await askRaw(port, "GET /db", reader)).body;
      const lines = [
        "POST /products",
        "PUT /products/1",
        "DELETE /products/1",
        "POST /api/v1/products",
        "POST /__reset",
      ];
      for (const line of lines) {
        expect((await askRaw(port, line, reader)).status, line).toBe(403);
        expect((await askRaw(port, line.replace(" ", " http://localhost"), reader)).status, line).toBe(403);
      }
      for (const wanted of ["DELETE", "delete", "PUT", "PATCH", "DELETE, GET"]) {
        const headers = [...reader, `X-HTTP-Method-Override: ${wanted}`];
        expect((await askRaw(port, "POST /products/1", headers)).status, wanted).toBe(403);
      }
      // Only POST is overridden, so these are what they say.
      for (const [line, status] of [
        ["GET /products/1", 200],
        ["GET /products/1?_method=DELETE", 200],
      ] as const) {
        expect((await askRaw(port, line, [...reader, "X-HTTP-Method-Override: DELETE"])).status, line).toBe(status);
      }
      expect((await askRaw(port, "GET /db", reader)).body).toBe(before);
    });
  }
});

describe("tokens that were not issued here", () => {
  const HOUR = 3600;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const hashes = { HS256: "sha256", HS384: "sha384", HS512: "sha512" };
  const seconds = (): number => Math.floor(Date.now() / 1000);
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = (others: object = {}) => ({
    sub: "1",
    email: ANN.email,
    iat: seconds(),
    exp: seconds() + HOUR,
    ...others,
  });
  /** A token made by hand, so that it can be wrong in any way. */
  const signed = (
    content: object = claims(),
    { alg = "HS256" as keyof typeof hashes, secret = SECRET, header = {} } = {},
  ) => {
    const input = `${encode({ alg, typ: "JWT", ...header })}.${encode(content)}`;
    return `${input}.${createHmac(hashes[alg], secret).update(input).digest("base64url")}`;
  };
  const part = (index: number): string => signed().split(".")[index] as string;
  const { exp: _exp, ...endless } = claims();
  const { sub: _sub, ...nobody } = claims();

  const forged: [name: string, code: string, make: () => string][] = [
    ["expired an hour ago", "TOKEN_EXPIRED", () => signed(claims({ exp: seconds() - HOUR }))],
    ["expired a second ago", "TOKEN_EXPIRED", () => signed(claims({ exp: seconds() - 1 }))],
    ["signed with another secret", "TOKEN_INVALID", () => signed(claims(), { secret: `${SECRET}.` })],
    ["signed with an empty secret", "TOKEN_INVALID", () => signed(claims(), { secret: "" })],
    ["expired, and with another secret", "TOKEN_INVALID", () => signed(claims({ exp: 1 }), { secret: `${SECRET}.` })],
    ["HS384 with the right secret", "TOKEN_INVALID", () => signed(claims(), { alg: "HS384" })],
    ["HS512 with the right secret", "TOKEN_INVALID", () => signed(claims(), { alg: "HS512" })],
    ["HS256 that says HS512", "TOKEN_INVALID", () => signed(claims(), { header: { alg: "HS512" } })],
    ["RS256", "TOKEN_INVALID", () => signedByRsa(claims())],
    ["alg none, no signature", "TOKEN_INVALID", () => `${encode({ alg: "none" })}.${part(1)}.`],
    ["alg None, no signature", "TOKEN_INVALID", () => `${encode({ alg: "None" })}.${part(1)}.`],
    ["alg none, with the right signature", "TOKEN_INVALID", () => signed(claims(), { header: { alg: "none" } })],
    ["no alg", "TOKEN_INVALID", () => signed(claims(), { header: { alg: undefined } })],
    ["alg as a list", "TOKEN_INVALID", () => signed(claims(), { header: { alg: ["HS256"] } })],
    ["another user under the old signature", "TOKEN_INVALID", () => tampered({ sub: "2", email: "root@example.com" })],
    ["a later end under the old signature", "TOKEN_INVALID", () => tampered({ exp: seconds() + 9e9 })],
    ["the signature cut off", "TOKEN_INVALID", () => `${part(0)}.${part(1)}.`],
    ["the signature shortened", "TOKEN_INVALID", () => signed().slice(0, -2)],
    ["the signature of other content", "TOKEN_INVALID", () => `${part(0)}.${part(1)}.${signed({}).split(".")[2]}`],
    ["without an end", "TOKEN_INVALID", () => signed(endless)],
    ["an end that is a text", "TOKEN_INVALID", () => signed(claims({ exp: "9999999999" }))],
    ["without a subject", "TOKEN_INVALID", () => signed(nobody)],
    ["not valid yet", "TOKEN_INVALID", () => signed(claims({ nbf: seconds() + HOUR }))],
    ["an extension nobody knows", "TOKEN_INVALID", () => signed(claims(), { header: { crit: ["x"], x: 1 } })],
    ["claims that are no object", "TOKEN_INVALID", () => signed([])],
    ["two dots", "TOKEN_INVALID", () => ".."],
    ["no dots", "TOKEN_INVALID", () => "token"],
    ["five parts", "TOKEN_INVALID", () => "a.b.c.d.e"],
    ["15 kB of it", "TOKEN_INVALID", () => `${"a".repeat(7000)}.${"b".repeat(7000)}.c`],
    ["the fixed token of the other guard", "TOKEN_INVALID", () => TOKEN],
    ["the secret itself", "TOKEN_INVALID", () => Buffer.from(SECRET).toString("base64url")],
  ];

  function tampered(others: object): string {
    const [header, , signature] = signed().split(".");
    return `${header}.${encode(claims(others))}.${signature}`;
  }

  function signedByRsa(content: object): string {
    const input = `${encode({ alg: "RS256" })}.${encode(content)}`;
    return `${input}.${createSign("RSA-SHA256").update(input).sign(privateKey, "base64url")}`;
  }

  for (const [name, code, make] of forged) {
    test(`${name} -> 401 ${code}`, async () => {
      const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
      const { status, body } = await api.ask("DELETE /products/1", {
        headers: { Authorization: `Bearer ${make()}` },
      });
      expect([status, body]).toEqual([401, { error: expect.any(String), message: expect.any(String), code }]);
      expect((await api.ask("GET /products/1")).status).toBe(200);
    });
  }

  test("a token made by hand is good when nothing is wrong with it: the ones above are refused for their fault", async () => {
    for (const [way, around] of WAYS) {
      const api = await startLayered({ middlewares: around("signed-token"), layers: LAYERS });
      const headers = { Authorization: `Bearer ${signed()}` };
      expect((await api.ask("DELETE /products/1", { headers })).status, way).toBe(200);
    }
  });

  const schemes = ["bearer", "BEARER", "Token", "JWT", "Basic", "", "Bearer:"];
  for (const scheme of schemes) {
    test(`the right token under the scheme "${scheme}" -> 401 TOKEN_REQUIRED`, async () => {
      const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
      const headers = { Authorization: `${scheme} ${signed()}`.trim() };
      const { status, body } = await api.ask("DELETE /products/1", { headers });
      expect([status, body]).toMatchObject([401, { code: "TOKEN_REQUIRED" }]);
    });
  }

  const writes = [
    "POST /login/../products",
    "POST /login/products",
    "POST /login%2f..%2fproducts",
    "POST //login",
    "POST /login//",
    "POST /loginx",
    "POST /products/login",
    "POST /products?/login",
    "POST /products#/login",
    "POST http://login/products",
    "POST /api/v1/products",
    "POST /public/products",
    "POST /companies/1/products",
    "PUT /products/1",
    "PATCH /Products/1",
    "DELETE //products/1",
    "POST /__reset",
    "POST /__snapshots__",
    "PUT /__snapshots__/x",
    "DELETE /__snapshots__/x",
    "MKCOL /products",
  ];
  for (const [way, around] of waysFor(2)) {
    test(`none of ${writes.length} writes gets around the login, ${way}`, async () => {
      const { port } = await startLayered({ middlewares: around("signed-token"), layers: LAYERS, rules: RULES });
      const before = (await askRaw(port, "GET /db")).body;
      const body = JSON.stringify(ANN);
      const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`];
      for (const line of writes) {
        const answer = await askRaw(port, line, headers, body);
        expect(answer.status, line).toBe(401);
        expect(answer.body, line).toContain("TOKEN_REQUIRED");
      }
      expect((await askRaw(port, "GET /db")).body).toBe(before);
    });
  }
});

describe("an unknown email and a wrong password cannot be told apart", () => {
  test("the same response, header by header", async () => {
    const api = await startLayered({ middlewares: ["signed-token"], layers: LAYERS });
    const ask = async (body: unknown) => {
      const { status, headers, text } = await api.ask("POST /login", { body });
      return { status, text, headers: [...headers].filter(([name]) => name !== "date") };
    };
    const unknown = await ask({ email: "eve@example.com", password: "open sesame" });
    expect(unknown).toEqual(await ask({ email: ANN.email, password: "wrong" }));
    expect(unknown.status).toBe(401);
  });

  test("the same work: every login costs one hash, whether the email is unknown or the password wrong", async () => {
    const users = [
      { email: ANN.email, password: await hashPassword(ANN.password) },
      { email: "ben@example.com", password: "in plain text" },
    ];
    const layers = { "signed-token": { secret: SECRET, users } };
    const api = await startLayered({ middlewares: ["signed-token"], layers });
    const hashesFor = async (email: string, password: string): Promise<number> => {
      const counted = countHashes();
      await api.ask("POST /login", { body: { email, password } });
      return counted();
    };
    expect(await hashesFor("nobody@example.com", "wrong")).toBe(1);
    expect(await hashesFor(ANN.email, "wrong")).toBe(1);
    expect(await hashesFor("ben@example.com", "wrong")).toBe(1);
    expect(await hashesFor(ANN.email, ANN.password)).toBe(1);
  });
});

/** Counts the scrypt hashes that this process begins, until it is asked for their number. */
function countHashes(): () => number {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === "SCRYPTREQUEST") count++;
    },
  }).enable();
  return () => {
    hook.disable();
    return count;
  };
}

describe("a secret appears whole in no log, error or response", () => {
  test("on the command line, with everything listed and all kinds of mistakes made", async () => {
    const hash = await hashPassword(ANN.password);
    const config = {
      middlewares: ["logger", "rate-limit", "api-key", "signed-token", "./own.cjs"],
      layers: {
        "rate-limit": { limit: 1000 },
        "api-key": { keys: [KEY] },
        "signed-token": { secret: SECRET, users: [{ email: ANN.email, password: hash }] },
      },
    };
    const folder = createFolder({
      "db.json": catalog(),
      "standin.json": config,
      "own.cjs": "module.exports = (req, res, next) => { if (req.query.fail) throw new Error('on purpose'); next(); };",
    });
    const served = await serveKept(["db.json"], folder);
    const answers: string[] = [];
    const ask = async (path: string, init: RequestInit & { headers: Record<string, string> }): Promise<string> => {
      const answer = await fetch(`${served.url}${path}`, init);
      const text = await answer.text();
      answers.push(`${text} ${JSON.stringify([...answer.headers])}`);
      return text;
    };
    const json = { "X-API-KEY": KEY, "Content-Type": "application/json" };
    const login = await ask("/login", { method: "POST", headers: json, body: JSON.stringify(ANN) });
    const { accessToken } = JSON.parse(login) as { accessToken: string };
    answers.length = 0;
    const wrong = {
      key: "zebra7-key-0123456789",
      token: `${accessToken.slice(0, -3)}xyz`,
      password: "wrong-password-1",
    };
    await ask("/products", { headers: { "X-API-KEY": wrong.key } });
    await ask("/products", { headers: { "X-API-KEY": `${wrong.key}?` } });
    await ask("/login", { method: "POST", headers: json, body: JSON.stringify({ ...ANN, password: wrong.password }) });
    await ask("/login", { method: "POST", headers: json, body: `{"password":"${wrong.password}"` });
    await ask("/login", { method: "POST", headers: json, body: JSON.stringify({ password: wrong.password }) });
    for (const token of [accessToken, wrong.token]) {
      const headers = { ...json, Authorization: `Bearer ${token}` };
      await ask("/products", { method: "POST", headers, body: "{}" });
      await ask("/products?fail=1", { method: "POST", headers, body: "{}" });
      await ask("/nowhere", { headers });
      await ask("/db", { headers });
      await ask("/__rules", { headers });
      await ask("/health-check", { headers });
    }
    await served.stop();
    const shown = [served.output.stdout, served.output.stderr, ...answers].join("\n");
    expect(shown).toContain("INTERCEPTOR_FAILED");
    expect(shown).toContain("zebra");
    for (const secret of [KEY, SECRET, ANN.password, hash, accessToken, ...Object.values(wrong)]) {
      expect(shown.includes(secret), secret).toBe(false);
    }
    // Nor a good part of one.
    expect(shown).not.toContain(wrong.key.slice(0, 6));
    expect(shown).not.toContain(accessToken.split(".")[2]);
  });
});

describe("the memory of the rate limiter is bounded", () => {
  const collectGarbage = (): void => {
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
  };

  // All of them would take 250 bytes each; a hundred thousand at most are kept.
  const keys = Number(process.env.STANDIN_RATE_KEYS ?? 101_000);
  const roomMb = Math.min(80, (keys * 250) / 1e6 / 1.4);

  test(`${keys} different keys of 64 characters: the newest are counted, the oldest are forgotten`, () => {
    const remaining: string[] = [];
    const layer = rateLimit({ limit: 10, windowSeconds: 60 }, toolsWith({ now: () => 0 }));
    const res = {
      setHeader: (name: string, value: string) => {
        if (name === "X-RateLimit-Remaining") remaining[0] = value;
      },
    } as unknown as LayerResponse;
    const ask = (key: string): string | undefined => {
      void layer({ headers: { "x-api-key": key } } as unknown as LayerRequest, res, () => {});
      return remaining[0];
    };
    const keyOf = (index: number): string => `${index}`.padStart(64, "k");
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < keys; index++) ask(keyOf(index));
    collectGarbage();
    const grownMb = (process.memoryUsage().heapUsed - before) / 1e6;
    expect(grownMb).toBeLessThan(roomMb);
    expect(ask(keyOf(keys - 1))).toBe("8");
    expect(ask(keyOf(keys - 50_000))).toBe("8");
    expect(ask(keyOf(0))).toBe("9");
  });

  test("nor does a long key take more room than a short one", () => {
    const layer = rateLimit({ limit: 10, windowSeconds: 60 }, toolsWith({ now: () => 0 }));
    const res = { setHeader: () => undefined } as unknown as LayerResponse;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const count = process.env.STANDIN_SOAK ? 10_000 : 2000;
    for (let index = 0; index < count; index++) {
      const key = `${index}`.padStart(15_000, "k");
      void layer({ headers: { "x-api-key": key } } as unknown as LayerRequest, res, () => {});
    }
    collectGarbage();
    // As they are sent they would take 60 MB and more.
    expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(20);
  });
});

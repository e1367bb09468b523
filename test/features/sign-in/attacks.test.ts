import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Standin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { CALLBACK, openShop, SIGN_IN } from "./shop.ts";

const SECRET = "a secret of the worker";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
const REQUEST = {
  client_id: "shop-web",
  redirect_uri: CALLBACK,
  response_type: "code",
  scope: "openid offline_access",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  login_hint: "ann@shop.test",
};

let api: Standin;
beforeAll(async () => {
  // A client that is called as Ann's record is.
  const clients = [...SIGN_IN.clients, { id: "1", secret: SECRET }].map((client) => ({ ...client }));
  api = await openShop({ clients: JSON.parse(JSON.stringify(clients)) });
});
afterAll(() => api.close());

type Form = Readonly<Record<string, string>>;

function visit(path: string, given: Form, headers: Form = {}): Promise<Response> {
  return fetch(`${api.url}/__oidc/${path}?${new URLSearchParams(given)}`, { redirect: "manual", headers });
}

async function send(path: string, form: Form, headers: Form = {}) {
  const response = await fetch(`${api.url}/__oidc/${path}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(form),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, string>,
  };
}

async function newCode(more: Form = {}): Promise<string> {
  const back = (await visit("authorize", { ...REQUEST, ...more })).headers.get("location") ?? "";
  return new URL(back).searchParams.get("code") ?? "";
}

const exchange = (code: string, more: Form = {}) =>
  send("token", {
    grant_type: "authorization_code",
    client_id: "shop-web",
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    code,
    ...more,
  });

describe("a code", () => {
  for (const [name, more] of [
    ["of another client", { client_id: "worker", client_secret: SECRET }],
    ["with another verifier", { code_verifier: "w".repeat(43) }],
    ["with the challenge in place of the verifier", { code_verifier: CHALLENGE }],
    ["without a verifier", { code_verifier: "" }],
    ["with another listed address", { redirect_uri: "http://localhost:5173/other" }],
    ["with a longer address", { redirect_uri: `${CALLBACK}?` }],
  ] as const) {
    test(`${name} is refused`, async () => {
      expect(await exchange(await newCode(), more)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    });
  }

  test("that was asked for without PKCE takes no verifier, and PKCE cannot be weakened", async () => {
    const { code_challenge: _, code_challenge_method: __, ...plain } = REQUEST;
    const back = await visit("authorize", { ...plain, client_id: "worker" });
    const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const worker = { client_id: "worker", client_secret: SECRET };
    expect((await exchange(code, worker)).body.error).toBe("invalid_grant");
    for (const method of ["plain", "s256", ""]) {
      const refused = await visit("authorize", { ...REQUEST, client_id: "worker", code_challenge_method: method });
      expect(refused.headers.get("location")).toContain("error=invalid_request");
    }
  });

  test("comes alone, whatever the address brings", async () => {
    const redirect_uri = `${CALLBACK}?code=foreign&state=foreign&iss=foreign&keep=1`;
    const back = await visit("authorize", { ...REQUEST, redirect_uri, state: "own" });
    const { searchParams } = new URL(back.headers.get("location") ?? "");
    expect(searchParams.getAll("state")).toEqual(["own"]);
    expect(searchParams.getAll("iss")).toEqual([`${api.url}/__oidc`]);
    expect(searchParams.getAll("code")).toEqual([expect.not.stringContaining("foreign")]);
    expect(searchParams.get("keep")).toBe("1");
  });
});

describe("pages of other origins", () => {
  const headers = { Origin: "http://evil.test" };
  const allowedBy = (response: { headers: Headers }) => response.headers.get("access-control-allow-origin");

  test("cannot read a code, nor the page that signs out", async () => {
    for (const more of [{}, { response_mode: "form_post" }, { prompt: "none" }, { login_hint: "" }]) {
      expect([more, allowedBy(await visit("authorize", { ...REQUEST, ...more }, headers))]).toEqual([more, api.url]);
    }
    const posted = { method: "POST", headers, body: new URLSearchParams({ ...REQUEST, user: "ann@shop.test" }) };
    expect(allowedBy(await fetch(`${api.url}/__oidc/authorize`, { ...posted, redirect: "manual" }))).toBe(api.url);
    expect(allowedBy(await visit("logout", {}, headers))).toBe(api.url);
  });

  test("can use the endpoints for programs", async () => {
    expect(allowedBy(await send("token", {}, headers))).toBe(headers.Origin);
    expect(allowedBy(await send("revoke", { client_id: "shop-web", token: "x" }, headers))).toBe(headers.Origin);
    expect(allowedBy(await visit("userinfo", {}, headers))).toBe(headers.Origin);
  });

  test("can neither make tokens, nor list users, nor change keys; a foreign name of this host neither", async () => {
    for (const given of [headers, { Origin: "null" }, { Host: "evil.test" }]) {
      for (const line of ["GET /__oidc/tokens", "POST /__oidc/tokens", "POST /__oidc/keys"]) {
        const body = line.startsWith("POST") ? { body: { user: "ann@shop.test" } } : {};
        expect([line, (await askAt(api.url, line, { headers: given, ...body })).status]).toEqual([line, 403]);
      }
    }
  });
});

describe("logout", () => {
  test("goes back to listed addresses alone", async () => {
    const addresses = [
      "http://evil.test/",
      "//evil.test",
      "javascript:alert(1)",
      "http://localhost:5173@evil.test/",
      "",
    ];
    for (const address of addresses) {
      const response = await visit("logout", { client_id: "shop-web", post_logout_redirect_uri: address });
      expect([address, response.status, response.headers.get("location")]).toEqual([address, 400, null]);
    }
    const unknown = await visit("logout", { post_logout_redirect_uri: CALLBACK });
    expect([unknown.status, unknown.headers.get("location")]).toEqual([400, null]);
  });

  test("takes an ID token as a hint, and nothing else", async () => {
    const { access_token = "", id_token = "" } = (await exchange(await newCode())).body;
    const statusOf = async (id_token_hint: string) =>
      (await visit("logout", { id_token_hint, post_logout_redirect_uri: CALLBACK })).status;
    expect(await statusOf(id_token)).toBe(303);
    expect(await statusOf(access_token)).toBe(400);
    expect(await statusOf(`${id_token.slice(0, -8)}AAAAAAAA`)).toBe(400);
    const orders = await fetch(`${api.url}/orders`, { headers: { Authorization: `Bearer ${id_token}` } });
    expect(orders.status).toBe(401);
  });
});

test("the cookie of a session is for the issuer alone, and out of reach of scripts", async () => {
  const cookie = (await visit("authorize", REQUEST)).headers.get("set-cookie");
  expect(cookie).toMatch(/^standin-session=[\w-]{32}; Path=\/__oidc; HttpOnly; SameSite=Lax$/);
});

test("a client is no user, even one with the name of a user's id", async () => {
  const form = { grant_type: "client_credentials", client_id: "1", client_secret: SECRET, scope: "openid" };
  const { access_token } = (await send("token", form)).body;
  const info = await visit("userinfo", {}, { Authorization: `Bearer ${access_token}` });
  expect([info.status, await info.json()]).toMatchObject([401, { error: "invalid_token" }]);
});

test("grants that are not listed, or not for this client, are refused", async () => {
  const asked = { grant_type: "password", client_id: "shop-web", username: "ann@shop.test", password: "" };
  expect((await send("token", asked)).body.error).toBe("unsupported_grant_type");
  expect((await send("token", { grant_type: "client_credentials", client_id: "shop-web" })).body.error).toBe(
    "unauthorized_client",
  );
});

test("the traffic shows no code and no token", async () => {
  const code = await newCode();
  const { body } = await exchange(code);
  await send("token", { grant_type: "refresh_token", client_id: "shop-web", refresh_token: body.refresh_token ?? "" });
  await visit("logout", { id_token_hint: body.id_token ?? "" });
  const traffic = JSON.stringify(api.requests());
  const { access_token, refresh_token, id_token } = body;
  for (const secret of [code, VERIFIER, access_token, refresh_token, id_token]) {
    expect(traffic.includes(String(secret))).toBe(false);
  }
});

test("with rules of access, no request creates a sandbox by naming it", async () => {
  await using own = await openShop({}, { access: { orders: { read: "anyone" } } });
  const authorization = `Bearer ${await own.tokenFor("bob@shop.test")}`;
  for (const [line, headers] of [
    ["GET /__sandbox/new/orders", { authorization }],
    ["GET /__sandbox/new/__oidc/jwks", {}],
    ["POST /__sandbox/new/__oidc/token", {}],
    ["GET /orders", { authorization, "x-standin-sandbox": "new" }],
    ["GET /products", { cookie: "standin-sandbox=new" }],
  ] as const) {
    expect([line, (await askAt(own.url, line, { headers })).status]).toEqual([line, 404]);
  }
  const admin = { authorization: `Bearer ${await own.tokenFor("ann@shop.test")}` };
  expect((await askAt(own.url, "GET /__sandboxes", { headers: admin })).body).toMatchObject({ sandboxes: [] });
  await askAt(own.url, "POST /__sandboxes", { headers: admin, body: { name: "new" } });
  expect((await askAt(own.url, "GET /__sandbox/new/__oidc/jwks")).status).toBe(200);
});

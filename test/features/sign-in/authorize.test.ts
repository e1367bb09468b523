import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isListedAddress } from "../../../src/features/sign-in/redirect-address.ts";
import type { Standin } from "../../../src/index.ts";
import { testAtLength } from "../../support/soak.ts";
import { CALLBACK, openShop } from "./shop.ts";

let api: Standin;
beforeAll(async () => {
  api = await openShop();
});
afterAll(() => api.close());

const verifier = "v".repeat(43);
const GOOD = {
  client_id: "shop-web",
  redirect_uri: CALLBACK,
  response_type: "code",
  scope: "openid",
  state: "st",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
};

async function authorize(more: Record<string, string>, headers: Record<string, string> = {}, method = "GET") {
  const given = new URLSearchParams({ ...GOOD, ...more });
  for (const [name, value] of Object.entries(more)) if (value === "") given.delete(name);
  const init = method === "POST" ? { method, body: given } : {};
  const query = method === "POST" ? "" : `?${given}`;
  const response = await fetch(`${api.url}/__oidc/authorize${query}`, { redirect: "manual", headers, ...init });
  const location = response.headers.get("location");
  return { response, back: location === null ? undefined : new URL(location), text: await response.text() };
}

const cookieOf = (response: Response) => (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

test("the page asks who you are, may not be framed, and lists users by name", async () => {
  const { response, text } = await authorize({});
  expect(response.status).toBe(200);
  expect(response.headers.get("x-frame-options")).toBe("DENY");
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(text).toContain("<h1>Who are you?</h1>");
  expect(text).toContain('value="ann@shop.test"');
  expect(text).not.toContain("sesame");
  expect((await authorize({ search: "bob" })).text).not.toContain("ann@shop.test");
});

test("a user without a password signs in by a click, one with a password by it", async () => {
  expect((await authorize({ user: "ann@shop.test" }, {}, "POST")).back?.searchParams.get("code")).toBeTruthy();
  const asked = await authorize({ user: "cid@shop.test" }, {}, "POST");
  expect(asked.text).toContain('type="password"');
  expect((await authorize({ user: "cid@shop.test", password: "wrong" }, {}, "POST")).text).toContain(
    "The password is wrong.",
  );
  expect(
    (await authorize({ user: "cid@shop.test", password: "open sesame" }, {}, "POST")).back?.searchParams.has("code"),
  ).toBe(true);
});

test("a form post of any origin is a sign-in; the session signs in again, until it is asked for anew", async () => {
  const { response, back } = await authorize({ user: "ann@shop.test" }, { Origin: "http://localhost:5173" }, "POST");
  expect([back?.searchParams.get("state"), back?.searchParams.get("iss")]).toEqual(["st", `${api.url}/__oidc`]);
  const Cookie = cookieOf(response);
  expect((await authorize({ prompt: "none" }, { Cookie })).back?.searchParams.has("code")).toBe(true);
  expect((await authorize({}, { Cookie })).back?.searchParams.has("code")).toBe(true);
  for (const more of [{ prompt: "login" }, { prompt: "select_account" }, { login_hint: "cid@shop.test" }]) {
    expect((await authorize(more, { Cookie })).text).toContain("Who are you?");
  }
  await fetch(`${api.url}/__oidc/logout`, { headers: { Cookie } });
  expect((await authorize({ prompt: "none" }, { Cookie })).back?.searchParams.get("error")).toBe("login_required");
});

test("prompt=none without a session goes back without a frame's ban", async () => {
  const { response, back } = await authorize({ prompt: "none", login_hint: "ann@shop.test" });
  expect(back?.searchParams.get("error")).toBe("login_required");
  expect(response.headers.get("x-frame-options")).toBeNull();
});

test("a hint signs in users without a password; with trustHints, all", async () => {
  expect((await authorize({ login_hint: "bob@shop.test" })).back?.searchParams.has("code")).toBe(true);
  expect((await authorize({ login_hint: "cid@shop.test" })).back).toBeUndefined();
  await using own = await openShop({ trustHints: true });
  const query = new URLSearchParams({ ...GOOD, login_hint: "cid@shop.test" });
  expect((await fetch(`${own.url}/__oidc/authorize?${query}`, { redirect: "manual" })).status).toBe(303);
});

testAtLength("max_age asks again after a while", async () => {
  let now = Date.now();
  await using own = await openShop({}, { clock: () => now });
  const visit = (more: Record<string, string>, headers = {}) =>
    fetch(`${own.url}/__oidc/authorize?${new URLSearchParams({ ...GOOD, ...more })}`, { redirect: "manual", headers });
  const Cookie = cookieOf(await visit({ login_hint: "ann@shop.test" }));
  now += 100_000;
  expect((await visit({ max_age: "200" }, { Cookie })).status).toBe(303);
  expect((await visit({ max_age: "50" }, { Cookie })).status).toBe(200);
});

test("the response comes in the query, the fragment or a form", async () => {
  const hint = { login_hint: "ann@shop.test" };
  expect((await authorize({ ...hint, response_mode: "fragment" })).back?.hash).toMatch(/code=.*state=st/);
  const { text, response } = await authorize({ ...hint, response_mode: "form_post" });
  expect(text).toMatch(
    /<form method="post" action="http:&#47;|<form method="post" action="http:\/\/localhost:5173\/callback">/,
  );
  expect(text).toMatch(/name="code" value="[\w-]+"/);
  expect(response.headers.get("content-security-policy")).toContain("script-src 'sha256-");
});

for (const [name, more, error] of [
  ["a client without a secret and PKCE", { code_challenge: "" }, "invalid_request"],
  ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
  ["another response type", { response_type: "token" }, "unsupported_response_type"],
  ["prompt=none with another", { prompt: "none login" }, "invalid_request"],
  ["a request object", { request: "x" }, "invalid_request"],
] as const) {
  test(`${name} goes back as ${error}`, async () => {
    expect((await authorize({ login_hint: "ann@shop.test", ...more })).back?.searchParams.get("error")).toBe(error);
  });
}

for (const more of [{ redirect_uri: "http://evil.test/" }, { redirect_uri: "" }, { client_id: "nobody" }]) {
  test(`${JSON.stringify(more)}: nothing is sent there`, async () => {
    const { response, back } = await authorize({ login_hint: "ann@shop.test", ...more });
    expect([response.status, back]).toEqual([400, undefined]);
  });
}

for (const [given, isListed] of [
  ["http://localhost:5173/callback", true],
  ["http://localhost:5173/a/b?x=1", true],
  ["http://localhost:5174/callback", false],
  ["https://localhost:5173/callback", false],
  ["http://localhost:5173.evil.test/callback", false],
  ["http://localhost:5173@evil.test/", false],
  ["http://ann@localhost:5173/callback", false],
  ["http://localhost:5173/callback#x", false],
  ["http://evil.test\\@localhost:5173/", false],
  ["http://localhost:5173/..%2fx", false],
  ["javascript:alert(1)", false],
  ["//localhost:5173/", false],
] as const) {
  test(`${given} ${isListed ? "is" : "is not"} listed`, () => {
    expect(isListedAddress(given, ["http://localhost:5173/*"])).toBe(isListed);
  });
}

test("a page of another port may read discovery, keys and tokens, but make none", async () => {
  const headers = { Origin: "http://localhost:5173" };
  for (const path of ["/__oidc/.well-known/openid-configuration", "/__oidc/jwks"]) {
    const response = await fetch(api.url + path, { headers });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "http://localhost:5173",
    ]);
  }
  const body = new URLSearchParams({ grant_type: "authorization_code", client_id: "shop-web", code: "x" });
  const response = await fetch(`${api.url}/__oidc/token`, { method: "POST", headers, body });
  expect([response.status, await response.json()]).toMatchObject([400, { error: "invalid_grant" }]);
});

import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Standin } from "../../../src/index.ts";
import { CALLBACK, openShop } from "./shop.ts";

let api: Standin;
beforeAll(async () => {
  api = await openShop();
});
afterAll(() => api.close());

const VERIFIER = "v".repeat(43);
const REQUEST = {
  client_id: "shop-web",
  redirect_uri: CALLBACK,
  response_type: "code",
  scope: "openid offline_access",
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
};

async function authorize(more: Record<string, string>, headers: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...REQUEST, ...more });
  const response = await fetch(`${api.url}/__oidc/authorize?${query}`, { redirect: "manual", headers });
  const { searchParams } = new URL(response.headers.get("location") ?? "");
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { code: searchParams.get("code") ?? "", error: searchParams.get("error"), cookie };
}

async function askForTokens(form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: "shop-web", redirect_uri: CALLBACK, code_verifier: VERIFIER, ...form });
  return (await (await fetch(`${api.url}/__oidc/token`, { method: "POST", body })).json()) as Record<string, string>;
}

/** Everything that a sign-in of the user leads to, and a look at what of it still holds. */
async function signIn(name: string): Promise<() => Promise<Record<string, boolean>>> {
  const first = await authorize({ login_hint: name });
  const second = await authorize({ login_hint: name });
  const grant = { grant_type: "authorization_code" };
  const { access_token, refresh_token = "" } = await askForTokens({ ...grant, code: first.code });
  const Authorization = `Bearer ${access_token}`;
  return async () => ({
    access: (await fetch(`${api.url}/orders`, { headers: { Authorization } })).ok,
    userinfo: (await fetch(`${api.url}/__oidc/userinfo`, { headers: { Authorization } })).ok,
    session: (await authorize({ prompt: "none" }, { Cookie: first.cookie })).error === null,
    code: (await askForTokens({ ...grant, code: second.code })).access_token !== undefined,
    refresh: (await askForTokens({ grant_type: "refresh_token", refresh_token })).access_token !== undefined,
  });
}

const ALL = { access: true, userinfo: true, session: true, code: true, refresh: true };
const NONE = { access: false, userinfo: false, session: false, code: false, refresh: false };
const NEW = { id: 20, email: "new@shop.test" };

test("tokens, codes, refresh tokens and sessions hold as long as their user", async () => {
  await api.db.users?.create(NEW);
  expect(await (await signIn(NEW.email))()).toEqual(ALL);
  const look = await signIn(NEW.email);
  await api.db.users?.update(20, { city: "Oslo" });
  expect(await look()).toEqual(ALL);
});

const ends: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["the user is deleted", async () => api.db.users?.remove(20)],
  [
    "the user is deleted and made again",
    async () => {
      await api.db.users?.remove(20);
      await api.db.users?.create(NEW);
    },
  ],
  [
    "the deletion of the user is reverted",
    async () => {
      await api.db.users?.remove(20);
      await api.history.revert((await api.history.list({ limit: 1 })).versions[0]?.version ?? 0);
    },
  ],
  ["all data is reset", () => api.reset()],
  ["a snapshot is restored", () => api.restore("with-new")],
];

for (const [what, end] of ends) {
  test(`none of them holds when ${what}`, async () => {
    if (!(await api.db.users?.get(20))) await api.db.users?.create(NEW);
    await api.snapshot("with-new");
    const look = await signIn(NEW.email);
    await end();
    expect(await look()).toEqual(NONE);
  });
}

import * as client from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { Realm } from "../../src/features/sign-in/realm.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { openPostgres, POSTGRES_DEFAULTS } from "../../src/store/postgres/open-postgres.ts";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { PASSWORD_READS } from "../features/sign-in/password-reads.ts";
import { CALLBACK, SIGN_IN, shopUsers } from "../features/sign-in/shop.ts";
import { askAt } from "../support/api.ts";
import { readEvents } from "../support/event-reader.ts";
import { limit } from "../support/limits.ts";
import { testAtLength } from "../support/soak.ts";
import { createDatabase } from "./database.ts";

let api: Standin;
/** The same data, as another process has it. */
let elsewhere: PostgresStore;

beforeAll(async () => {
  const source = await createDatabase();
  elsewhere = await openPostgres(source, { ...POSTGRES_DEFAULTS, idKey: "id", warn: () => {}, poolSize: 2 });
  await elsewhere.data.replace(incomingMembers(shopUsers()), true);
  const grants = ["authorization_code", "refresh_token", "password"];
  const layers: JsonObject = { "sign-in": JSON.parse(JSON.stringify({ ...SIGN_IN, grants, algorithm: "ES256" })) };
  api = await createStandin({ source, persist: true, middlewares: ["sign-in"], layers });
}, limit(60_000));
afterAll(async () => {
  await api.close();
  await elsewhere.close();
});

async function as(token: string, line: string, body?: unknown, more: Record<string, string> = {}) {
  const headers = { Authorization: `Bearer ${token}`, ...more };
  return askAt(api.url, line, body === undefined ? { headers } : { headers, body });
}

const statusOf = async (token: string): Promise<number> => (await as(token, "GET /orders")).status;
const stored = async (id: string) => (await elsewhere.get("users", id))?.value as JsonObject | undefined;

async function signIn(username: string, password: string): Promise<number> {
  const body = new URLSearchParams({ grant_type: "password", client_id: "shop-web", username, password });
  return (await fetch(`${api.url}/__oidc/token`, { method: "POST", body })).status;
}

test("a client signs in, refreshes with a new token each time, and 64 refreshes at a time have one winner", async () => {
  const issuer = new URL(`${api.url}/__oidc`);
  const config = await client.discovery(issuer, "shop-web", undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: "openid offline_access",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    login_hint: "ann@shop.test",
  });
  const back = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "");
  const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier });
  expect(tokens.claims()).toMatchObject({ sub: "1", email: "ann@shop.test", city: "Rome" });
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(await statusOf(next.access_token)).toBe(200);
  const tries = Array.from({ length: 64 }, () => client.refreshTokenGrant(config, next.refresh_token ?? ""));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await statusOf(next.access_token)).toBe(401);
});

testAtLength("a password is hashed on every way in, and no response shows one", async () => {
  const token = await api.tokenFor("ann@shop.test");
  const ways: [string, unknown, Record<string, string>?][] = [
    ["POST /users", { id: 10, email: "d@shop.test", password: "first" }],
    ["PUT /users/10", { email: "d@shop.test", password: "first" }],
    ["PATCH /users/10", { password: "first" }],
    ["PATCH /users?email=d@shop.test", { password: "first" }],
    ["POST /__batch", { requests: [{ method: "PATCH", path: "/users/10", body: { password: "first" } }] }],
  ];
  for (const [line, body, more] of ways) {
    const { status, text } = await as(token, line, body, more);
    expect([line, status < 300 ? "done" : text, text.includes("scrypt")]).toEqual([line, "done", false]);
    expect((await stored("10"))?.password).toMatch(/^scrypt\$/);
    expect([line, await signIn("d@shop.test", "first")]).toEqual([line, 200]);
    expect(await signIn("d@shop.test", "second")).toBe(400);
    await as(token, "PATCH /users/10", { password: "before" });
  }
  const events = await readEvents(`${api.url}/__events`, { Authorization: `Bearer ${token}` });
  await as(token, "PATCH /users/3", { note: "changed" });
  expect(JSON.stringify(await events.atLeast(1))).not.toMatch(/sesame|scrypt/);
  events.close();
  await as(token, "POST /__snapshots__", { name: "kept" });
  await as(token, "POST /__sandboxes", { name: "peek" });
  await as(token, "PATCH /__sandbox/peek/users/3", { note: "in the sandbox" });
  for (const path of PASSWORD_READS) {
    const { text, status } = await as(token, `GET ${path}`, undefined, { Accept: "application/json" });
    expect([path, /open sesame|scrypt\$/.test(text)]).toEqual([path, false]);
    expect([path, status < 500]).toEqual([path, true]);
  }
  expect(await signIn("cid@shop.test", "open sesame")).toBe(200);
});

test("a user created by POST signs in at once; a later record with the same id does not inherit", async () => {
  const admin = await api.tokenFor("ann@shop.test");
  await as(admin, "POST /users", { id: 20, email: "new@shop.test" });
  for (let time = 0; time < 5; time++) {
    const token = await api.tokenFor("new@shop.test");
    expect(await statusOf(token)).toBe(200);
    await as(admin, "PATCH /users/20", { city: `Rome ${time}` });
    expect(await statusOf(token)).toBe(200);
    await as(admin, "DELETE /users/20");
    await as(admin, "POST /users", { id: 20, email: "new@shop.test" });
    expect(await statusOf(token)).toBe(401);
  }
});

test("neither does one that another process has removed and made again", async () => {
  const token = await api.tokenFor("bob@shop.test");
  expect(await statusOf(token)).toBe(200);
  const body = await stored("2");
  await elsewhere.apply({ kind: "remove", collection: "users", id: "2", dependents: [] });
  expect(await statusOf(token)).toBe(401);
  await elsewhere.apply({ kind: "create", collection: "users", bodies: [body ?? {}] });
  expect(await statusOf(token)).toBe(401);
  expect(await statusOf(await api.tokenFor("bob@shop.test"))).toBe(200);
});

test("a token ends with its record, even while the database has not told of it yet", async () => {
  const deaf = new Proxy(elsewhere, {
    get(store, name) {
      if (name === "subscribe") return () => () => {};
      const value: unknown = Reflect.get(store, name, store);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
  const layer = { ...SIGN_IN, grants: [], algorithm: "RS256", issuer: undefined, trustHints: false } as const;
  const realm = new Realm(deaf, { ...layer, accessSeconds: 1, refreshSeconds: 1, clients: [] });
  const subject = async () => {
    const user = await realm.users.byId("2");
    return user ? realm.subjectOf(user) : { id: "2", born: "" };
  };
  const body = (await stored("2")) ?? {};
  let known = await subject();
  expect(await realm.find(known)).toMatchObject({ name: "bob@shop.test" });
  await api.db.users?.remove(2);
  await api.db.users?.create(body);
  expect(await realm.find(known)).toBeUndefined();
  known = await subject();
  await api.db.users?.update(2, { city: "Oslo" });
  expect(await realm.find(known)).toMatchObject({ name: "bob@shop.test" });
  await api.reset();
  expect(await realm.find(known)).toBeUndefined();
});

test("reset and restore end all, in every process", async () => {
  await api.snapshot("before");
  const ends = [() => api.reset(), () => api.restore("before"), () => elsewhere.reset()];
  for (const end of ends) {
    const token = await api.tokenFor("ann@shop.test");
    expect(await statusOf(token)).toBe(200);
    await end();
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await api.tokenFor("ann@shop.test"))).toBe(200);
  }
});

test("of many writes at a time that take one name, one wins", async () => {
  const token = await api.tokenFor("ann@shop.test");
  const email = "same@shop.test";
  const tries = [
    ...Array.from({ length: 4 }, () => as(token, "POST /users", { email })),
    as(token, "PATCH /users/2", { email }),
    as(token, "PATCH /users?id=3", { email }),
    as(token, "POST /__batch", { requests: [{ method: "PUT", path: "/users/3", body: { email } }] }),
  ];
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status < 300)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(tries.length - 1);
});

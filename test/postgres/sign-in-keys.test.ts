import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { openPostgres, POSTGRES_DEFAULTS } from "../../src/store/postgres/open-postgres.ts";
import { SIGN_IN, shopUsers } from "../features/sign-in/shop.ts";
import { askAt } from "../support/api.ts";
import { limit } from "../support/limits.ts";
import { createDatabase } from "./database.ts";

const open: Standin[] = [];
let source: string;

/** A server of its own on the data, with the issuer's text that all of them have. */
async function start(more: JsonObject = {}): Promise<Standin> {
  const settings = { ...SIGN_IN, algorithm: "ES256", issuer: "http://shop.test/__oidc", ...more };
  const layers: JsonObject = { "sign-in": JSON.parse(JSON.stringify(settings)) };
  const rules = { users: { properties: { password: { type: "string", minLength: 8, maxLength: 20 } } } };
  const api = await createStandin({ source, persist: true, middlewares: ["sign-in"], layers, rules });
  open.push(api);
  return api;
}

beforeAll(async () => {
  source = await createDatabase();
  const store = await openPostgres(source, { ...POSTGRES_DEFAULTS, idKey: "id", warn: () => {}, poolSize: 2 });
  await store.data.replace(incomingMembers(shopUsers()), true);
  await store.close();
}, limit(60_000));
afterAll(async () => {
  for (const api of open) await api.close();
});

const as = (api: Standin, token: string, line: string, body?: unknown) => {
  const headers = { Authorization: `Bearer ${token}` };
  return askAt(api.url, line, body === undefined ? { headers } : { headers, body });
};
const statusOf = async (api: Standin, token: string) => (await as(api, token, "GET /orders")).status;
const keysOf = async (api: Standin) => JSON.parse((await askAt(api.url, "GET /__oidc/jwks")).text).keys as JsonObject[];
const kidIn = (token: string) =>
  JSON.parse(Buffer.from(token.split(".", 1)[0] ?? "", "base64url").toString()).kid as string;

test("processes that start at the same time sign with one key, and tokens outlive a restart", async () => {
  const [one, two] = await Promise.all([start(), start()]);
  expect(await keysOf(one)).toHaveLength(1);
  expect(await keysOf(two)).toEqual(await keysOf(one));
  const token = await one.tokenFor("ann@shop.test");
  expect([await statusOf(one, token), await statusOf(two, token)]).toEqual([200, 200]);
  for (const api of open.splice(0)) await api.close();
  expect(await statusOf(await start(), token)).toBe(200);
});

test("a key that one process makes is known to all at once, and signs for all", async () => {
  const [one, two] = [await start(), await start()];
  const old = await two.tokenFor("bob@shop.test");
  const { kid } = JSON.parse((await askAt(one.url, "POST /__oidc/keys")).text) as { kid: string };
  expect(await statusOf(two, await one.tokenFor("bob@shop.test"))).toBe(200);
  expect(kidIn(await two.tokenFor("bob@shop.test"))).toBe(kid);
  expect((await keysOf(two))[0]?.kid).toBe(kid);
  expect([await statusOf(one, old), await statusOf(two, old)]).toEqual([200, 200]);
  // A process of another algorithm adds a key of its own, and changes that of no other.
  const other = await start({ algorithm: "RS256" });
  expect(await statusOf(one, await other.tokenFor("bob@shop.test"))).toBe(200);
  expect(kidIn(await one.tokenFor("bob@shop.test"))).toBe(kid);
});

test("a token ends with its user in all processes, also if the removal is reverted or the data is reset", async () => {
  const [one, two] = [await start(), await start()];
  const admin = await one.tokenFor("ann@shop.test");
  const token = await one.tokenFor("bob@shop.test");
  expect(await statusOf(two, token)).toBe(200);
  await as(one, admin, "DELETE /users/2");
  expect([await statusOf(one, token), await statusOf(two, token)]).toEqual([401, 401]);
  const { versions } = JSON.parse((await as(one, admin, "GET /__history?limit=1")).text);
  expect((await as(one, admin, `POST /__history/${versions[0].version}/revert`)).status).toBe(200);
  const third = await start();
  const again = await two.tokenFor("bob@shop.test");
  for (const api of [one, two, third]) {
    expect([await statusOf(api, token), await statusOf(api, again)]).toEqual([401, 200]);
  }
  await one.reset();
  for (const api of [one, two, third, await start()]) expect(await statusOf(api, again)).toBe(401);
});

test("a token that one process has revoked soon holds in no other, nor after a restart", async () => {
  const [one, two] = [await start(), await start()];
  const token = await one.tokenFor("bob@shop.test");
  const another = await one.tokenFor("bob@shop.test");
  expect(await statusOf(two, token)).toBe(200);
  const body = new URLSearchParams({ client_id: "shop-web", token });
  expect((await fetch(`${one.url}/__oidc/revoke`, { method: "POST", body })).status).toBe(200);
  expect(await statusOf(one, token)).toBe(401);
  await expect.poll(() => statusOf(two, token), { timeout: limit(20_000) }).toBe(401);
  const third = await start();
  expect([await statusOf(third, token), await statusOf(third, another)]).toEqual([401, 200]);
});

test("neither data nor snapshots have the keys, and they outlive a reset", async () => {
  const api = await start();
  const before = await keysOf(api);
  const admin = await api.tokenFor("ann@shop.test");
  await as(api, admin, "POST /__snapshots__", { name: "kept" });
  for (const path of ["/db", "/__snapshots__/kept", "/__overview", "/__history", "/__oidc/jwks", "/meta", "/secrets"]) {
    expect([path, /"d":|sign-in-keys/.test((await as(api, admin, `GET ${path}`)).text)]).toEqual([path, false]);
  }
  await api.reset();
  expect(await keysOf(api)).toEqual(before);
});

test("rules judge the password that was sent", async () => {
  const api = await start();
  const admin = await api.tokenFor("ann@shop.test");
  const statuses: number[] = [];
  for (const body of [{ password: "short" }, { password: "long enough" }, { city: "Oslo" }]) {
    const { status, text } = await as(api, admin, "PATCH /users/3", body);
    expect(text).not.toMatch(/short|scrypt/);
    statuses.push(status);
  }
  expect(statuses).toEqual([422, 200, 200]);
});

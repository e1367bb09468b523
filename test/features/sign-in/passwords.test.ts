import { afterAll, beforeAll, expect, test } from "vitest";
import type { Standin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { readEvents } from "../../support/event-reader.ts";
import { PASSWORD_READS } from "./password-reads.ts";
import { openShop } from "./shop.ts";

let api: Standin;
let headers: Record<string, string>;

beforeAll(async () => {
  api = await openShop({ grants: ["password"] });
  headers = { Authorization: `Bearer ${await api.tokenFor("ann@shop.test")}`, "Content-Type": "application/json" };
});
afterAll(() => api.close());

async function ask(line: string, body?: unknown, more: Record<string, string> = {}) {
  const [method = "", path = ""] = line.split(" ");
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(api.url + path, { method, headers: { ...headers, ...more }, ...sent });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** The status of a sign-in with name and password. */
async function signIn(username: string, password: string): Promise<number> {
  const body = new URLSearchParams({ grant_type: "password", client_id: "shop-web", username, password });
  return (await fetch(`${api.url}/__oidc/token`, { method: "POST", body })).status;
}

const stored = async (id: number) => ((await api.db.users?.get(id)) as { password?: string } | undefined)?.password;

test("a password is hashed on every way in, and opens the door", async () => {
  const ways: [string, unknown, Record<string, string>?][] = [
    ["POST /users", { id: 10, email: "d@shop.test", password: "first" }],
    ["PUT /users/10", { email: "d@shop.test", password: "first" }],
    ["PATCH /users/10", { password: "first" }],
    [
      "PATCH /users/10",
      [{ op: "add", path: "/password", value: "first" }],
      { "Content-Type": "application/json-patch+json" },
    ],
    ["PATCH /users?email=d@shop.test", { password: "first" }],
    ["POST /__batch", { requests: [{ method: "PATCH", path: "/users/10", body: { password: "first" } }] }],
  ];
  for (const [line, body, more] of ways) {
    await api.db.users?.update(10, { password: "before" }).catch(() => undefined);
    const { status, text } = await ask(line, body, more);
    expect([line, status < 300 ? "done" : text]).toEqual([line, "done"]);
    expect([line, text.includes("scrypt")]).toEqual([line, false]);
    expect(await stored(10)).toMatch(/^scrypt\$/);
    expect([line, await signIn("d@shop.test", "first")]).toEqual([line, 200]);
    expect(await signIn("d@shop.test", "second")).toBe(400);
  }
});

test("what was read can be sent back: a password that is not given stays, and null removes it", async () => {
  await ask("POST /users", { id: 11, email: "e@shop.test", password: "mine" });
  await ask("PUT /users/11", { ...JSON.parse((await ask("GET /users/11")).text), city: "Oslo" });
  expect(await signIn("e@shop.test", "mine")).toBe(200);
  expect(await signIn("e@shop.test", "")).toBe(400);
  await ask("PATCH /users/11", { password: null });
  expect(await stored(11)).toBeUndefined();
});

test("nobody can read a password", async () => {
  await ask("PATCH /users/3", { note: "changed" });
  await ask("POST /__snapshots__", { name: "kept" });
  await ask("POST /__sandboxes", { name: "peek" });
  await api.sandbox("peek").db.users?.update(3, { note: "in the sandbox" });
  await ask("PATCH /users/3", { note: "once more" });
  for (const path of PASSWORD_READS) {
    const { text, status } = await ask(`GET ${path}`, undefined, { Accept: "application/json" });
    expect([path, /open sesame|scrypt\$/.test(text)]).toEqual([path, false]);
    expect([path, status < 500]).toEqual([path, true]);
  }
});

test("events and refused promotions show none either", async () => {
  const events = await readEvents(`${api.url}/__events`, headers);
  await ask("PATCH /users/3", { note: "for the stream" });
  expect(JSON.stringify(await events.atLeast(1))).toMatch(/for the stream(?!.*(sesame|scrypt))/);
  expect(JSON.stringify(events.events)).not.toMatch(/sesame|scrypt/);
  events.close();
  const refused = await ask("POST /__sandboxes/peek/promote");
  expect([refused.status, /sesame|scrypt/.test(refused.text)]).toEqual([409, false]);
});

test("a promotion creates and removes collections, and passwords stay", async () => {
  await using own = await openShop();
  const authorization = `Bearer ${await own.sandbox("bob").tokenFor("ann@shop.test")}`;
  const inBob = (line: string, body?: unknown) =>
    askAt(own.url, line.replace("/", "/__sandbox/bob/"), { headers: { authorization }, ...(body ? { body } : {}) });
  await inBob("POST /__collections", { name: "reviews" });
  await inBob("POST /reviews", { id: 1, stars: 5 });
  await inBob("DELETE /__collections/orders?records=1");
  await inBob("PATCH /users/3", { city: "Oslo" });
  const main = { headers: { authorization: `Bearer ${await own.tokenFor("ann@shop.test")}` } };
  expect((await askAt(own.url, "POST /__sandboxes/bob/promote", main)).body).toMatchObject({ created: 1, changed: 1 });
  const { body } = await askAt(own.url, "GET /db", main);
  expect(body).toMatchObject({ reviews: [{ id: 1, stars: 5 }], users: [{}, {}, { city: "Oslo" }] });
  expect(JSON.stringify(body)).not.toMatch(/orders|sesame/);
  expect(await own.db.users?.get(3)).toMatchObject({ password: "open sesame" });
});

test("no filter or search tells anything about one", async () => {
  const all = JSON.parse((await ask("GET /users")).text).length;
  expect(JSON.parse((await ask("GET /users?q=sesame")).text)).toEqual([]);
  expect(JSON.parse((await ask("GET /users?password=wrong")).text)).toHaveLength(all);
  expect((await ask("GET /users?password=open%20sesame", undefined, { Prefer: "handling=strict" })).status).toBe(400);
  const copy = [{ op: "copy", from: "/password", path: "/note" }];
  expect((await ask("PATCH /users/3", copy, { "Content-Type": "application/json-patch+json" })).status).toBe(409);
});

test("a snapshot keeps passwords, and a revert brings back a deleted user with theirs", async () => {
  await ask("POST /users", { id: 12, email: "f@shop.test", password: "mine" });
  await ask("POST /__snapshots__", { name: "whole" });
  await ask("DELETE /users/12");
  const { versions } = JSON.parse((await ask("GET /__history?limit=1")).text);
  expect((await ask(`POST /__history/${versions[0].version}/revert`)).status).toBe(200);
  expect(await signIn("f@shop.test", "mine")).toBe(200);
  expect(await signIn("f@shop.test", "")).toBe(400);
  await ask("PUT /__snapshots__/whole");
  expect(await signIn("f@shop.test", "mine")).toBe(200);
  expect(await signIn("f@shop.test", "")).toBe(400);
});

test("with rules of access, too, nobody reads one, and users change their own", async () => {
  await using own = await openShop({ grants: ["password"] }, { access: { orders: { read: "anyone" } } });
  const token = await own.tokenFor("cid@shop.test");
  const mine = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const events = await readEvents(`${own.url}/__events`, mine);
  const patched = await fetch(`${own.url}/users/3`, { method: "PATCH", headers: mine, body: '{"password":"another"}' });
  expect([patched.status, await patched.json()]).toEqual([200, { id: 3, email: "cid@shop.test" }]);
  const list = await fetch(`${own.url}/users`, { headers: mine });
  expect(await list.json()).toEqual([{ id: 3, email: "cid@shop.test" }]);
  expect(JSON.stringify(await events.atLeast(1))).not.toMatch(/sesame|scrypt|another/);
  events.close();
  const form = { grant_type: "password", client_id: "shop-web", username: "cid@shop.test", password: "another" };
  const body = new URLSearchParams(form);
  expect((await fetch(`${own.url}/__oidc/token`, { method: "POST", body })).status).toBe(200);
});

test("too many wrong passwords are refused for a while, in words that fit", async () => {
  await using own = await openShop({ grants: ["password"] });
  const form = { grant_type: "password", client_id: "shop-web", username: "cid@shop.test", password: "wrong" };
  const tries = () => fetch(`${own.url}/__oidc/token`, { method: "POST", body: new URLSearchParams(form) });
  await Promise.all(Array.from({ length: 50 }, tries));
  const refused = await tries();
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      error: "invalid_request",
      error_description: expect.stringMatching(/^More than 50 wrong logins .* Try again in \d+ seconds\.$/),
    },
  ]);
});

test("a violation of rules shows none, and users cannot be renamed, which would lay theirs open", async () => {
  const rules = { users: { anyOf: [{ required: ["zip"] }], properties: { password: { maxLength: 20 } } } };
  for (const access of [undefined, { orders: { read: "anyone" } }] as const) {
    await using own = await openShop({}, { rules, ...(access && { access }) });
    const admin = {
      Authorization: `Bearer ${await own.tokenFor("ann@shop.test")}`,
      "Content-Type": "application/json",
    };
    const send = async (line: string, body: object) => {
      const [method = "", path = ""] = line.split(" ");
      const response = await fetch(own.url + path, { method, headers: admin, body: JSON.stringify(body) });
      return { status: response.status, text: await response.text() };
    };
    for (const [line, body] of [
      ["PATCH /users/3", { note: "x" }],
      ["PUT /users/3", { email: "cid@shop.test" }],
      ["POST /users", { email: "g@shop.test", password: "mine" }],
      ["PATCH /users?id=3", { note: "x" }],
      ["POST /__batch", { requests: [{ method: "PATCH", path: "/users/3", body: { note: "x" } }] }],
    ] as const) {
      const { status, text } = await send(line, body);
      expect([line, status, /sesame|scrypt/.test(text)]).toEqual([line, 422, false]);
      expect(text).toContain('"pointer":"","rule":"anyOf"');
    }
    const { status, text } = await send("PATCH /__collections/users", { name: "people" });
    expect([status, JSON.parse(text)]).toMatchObject([403, { code: "ACCESS_DENIED" }]);
  }
});

test("rules judge the password that was sent, not its hash, and no violation shows it", async () => {
  const password = { type: "string", minLength: 8, maxLength: 20, pattern: "[0-9]" };
  const users = { required: ["password"], properties: { password } };
  await using own = await openShop({ grants: ["password"] }, { rules: { users } });
  const admin = { Authorization: `Bearer ${await own.tokenFor("ann@shop.test")}`, "Content-Type": "application/json" };
  const send = async (line: string, body: unknown) => {
    const [method = "", path = ""] = line.split(" ");
    const response = await fetch(own.url + path, { method, headers: admin, body: JSON.stringify(body) });
    const text = await response.text();
    const { errors = [] } = JSON.parse(text) as { errors?: { rule: string }[] };
    return { status: response.status, text, rules: errors.map(({ rule }) => rule) };
  };
  const email = "g@shop.test";
  const ways: [string, (password: unknown) => unknown][] = [
    ["POST /users", (given) => ({ email, password: given })],
    ["PUT /users/10", (given) => ({ email, password: given })],
    ["PATCH /users/10", (given) => ({ password: given })],
    ["PATCH /users?id=10", (given) => ({ password: given })],
    ["POST /__batch", (given) => ({ requests: [{ method: "PATCH", path: "/users/10", body: { password: given } }] })],
  ];
  expect((await send("POST /users", { id: 10, email, password: "sesame 10" })).status).toBe(201);
  for (const [line, body] of ways) {
    for (const [given, rules] of [
      ["qwertz", ["minLength", "pattern"]],
      ["qwertz 4 qwertz 4 qwertz", ["maxLength"]],
      ["", ["minLength", "pattern"]],
      [98_765_432, ["type"]],
    ] as const) {
      const refused = await send(line, body(given));
      expect([line, given, refused.status, refused.rules]).toEqual([line, given, 422, rules]);
      expect(refused.text).not.toMatch(/qwertz|98765432|scrypt|"given"/);
    }
  }
  expect((await send("PATCH /users/10", { password: null })).rules).toEqual(["required"]);
  // A hash is longer than what the rules allow; it is not judged again.
  for (const [line, body] of [
    ["PATCH /users/10", { city: "Oslo" }],
    ["PUT /users/10", { email }],
    ["PATCH /users/10", { password: "sesame 11" }],
  ] as const) {
    expect([line, (await send(line, body)).status]).toEqual([line, 200]);
  }
  const form = { grant_type: "password", client_id: "shop-web", username: email, password: "sesame 11" };
  expect((await fetch(`${own.url}/__oidc/token`, { method: "POST", body: new URLSearchParams(form) })).status).toBe(
    200,
  );
});

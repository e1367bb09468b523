/** After a PATCH with the e-mail of another user, neither could sign in: a name must be that of one user alone. */
import { afterAll, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { silentReporter } from "../../src/base/reporter.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import { storeOf } from "../features/access/guarded-server.ts";
import { type Answer, askAt, codeOf } from "../support/api.ts";
import { openServiceOver } from "../support/serve-store.ts";

const ROOT = "root@x.t";
const SIGN_IN = { users: "users", name: "email", algorithm: "ES256", clients: [{ id: "web" }] };
const DATA = {
  users: [
    { id: 1, email: ROOT },
    { id: 2, email: "bob@x.t", team_id: 1 },
    { id: 3, email: 7 },
  ],
  teams: [{ id: 1 }],
};

let api: Standin;
beforeEach(async () => {
  await api?.close();
});
afterAll(() => api.close());

async function start(users: JsonObject[] = DATA.users): Promise<Standin> {
  api = await createStandin({
    data: structuredClone({ ...DATA, users }),
    middlewares: ["sign-in"],
    layers: { "sign-in": SIGN_IN },
  });
  return api;
}

async function ask(line: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const authorization = `Bearer ${await api.tokenFor("bob@x.t")}`;
  return askAt(api.url, line, { body, headers: { ...headers, authorization } });
}

const form = { "content-type": "application/x-www-form-urlencoded" };
const patch = { "content-type": "application/json-patch+json" };
const upsert = { prefer: "resolution=merge-duplicates" };
const taken: readonly (readonly [line: string, body: unknown, headers?: Record<string, string>])[] = [
  ["POST /users", { email: ROOT }],
  ["POST /users", "email=root@x.t", form],
  ["POST /users", [{ email: "eve@x.t" }, { email: ROOT }]],
  ["POST /users", [{ email: "eve@x.t" }, { email: "eve@x.t" }]],
  ["POST /users", { email: "7" }],
  ["POST /users", { id: 2, email: ROOT }, upsert],
  ["POST /teams/1/users", { email: ROOT }],
  ["PUT /users/2", { email: ROOT }],
  ["PATCH /users/2", { email: ROOT }],
  ["PATCH /users/2", { email: 7 }],
  ["PATCH /users/2", "email=root@x.t", form],
  ["PATCH /users/2", { email: ROOT }, { "content-type": "application/merge-patch+json" }],
  ["PATCH /users/2", [{ op: "replace", path: "/email", value: ROOT }], patch],
  ["PATCH /users?id=2", { email: ROOT }],
  ["PATCH /users?_all=true", { email: "one@x.t" }],
  ["POST /__batch", { requests: [{ method: "PATCH", path: "/users/2", body: { email: ROOT } }] }],
  [
    "POST /__batch",
    {
      requests: [
        { method: "POST", path: "/users", body: { email: "eve@x.t" } },
        { method: "PATCH", path: "/users/2", body: { email: "eve@x.t" } },
      ],
    },
  ],
];

for (const [line, body, headers] of taken) {
  test(`${line} ${typeof body === "string" ? body : JSON.stringify(body)} is 409, and both can still sign in`, async () => {
    const { db, tokenFor } = await start();
    const answer = await ask(line, body, headers);
    expect([answer.status, codeOf(answer)]).toEqual([409, "NAME_TAKEN"]);
    expect(answer.text).toMatch(/Another record of users has the email .*Send another email/);
    expect(await db.users?.find()).toEqual(DATA.users);
    await Promise.all([tokenFor(ROOT), tokenFor("bob@x.t"), tokenFor("7")]);
  });
}

const free: typeof taken = [
  ["PATCH /users/2", { email: "Root@x.t" }],
  ["PATCH /users/2", { email: "bob@x.t", note: 1 }],
  ["PUT /users/2", { email: "bob@x.t", note: 1 }],
  ["POST /users", { email: "bob@x.t", id: 2 }, upsert],
  ["POST /users", { note: "without a name" }],
  ["PATCH /users/2", { email: null }],
];

for (const [line, body, headers] of free) {
  test(`${line} ${JSON.stringify(body)} takes no name`, async () => {
    await start();
    expect((await ask(line, body, headers)).status).toBeLessThan(300);
  });
}

test("a name is free again when its user is gone, also in the same batch", async () => {
  await start();
  const requests = [
    { method: "DELETE", path: "/users/1" },
    { method: "PATCH", path: "/users/2", body: { email: ROOT } },
  ];
  expect((await ask("POST /__batch", { requests })).status).toBe(200);
});

test("a revert and a promotion cannot take one either", async () => {
  const { history, db } = await start();
  await db.users?.update(1, { email: "new@x.t" });
  const { version = 0 } = (await history.list({ limit: 1 })).versions[0] ?? {};
  await db.users?.update(3, { email: ROOT });
  expect(codeOf(await ask(`POST /__history/${version}/revert`, {}))).toBe("NAME_TAKEN");
  const sandbox = api.sandbox("box");
  await ask("POST /__sandboxes", { name: "box" });
  await sandbox?.db.users?.update(2, { email: "eve@x.t" });
  await db.users?.create({ email: "eve@x.t" });
  expect(codeOf(await ask("POST /__sandboxes/box/promote", {}))).toBe("NAME_TAKEN");
});

test("users whose name data has twice can change everything, and so become users again", async () => {
  const users = [...DATA.users, { id: 4, email: ROOT }, { id: 5, email: "7" }];
  await start(users);
  await expect(api.tokenFor(ROOT)).rejects.toThrow('Several users are called "root@x.t". Give each another name.');
  for (const id of [1, 4]) {
    expect((await ask(`PATCH /users/${id}`, { note: "changed" })).status).toBe(200);
    expect((await ask(`PUT /users/${id}`, { email: ROOT, note: "put" })).status).toBe(200);
  }
  expect((await ask("PATCH /users?_all=true", { seen: true })).status).toBe(200);
  expect((await ask("PATCH /users/4", { email: "other@x.t" })).status).toBe(200);
  expect(await api.tokenFor(ROOT)).toEqual(expect.any(String));
});

test("names that data has twice are told at the start", async () => {
  const warnings: string[] = [];
  const users = [...DATA.users, { id: 4, email: ROOT }, { id: 5, email: "7" }];
  const options = { middlewares: ["sign-in"], layers: { "sign-in": SIGN_IN }, memory: true };
  const reporter = { ...silentReporter, warn: (text: string) => void warnings.push(text) };
  await openServiceOver(storeOf({ users }), options, { reporter });
  await expect
    .poll(() => warnings)
    .toContain(
      'sign-in: several users have the email "root@x.t", "7", so nobody can sign in by it. Give each another email.',
    );
});

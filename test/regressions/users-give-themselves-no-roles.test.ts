/**
 * With the claim `roles` read at "profile.roles", a PATCH of {"profile.roles":["admin"]} made its user an admin: only "profile"
 * was protected, but a field of that whole name was read first.
 */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin, type Standin, type StandinOptions } from "../../src/index.ts";
import { connectOverHttp } from "../features/agents/agent.ts";
import { type Answer, type AskOptions, askAt } from "../support/api.ts";

const ADMIN = { roles: ["admin"] };
const BUYER = { roles: ["buyer"] };
const DATA = {
  users: [
    { id: 1, email: "ann@shop.test", profile: ADMIN },
    { id: 2, email: "bob@shop.test", profile: BUYER, team_id: 1 },
  ],
  teams: [{ id: 1 }],
};

type AccessRules = NonNullable<StandinOptions["access"]>[string];

let api: Standin;
let taken: number;
beforeAll(async () => {
  api = await open("profile.roles");
  // Bob was an admin once.
  await api.db.users?.update(2, NESTED);
  await api.snapshot("start");
  await api.db.users?.update(2, { profile: BUYER });
  const headers = { authorization: await bearerOf("ann@shop.test") };
  await askAt(api.url, "POST /__sandboxes", { headers, body: { name: "box" } });
  taken = (await api.history.list({ limit: 1 })).versions[0]?.version ?? 0;
});
afterAll(() => api.close());

/** By default, everyone may write users, so that only the field itself is protected. */
function open(roles: string, users: AccessRules | undefined = { read: "anyone", write: "anyone" }): Promise<Standin> {
  const signIn = { users: "users", name: "email", algorithm: "ES256", claims: { roles }, clients: [{ id: "web" }] };
  return createStandin({
    data: structuredClone(DATA),
    middlewares: ["sign-in"],
    layers: { "sign-in": signIn },
    access: { teams: { read: "anyone" }, ...(users && { users }) },
  });
}

async function rolesOf(name: string, sandbox?: string): Promise<unknown> {
  return rolesIn(await (sandbox === undefined ? api : api.sandbox(sandbox)).tokenFor(name));
}

function rolesIn(token: string): unknown {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).roles;
}

async function bearerOf(name: string, sandbox?: string): Promise<string> {
  return `Bearer ${await (sandbox === undefined ? api : api.sandbox(sandbox)).tokenFor(name)}`;
}

async function askAsBob(line: string, options: AskOptions, sandbox?: string): Promise<Answer> {
  const authorization = await bearerOf("bob@shop.test", sandbox);
  return askAt(api.url, line, { ...options, headers: { ...options.headers, authorization } });
}

const LITERAL = { "profile.roles": ["admin"] };
const NESTED = { profile: ADMIN };
const BOB = { id: 2, email: "bob@shop.test" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const patch = { "content-type": "application/json-patch+json" };
const merge = { "content-type": "application/merge-patch+json" };
const upsert = { prefer: "resolution=merge-duplicates" };
const multipart = { "content-type": "multipart/form-data; boundary=x" };
const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nadmin\r\n--x--\r\n`;
const batched = (body: unknown) => ({ requests: [{ method: "PATCH", path: "/users/2", body }] });
const cases: readonly (readonly [line: string, body: unknown, headers?: Record<string, string>])[] = [
  ["PATCH /users/2", LITERAL],
  ["PATCH /users/2", NESTED],
  ["PATCH /users/2", { profile: null }],
  ["PATCH /users/2", { profile: [ADMIN] }],
  ["PATCH /users/2", { "profile[roles]": ["admin"] }],
  ["PATCH /users/2", { '["profile"].roles': ["admin"] }],
  ["PATCH /users/2", { profile: BUYER, ...LITERAL }],
  ["PUT /users/2", { ...BOB, ...LITERAL }],
  ["PUT /users/2", { ...BOB, ...NESTED }],
  ["PUT /users/2", { ...BOB, profile: BUYER, ...LITERAL }],
  ["PATCH /users/2", "profile.roles=admin", form],
  ["PATCH /users/2", "profile[roles]=admin", form],
  ["PATCH /users/2", "profile[roles][]=admin", form],
  ["PUT /users/2", "email=bob@shop.test&profile.roles=admin", form],
  ["POST /users", "email=eve@shop.test&profile.roles=admin", form],
  ["PATCH /users/2", part("profile.roles"), multipart],
  ["PATCH /users/2", part("profile[roles]"), multipart],
  ["POST /users", part("profile.roles"), multipart],
  ["PATCH /users/2", LITERAL, merge],
  ["PATCH /users/2", NESTED, merge],
  ["PATCH /users/2", [{ op: "add", path: "/profile.roles", value: ["admin"] }], patch],
  ["PATCH /users/2", [{ op: "add", path: "/profile/roles/-", value: "admin" }], patch],
  ["PATCH /users/2", [{ op: "replace", path: "/profile/roles/0", value: "admin" }], patch],
  ["PATCH /users/2", [{ op: "replace", path: "/profile/roles", value: ["admin"] }], patch],
  ["PATCH /users/2", [{ op: "replace", path: "/profile", value: ADMIN }], patch],
  ["PATCH /users/2", [{ op: "replace", path: "", value: { ...BOB, ...NESTED } }], patch],
  ["PATCH /users/2", [{ op: "add", path: "", value: { ...BOB, ...LITERAL } }], patch],
  [
    "PATCH /users/2",
    [
      { op: "add", path: "/mine", value: ADMIN },
      { op: "move", from: "/mine", path: "/profile" },
    ],
    patch,
  ],
  [
    "PATCH /users/2",
    [
      { op: "add", path: "/mine", value: "admin" },
      { op: "copy", from: "/mine", path: "/profile/roles/0" },
    ],
    patch,
  ],
  [
    "PATCH /users/2",
    [
      { op: "add", path: "/mine", value: ["admin"] },
      { op: "move", from: "/mine", path: "/profile.roles" },
    ],
    patch,
  ],
  ["POST /__batch", batched(LITERAL)],
  ["POST /__batch", batched(NESTED)],
  ["POST /users", { email: "eve@shop.test", ...LITERAL }],
  ["POST /users", { email: "eve@shop.test", ...NESTED }],
  ["POST /users", [{ email: "dan@shop.test" }, { email: "eve@shop.test", ...NESTED }]],
  ["POST /users", { ...BOB, ...LITERAL }, upsert],
  ["POST /users", { ...BOB, ...NESTED }, upsert],
  ["POST /users?_on=email", { email: "bob@shop.test", ...NESTED }, upsert],
  ["PATCH /users?email=bob@shop.test", LITERAL],
  ["PATCH /users?email=bob@shop.test", NESTED],
  ["PATCH /users?_all=true", NESTED],
  ["POST /teams/1/users", { email: "eve@shop.test", ...LITERAL }],
  ["POST /teams/1/users", { email: "eve@shop.test", ...NESTED }],
  ["PATCH /__sandbox/box/users/2", LITERAL],
  ["PATCH /__sandbox/box/users/2", NESTED],
  ["POST /__reset", {}],
  ["PUT /__snapshots__/start", {}],
  ["POST /__history/:taken/revert", {}],
  ["POST /__history/restore", { at: 1 }],
  ["POST /__sandboxes", { name: "mine" }],
  ["POST /__sandboxes/box/promote", {}],
];

/** Neither by the next token, nor by what the record has. */
async function expectNoNewAdmin(sandbox?: string): Promise<void> {
  const { db } = sandbox === undefined ? api : api.sandbox(sandbox);
  const users = (await db.users?.find()) as JsonObject[];
  expect(users.map(({ profile }) => profile)).toEqual([ADMIN, BUYER]);
  expect(users.some((user) => Object.hasOwn(user, "profile.roles"))).toBe(false);
  expect(await rolesOf("bob@shop.test", sandbox)).toEqual(BUYER.roles);
}

for (const [line, body, headers = {}] of cases) {
  test(`${line} ${typeof body === "string" ? body : JSON.stringify(body)} makes nobody an admin`, async () => {
    const sandbox = line.includes("/__sandbox/box/") ? "box" : undefined;
    const { status, text } = await askAsBob(line.replace(":taken", String(taken)), { body, headers }, sandbox);
    // A bracket is a letter like others in the name of a field, which nothing reads.
    if (/\[(?:\\"|roles)/.test(JSON.stringify(body))) expect([status, text]).toEqual([200, expect.any(String)]);
    else expect([status, text]).toEqual([403, expect.stringContaining("ACCESS_DENIED")]);
    await expectNoNewAdmin(sandbox);
  });
}

for (const args of [
  { requests: batched(LITERAL).requests },
  { requests: batched(NESTED).requests },
  { compute: { collection: "users", set: { profile: '"admin"' }, where: "_all=true" } },
  { compute: { collection: "users", set: { "profile.roles": '"admin"' }, where: "_all=true" } },
]) {
  test(`an agent that writes ${JSON.stringify(args)} makes nobody an admin`, async () => {
    const agent = await connectOverHttp(api.url, "2025-11-25", { authorization: await bearerOf("bob@shop.test") });
    expect(await agent.call("write", { shared: true, ...args })).toMatchObject({ isError: true });
    await expectNoNewAdmin();
  });
}

for (const roles of ["profile[roles]", '["profile"].roles', "profile.roles"]) {
  test(`the claim at ${roles} is protected at every name that it could have`, async () => {
    const other = await open(roles, undefined);
    onTestFinished(() => other.close());
    const authorization = `Bearer ${await other.tokenFor("bob@shop.test")}`;
    for (const body of [NESTED, LITERAL, { [roles]: ["admin"] }]) {
      await askAt(other.url, "PATCH /users/2", { body, headers: { authorization } });
    }
    expect(rolesIn(await other.tokenFor("bob@shop.test"))).toEqual(BUYER.roles);
  });
}

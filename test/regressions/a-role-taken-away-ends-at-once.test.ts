/** The token of an admin let its user do everything until it expired, 300 seconds after the role was taken away. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt, codeOf } from "../support/api.ts";
import { readEvents } from "../support/event-reader.ts";

const ADMIN = "root@shop.test";

let api: Standin;
beforeEach(async () => {
  await api?.close();
  api = await createStandin({
    data: {
      users: [
        { id: 1, email: ADMIN, roles: ["admin"], team: "red" },
        { id: 2, email: "bob@shop.test", roles: [], team: "red" },
      ],
      orders: [{ id: 1, user_id: 2, team: "red" }],
    },
    middlewares: ["sign-in"],
    layers: {
      "sign-in": {
        users: "users",
        name: "email",
        algorithm: "ES256",
        claims: { roles: "roles", team: "team" },
        clients: [{ id: "web" }],
      },
    },
    access: { orders: { owner: "user_id", read: "team={{user.team}}", write: "owner", admin: "all" } },
  });
});
afterAll(() => api.close());

async function headersOf(name: string) {
  return { authorization: `Bearer ${await api.tokenFor(name)}` };
}

const requests = [
  ["GET /users/2", 404],
  ["PATCH /orders/1", 403],
  ["GET /__requests", 403],
  ["GET /__faults", 403],
  ["GET /users/1", 200],
] as const;

for (const [line, status] of requests) {
  test(`${line} is ${status} with the token of a former admin`, async () => {
    const headers = await headersOf(ADMIN);
    const options = line.startsWith("PATCH") ? { headers, body: {} } : { headers };
    expect((await askAt(api.url, line, options)).status).toBe(200);
    await api.db.users?.update(1, { roles: [], email: ADMIN });
    expect((await askAt(api.url, line, options)).status).toBe(status);
  });
}

test("a role and a claim that are given hold with the next request, too", async () => {
  const headers = await headersOf("bob@shop.test");
  await api.db.users?.update(2, { roles: ["admin"] });
  expect((await askAt(api.url, "GET /users/1", { headers })).status).toBe(200);
  await api.db.users?.update(2, { roles: [], team: "blue" });
  expect((await askAt(api.url, "GET /orders", { headers })).body).toEqual([]);
});

test("the token of a removed user is refused", async () => {
  const headers = await headersOf(ADMIN);
  await api.db.users?.remove(1);
  const answer = await askAt(api.url, "GET /orders", { headers });
  expect([answer.status, codeOf(answer)]).toEqual([401, "TOKEN_INVALID"]);
});

test("streams of a former admin show nothing more, and end", async () => {
  const headers = await headersOf(ADMIN);
  const changes = await readEvents(`${api.url}/__events?collection=users`, headers);
  const traffic = await readEvents(`${api.url}/__requests`, headers);
  const waiting = askAt(api.url, "GET /__changes?collection=users&wait=60000", { headers });
  await api.db.users?.update(1, { roles: [] });
  await api.db.users?.update(2, { note: "secret" });
  await askAt(api.url, "GET /orders", { headers });
  await Promise.all([changes.ended, traffic.ended]);
  expect(JSON.stringify([changes.events, traffic.events, (await waiting).text])).not.toContain("secret");
});

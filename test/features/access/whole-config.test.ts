import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { createFolder } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";
import { testAtLength } from "../../support/soak.ts";

/** Letter by letter as people are shown it. */
const CONFIG = `{ "middlewares": ["sign-in"],
  "layers": { "sign-in": { "users": "users", "name": "email", "password": "password",
     "claims": { "email": "email", "roles": "roles" }, "audience": "shop-api",
     "clients": [{ "id": "shop-web", "redirectUris": ["http://localhost:5173/*"] }, { "id": "worker", "secret": { "env": "W" } }],
     "accessSeconds": 300, "refreshSeconds": 86400, "public": ["GET /products*"] } },
  "access": { "orders": { "owner": "user_id", "read": "owner", "write": "owner", "admin": "all" },
              "notes": { "owner": "owner_id", "read": "_or=owner_id={{user.id}}&_or=public=true", "write": "owner" },
              "products": { "read": "anyone", "write": "role:editor" } } }
`;

const DATA = {
  users: [
    { id: 1, email: "ann@x", roles: [] },
    { id: 2, email: "bob@x", roles: ["editor"] },
    { id: 3, email: "eve@x", roles: ["admin"] },
  ],
  orders: [
    { id: 1, user_id: 1 },
    { id: 2, user_id: 2 },
  ],
  notes: [
    { id: 1, owner_id: 2, public: true },
    { id: 2, owner_id: 2, public: false },
  ],
  products: [{ id: 1, name: "Hat" }],
};

const SECRET = "a secret of the worker";

test("one config gives sign-in, public routes and rules of access", async () => {
  const { middlewares, layers, access } = JSON.parse(CONFIG.replace('{ "env": "W" }', JSON.stringify(SECRET)));
  layers["sign-in"].algorithm = "ES256";
  await using api = await createStandin({ data: structuredClone(DATA), middlewares, layers, access });
  await expectOwnRecords(api.url);
});

testAtLength("the command line reads the same config, with the secret from the environment", async () => {
  const folder = createFolder({ "db.json": DATA, "standin.json": CONFIG });
  const { url, stop } = await serveKept([], folder, { W: SECRET });
  await expectOwnRecords(url);
  await stop();
});

test("the example gives each user their own orders; its app runs in the soak", async () => {
  const readJson = (file: string) => JSON.parse(readFileSync(`examples/sign-in-spa/${file}`, "utf8"));
  const { middlewares, layers, access } = readJson("standin.json");
  layers["sign-in"].algorithm = "ES256";
  await using api = await createStandin({ data: readJson("db.json"), middlewares, layers, access });
  const itemsOf = async (user: string) => {
    const headers = { Authorization: `Bearer ${await api.tokenFor(user)}` };
    return ((await (await fetch(`${api.url}/orders`, { headers })).json()) as { item: string }[]).map(
      ({ item }) => item,
    );
  };
  expect(await itemsOf("ann@shop.test")).toEqual(["Hat", "Gloves"]);
  expect(await itemsOf("bob@shop.test")).toEqual(["Scarf"]);
});

async function expectOwnRecords(url: string): Promise<void> {
  const json = { "Content-Type": "application/json" };
  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(url + path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const headersOf = async (user: string): Promise<Record<string, string>> => {
    const made = (await (await post("/__oidc/tokens", {}, { user })).json()) as Record<string, unknown>;
    expect(made.expires_in).toBe(300);
    return { Authorization: `Bearer ${made.access_token}` };
  };
  const idsOf = async (path: string, headers: Record<string, string>): Promise<number[]> =>
    ((await (await fetch(url + path, { headers })).json()) as { id: number }[]).map(({ id }) => id);
  const [ann, bob, eve] = [await headersOf("ann@x"), await headersOf("bob@x"), await headersOf("eve@x")];
  expect(await idsOf("/products", {})).toEqual([1]);
  expect((await fetch(`${url}/orders`)).status).toBe(401);
  expect([await idsOf("/orders", ann), await idsOf("/orders", eve)]).toEqual([[1], [1, 2]]);
  expect([await idsOf("/notes", ann), await idsOf("/notes", bob), await idsOf("/notes", eve)]).toEqual([
    [1],
    [1, 2],
    [1],
  ]);
  expect((await post("/products", ann, {})).status).toBe(403);
  expect((await post("/products", bob, {})).status).toBe(201);
  const worker = { grant_type: "client_credentials", client_id: "worker", client_secret: SECRET };
  expect((await fetch(`${url}/__oidc/token`, { method: "POST", body: new URLSearchParams(worker) })).status).toBe(200);
}

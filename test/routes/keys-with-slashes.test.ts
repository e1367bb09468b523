import { expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";

const DATA = { "api/users": [{ id: "a/b", name: "Ann" }], "a?b": { x: 1 }, products: [{ id: 1 }] };
const ADDRESSES = ["/api%2Fusers", "/a%3Fb", "/products"];

function start(): Promise<Api> {
  return startApi({ data: DATA });
}

async function messageOf(api: Api, line: string): Promise<unknown> {
  return ((await api.ask(line)).body as { message: unknown }).message;
}

test("404s name addresses that work", async () => {
  const api = await start();
  const slash = 'The slash in "api/users" belongs to its name: the address is /api%2Fusers.';
  const served = `Available: ${ADDRESSES.join(", ")}`;
  expect(await messageOf(api, "GET /api/users")).toBe(`There is no collection "api". ${slash} ${served}.`);
  expect(await messageOf(api, "GET /api/users/1")).toBe(`There is no collection "api". ${slash} ${served}.`);
  expect(await messageOf(api, "GET /api/users/1/x/y")).toBe(
    `Nothing is served at /api/users/1/x/y. ${slash} ${served}, /db.`,
  );
  expect(await messageOf(api, "GET /api%2Fuser")).toBe(
    `There is no collection "api/user". Did you mean "api%2Fusers"? ${served}.`,
  );
  expect(await messageOf(api, "GET /prodcuts")).toBe(
    `There is no collection "prodcuts". Did you mean "products"? ${served}.`,
  );
  for (const address of ADDRESSES) expect([address, (await api.ask(`GET ${address}`)).status]).toEqual([address, 200]);
});

test("so do the page and the JSON of /, the API description, Location and the hint for a taken id", async () => {
  const api = await startApi({ data: DATA, console: false });
  const page = (await api.ask("GET /", { headers: { accept: "text/html" } })).text;
  const index = (await api.ask("GET /", { headers: { accept: "application/json" } })).body as {
    serves: { url: string }[];
  };
  const { paths } = (await (await start()).ask("GET /__openapi.json")).body as { paths: object };
  for (const address of ADDRESSES) {
    expect(page).toContain(`>${address}</a>`);
    expect(index.serves.map(({ url }) => url)).toContain(`${api.url}${address}`);
    expect(Object.keys(paths)).toContain(address);
  }
  const created = await api.ask("POST /api%2Fusers", { body: { id: "c/d" } });
  expect(created.headers.get("location")).toBe(`${api.url}/api%2Fusers/c%2Fd`);
  const taken = await api.ask("POST /api%2Fusers", { body: { id: "a/b" } });
  expect((taken.body as { message: string }).message).toContain("PUT /api%2Fusers/a%2Fb to replace it");
  expect((await api.ask("PUT /api%2Fusers/a%2Fb", { body: { name: "Bea" } })).status).toBe(200);
});

import { expect, test, vi } from "vitest";
import * as standin from "../../src/json-server/module.ts";
import { type Ask, closing, dataFile, serve } from "../json-server/both-engines.ts";

/** A custom server may name another primary key after the data was loaded: `router.db._.id = "_id"`. */
async function start(data: object, idKey?: string): Promise<{ readonly ask: Ask; readonly warnings: string[] }> {
  const warnings: string[] = [];
  vi.spyOn(console, "warn").mockImplementation((text: string) => void warnings.push(text));
  const router = closing(standin.router(dataFile(data)));
  if (idKey !== undefined) router.db._.id = idKey;
  const server = standin.create();
  server.use(router);
  return { ask: await serve(server), warnings };
}

test("no record is called unaddressable by a key that the data does not have", async () => {
  const { ask, warnings } = await start({ users: [{ _id: "a" }, { _id: "b" }] }, "_id");
  expect(await ask("GET /users/a")).toMatchObject({ status: 200, body: { _id: "a" } });
  expect(warnings).toEqual([]);
});

test("records without the key that the server names are reported by it, once", async () => {
  const { ask, warnings } = await start({ users: [{ _id: "a" }, { id: 1 }] }, "_id");
  for (const path of ["/users/a", "/users"]) await ask(`GET ${path}`);
  expect(warnings).toEqual(['standin: users: 1 record has no usable "_id". It appears in lists, but has no URL.']);
});

test("records without an id are still reported, once", async () => {
  const { ask, warnings } = await start({ users: [{ id: 1 }, { _id: "b" }] });
  for (const path of ["/users/1", "/users"]) await ask(`GET ${path}`);
  expect(warnings).toEqual(['standin: users: 1 record has no usable "id". It appears in lists, but has no URL.']);
});

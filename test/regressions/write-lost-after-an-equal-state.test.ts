import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import jsonServer from "../../src/json-server/module.ts";
import { askAt } from "../support/api.ts";

const DATA = { posts: [{ id: 1, title: "a" }], profile: { name: "x" } };

/** A custom server gives the database a copy of the data that it has already. */
const WAYS: [name: string, give: (router: ReturnType<typeof jsonServer.router>) => unknown][] = [
  ["setState", ({ db }) => db.setState(structuredClone(DATA))],
  ["setState and write", ({ db }) => db.setState(structuredClone(DATA)).write()],
  ["set", ({ db }) => db.set("posts", structuredClone(DATA.posts)).value()],
];

for (const [name, give] of WAYS) {
  test(`a write after ${name} of equal data stays`, async () => {
    const router = jsonServer.router(structuredClone(DATA));
    const server = jsonServer.create();
    server.use(router);
    const listening = server.listen(0);
    await once(listening, "listening");
    onTestFinished(async () => {
      listening.close();
      await router.close();
    });
    const url = `http://localhost:${(listening.address() as AddressInfo).port}`;
    give(router);
    expect((await askAt(url, "PATCH /posts/1", { body: { title: "b" } })).body).toEqual({ id: 1, title: "b" });
    expect((await askAt(url, "GET /posts/1")).body).toEqual({ id: 1, title: "b" });
    expect(router.db.get("posts").find({ id: 1 }).value()).toEqual({ id: 1, title: "b" });
  });
}

import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import * as jsonServer from "../../src/json-server/module.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { askAt, idsOf, startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { foreignKeySuite, mixedData } from "../support/foreign-key-suite.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

foreignKeySuite(async (data) => (await startApi({ data })).ask);

test("a sandbox decides by its own records", async () => {
  const api = await startApi({ data: mixedData() });
  await api.ask("POST /__sandbox/one/tags", { body: { post_id: 1 } });
  expect(idsOf(await api.ask("GET /__sandbox/one/posts/1/tags"))).toEqual([1]);
  const child = (path: string) => api.ask(`POST ${path}`, { body: {} });
  expect((await child("/__sandbox/one/posts/2/tags")).body).toEqual({ post_id: 2, id: 2 });
  expect((await child("/posts/2/tags")).body).toEqual({ postId: 2, id: 1 });
});

test("a suffix that is given holds for every collection", async () => {
  const api = await startApi({ data: mixedData(), foreignKeySuffix: "_id" });
  expect(idsOf(await api.ask("GET /posts/1/comments"))).toEqual([]);
  expect((await api.ask("POST /posts/1/tags", { body: {} })).body).toEqual({ post_id: 1, id: 1 });
});

test("the module API decides in the same way", async () => {
  const app = jsonServer.create().use(jsonServer.router(mixedData() as never));
  const http = app.listen(0);
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as { port: number }).port}`;
  expect(idsOf(await askAt(url, "GET /posts/1/notes"))).toEqual([1]);
  expect(idsOf(await askAt(url, "GET /posts/1/comments"))).toEqual([1]);
  expect((await askAt(url, "POST /posts/1/tags", { body: {} })).body).toEqual({ postId: 1, id: 1 });
});

test("the program API sees what a data change makes of it", async () => {
  await using standin = await createStandin({ data: mixedData() });
  await standin.db.tags!.create({ post_id: 2 });
  expect(idsOf(await askAt(standin.url, "GET /posts/2/tags"))).toEqual([1]);
});

test("the description offers the nested routes of both kinds", async () => {
  const api = await startApi({ data: mixedData() });
  const { paths } = (await api.ask("GET /__openapi.json")).body as { paths: JsonObject };
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/posts/{id}/comments", "/posts/{id}/notes"]));
  expect(Object.keys(paths)).not.toContain("/posts/{id}/tags");
});

test("types name the parents of both kinds", async () => {
  const { exit, output } = runKept(["types", "db.json"], createFolder({ "db.json": mixedData() }));
  expect(await exit).toBe(0);
  expect(output.stdout).toContain("/** Refers to posts. */\n  postId: number;");
  expect(output.stdout).toContain("/** Refers to posts. */\n  post_id: number;");
});

test("the start says which endings it found, and nothing where there is none", async () => {
  const mixed = await serveKept(["db.json"], createFolder({ "db.json": mixedData() }));
  await mixed.stop();
  expect(mixed.output.stdout).toContain(
    "foreign keys end in Id in comments, likes, and in _id in notes, likes, marks (detected;",
  );
  const plain = await serveKept(["db.json"], createFolder({ "db.json": { posts: [{ id: 1, userId: 1 }] } }));
  await plain.stop();
  expect(plain.output.stdout).not.toContain("foreign keys");
});

test("records are looked through once, not with every request", () => {
  let looked = 0;
  const counted = (fields: JsonObject): JsonObject =>
    new Proxy(fields, {
      getOwnPropertyDescriptor: (target, key) => {
        looked++;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
  const tags = Array.from({ length: 1000 }, (_, id) => counted({ id }));
  const store = new MemoryStore(State.load({ tags }, "id"));
  const held = () => store.heldField("tags", ["postId", "post_id"]);
  expect(held()).toBeUndefined();
  const first = looked;
  for (let times = 0; times < 100; times++) held();
  expect(looked).toBe(first);
});

import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { RequestHandler } from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import type { Chain, JsonServerRouter, RouterDatabase } from "../../src/json-server/api.ts";
import * as jsonServer from "../../src/json-server/module.ts";
import { type AskOptions, askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";

const data = () => ({ posts: [{ id: 1, title: "Hat" }] as Record<string, unknown>[], profile: { name: "Ann" } });

async function serve(router: JsonServerRouter): Promise<(line: string, options?: AskOptions) => Promise<unknown>> {
  const server = createServer(jsonServer.create().use(router)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async (line, options) => (await askAt(url, line, options)).body;
}

function fileOf(content: unknown): string {
  return join(createFolder({ "db.json": content }), "db.json");
}

function stored(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

for (const kind of ["an object", "a file"] as const) {
  const open = (): JsonServerRouter => {
    const router = jsonServer.router(kind === "an object" ? data() : fileOf(data()));
    onTestFinished(() => router.close());
    return router;
  };

  describe(`a router over ${kind}`, () => {
    test("a chain sees what requests wrote, and requests what a chain wrote", async () => {
      const router = open();
      const ask = await serve(router);
      await ask("POST /posts", { body: { title: "Cup" } });
      expect(router.db.get("posts").map("title").value()).toEqual(["Hat", "Cup"]);
      expect(router.db.get("posts").insert({ title: "Pot" }).write()).toEqual({ id: 3, title: "Pot" });
      expect(await ask("GET /posts/3")).toEqual({ id: 3, title: "Pot" });
      router.db.get("posts").remove({ id: 1 }).write();
      expect(await ask("GET /posts")).toMatchObject([{ id: 2 }, { id: 3 }]);
      expect(await ask("POST /posts", { body: {} })).toEqual({ id: 4 });
    });

    test("references stay live through requests", async () => {
      const router = open();
      const ask = await serve(router);
      const posts = router.db.get("posts").value();
      const hat = router.db.get("posts").getById(1).value();
      const state = router.db.getState();
      await ask("POST /posts", { body: { title: "Cup" } });
      expect(posts).toMatchObject([{ title: "Hat" }, { title: "Cup" }]);
      await ask("PATCH /posts/1", { body: { title: "Cap" } });
      expect(hat).toEqual({ id: 1, title: "Cap" });
      await ask("PUT /posts/1", { body: { size: 5 } });
      expect(JSON.stringify(hat)).toBe('{"size":5,"id":1}');
      await ask("DELETE /posts/1");
      expect(posts).toMatchObject([{ title: "Cup" }]);
      await ask("PATCH /profile", { body: { age: 5 } });
      expect(state).toEqual({ posts: [{ id: 2, title: "Cup" }], profile: { name: "Ann", age: 5 } });
      expect(posts).toBe(router.db.get("posts").value());
    });

    test("the next request sees a change without write(), as in 0.17", async () => {
      const router = open();
      const ask = await serve(router);
      router.db.get("posts").find({ id: 1 }).value().title = "Live";
      expect(await ask("GET /posts/1")).toEqual({ id: 1, title: "Live" });
      router.db.get("posts").push({ id: 2 }).value();
      expect(await ask("GET /posts?id=2")).toEqual([{ id: 2 }]);
      router.db.setState({ posts: [], more: [{ id: 7 }] });
      expect(await ask("GET /more/7")).toEqual({ id: 7 });
      expect(await ask("GET /db")).toEqual({ posts: [], more: [{ id: 7 }] });
      const more = router.db.get("more").value();
      await ask("GET /more");
      more.push({ id: 8 });
      expect(await ask("GET /more/8")).toEqual({ id: 8 });
    });

    test("a write() that fails leaves later writes alone", async () => {
      const router = open();
      const ask = await serve(router);
      expect(router.db.get("posts").size().value()).toBe(1);
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      for (const value of [circle, 1n]) {
        expect(() => router.db.set("cache", value).write()).toThrow(TypeError);
        delete router.db.getState().cache;
      }
      expect(await ask("POST /posts", { body: {} })).toEqual({ id: 2 });
      router.db.get("posts").push({ id: 9 }).write();
      expect(await ask("GET /posts")).toEqual([...data().posts, { id: 2 }, { id: 9 }]);
    });

    test("read() forgets what was not written", () => {
      const { db } = open();
      db.get("posts").push({ id: 2 }).value();
      expect(db.read().get("posts").value()).toEqual(data().posts);
    });

    test("more than one change is one change; none is none", async () => {
      const router = open();
      const ask = await serve(router);
      const first = await askEtag(ask);
      router.db.get("posts").map("id").write();
      expect(await askEtag(ask)).toBe(first);
      const posts = router.db.get("posts").value();
      posts.push({ id: 2 }, { id: 3 });
      posts[0].title = "Two";
      router.db.write();
      expect(await ask("GET /posts")).toEqual([{ id: 1, title: "Two" }, { id: 2 }, { id: 3 }]);
    });

    async function askEtag(ask: (line: string) => Promise<unknown>): Promise<string> {
      return JSON.stringify(await ask("GET /posts"));
    }
  });
}

describe("an object that is served", () => {
  test("is the state itself, as in 0.17: it follows requests, and requests follow it", async () => {
    const given = data();
    const ask = await serve(jsonServer.router(given));
    await ask("POST /posts", { body: { title: "Cup" } });
    expect(given.posts).toEqual([
      { id: 1, title: "Hat" },
      { title: "Cup", id: 2 },
    ]);
    given.posts.push({ id: 5 });
    expect(await ask("GET /posts/5")).toEqual({ id: 5 });
  });

  test("may hold functions, dates and objects of classes: they are taken as JSON would", async () => {
    class Point {
      readonly x = 1;
      readonly id = 2;
      length() {
        return this.x;
      }
    }
    const router = jsonServer.router({ a: [{ id: 1, f() {}, at: new Date(0), no: undefined }, new Point()] });
    const ask = await serve(router);
    expect(await ask("GET /a")).toEqual([
      { id: 1, at: "1970-01-01T00:00:00.000Z" },
      { id: 2, x: 1 },
    ]);
    await ask("PATCH /a/2", { body: { x: 5 } });
    expect(router.db.get("a").find({ id: 2 }).value().length()).toBe(5);
  });

  test("may be frozen", async () => {
    const router = jsonServer.router(Object.freeze({ a: Object.freeze([Object.freeze({ id: 1 })]) }));
    const ask = await serve(router);
    await ask("POST /a", { body: { id: 2 } });
    expect(router.db.get("a").value()).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe("a lowdb instance that is served", () => {
  const require = createRequire(import.meta.url);
  const dependency = createRequire(require.resolve("json-server"));
  const low = dependency("lowdb") as (adapter: unknown) => RouterDatabase;
  const adapterOf = (kind: string) => dependency(`lowdb/adapters/${kind}`) as new (file?: string) => unknown;
  const openFile = (file: string) => low(new (adapterOf("FileSync"))(file));
  const original = require("json-server") as Pick<typeof jsonServer, "router">;

  test("is written by its adapter", async () => {
    const file = fileOf(data());
    const own = openFile(file);
    const ask = await serve(jsonServer.router(own));
    await ask("POST /posts", { body: { title: "Cup" } });
    expect((own.get("posts") as Chain).size().value()).toBe(2);
    expect(stored(file)).toEqual({ ...data(), posts: [...data().posts, { title: "Cup", id: 2 }] });
    (own.get("posts") as Chain).push({ id: 9 }).write();
    expect(await ask("GET /posts/9")).toEqual({ id: 9 });
  });

  /** The log of a script that changes the instance in every way, between requests. */
  async function changed(module: Pick<typeof jsonServer, "router">, own: RouterDatabase, file?: string) {
    const seen: unknown[] = [];
    const router = module.router(own);
    const ask = await serve(router);
    const see = async (line: string, options?: AskOptions) => {
      seen.push(line, await ask(line, options), structuredClone(own.getState()), file && stored(file));
    };
    seen.push(router.db === own, typeof own._.getById);
    await see("POST /posts", { body: { title: "Cup" } });
    const seed = { ...data(), posts: [{ id: 7 }] };
    own.setState(seed);
    await see("GET /posts");
    await see("POST /posts", { body: { title: "Pot" } });
    seen.push(structuredClone(seed));
    await see("PATCH /posts/7", { body: { a: 1 } });
    (own.get("posts") as Chain).insert({ b: 1 }).write();
    await see("GET /posts");
    router.db.setState(data()).write();
    await see("DELETE /posts/1");
    if (file) {
      writeFileSync(file, JSON.stringify({ ...data(), posts: [{ id: 20 }] }));
      own.read();
      await see("GET /posts");
    }
    await see("POST /posts", { body: {} });
    const other = module.router(own);
    const askOther = await serve(other);
    seen.push(await askOther("POST /posts", { body: {} }));
    await see("GET /posts");
    return seen;
  }

  test("is the database itself, whatever state it gets, as in 0.17", async () => {
    const inMemory = () => low(new (adapterOf("Memory"))()).setState(data());
    expect(await changed(jsonServer, inMemory())).toEqual(await changed(original, inMemory()));
    const [file, same] = [fileOf(data()), fileOf(data())];
    expect(await changed(jsonServer, openFile(file), file)).toEqual(await changed(original, openFile(same), same));
  });

  test("may have more records than are compared at each request", async () => {
    const own = low(new (adapterOf("Memory"))()).setState({
      posts: Array.from({ length: 10_001 }, (_, id) => ({ id })),
    });
    const ask = await serve(jsonServer.router(own));
    await ask("GET /posts/1");
    (own.get("posts") as Chain).find({ id: 1 }).assign({ title: "Hat" }).write();
    expect(await ask("GET /posts/1")).toEqual({ id: 1, title: "Hat" });
    own.setState(data());
    expect(await ask("GET /posts")).toEqual(data().posts);
  });
});

describe("a file", () => {
  test("two routers of one process share it", async () => {
    const file = fileOf(data());
    const [one, other] = [jsonServer.router(file), jsonServer.router(file)];
    const [askOne, askOther] = [await serve(one), await serve(other)];
    await askOne("POST /posts", { body: { title: "Cup" } });
    expect(await askOther("GET /posts/2")).toEqual({ title: "Cup", id: 2 });
    expect(other.db.get("posts").size().value()).toBe(2);
    await one.close();
    await askOther("POST /posts", { body: {} });
    await other.close();
    expect(stored(file)).toMatchObject({ posts: [{}, {}, { id: 3 }] });
  });

  test("a restart in the same process takes what the file holds by then", async () => {
    const file = fileOf(data());
    const first = jsonServer.router(file);
    await (await serve(first))("POST /posts", { body: { title: "Cup" } });
    await expect.poll(() => stored(file)).toMatchObject({ posts: [{}, { title: "Cup" }] });
    await expect.poll(() => existsSync(join(dirname(file), ".standin/db.json.journal"))).toBe(false);
    // The first one was never closed, as usual.
    writeFileSync(file, JSON.stringify({ posts: [{ id: 7 }] }));
    const second = jsonServer.router(file);
    expect(second.db.getState()).toEqual({ posts: [{ id: 7 }] });
    // And one that is closed is opened again in the same turn.
    const closing = [first.close(), second.close()];
    const third = jsonServer.router(file);
    await Promise.all(closing);
    await (await serve(third))("POST /posts", { body: {} });
    await third.close();
    expect(stored(file)).toEqual({ posts: [{ id: 7 }, { id: 8 }] });
  });

  test("read() takes over what was changed in it from outside", async () => {
    const file = fileOf(data());
    const router = jsonServer.router(file);
    writeFileSync(file, JSON.stringify({ posts: [{ id: 9 }] }));
    expect(router.db.read().getState()).toEqual({ posts: [{ id: 9 }] });
    await router.close();
    expect(stored(file)).toEqual({ posts: [{ id: 9 }] });
  });
});

/** A server with one middleware, which has the database at hand. */
type Work = (db: RouterDatabase & Record<string, (...given: unknown[]) => Chain>) => unknown;
async function startWith(work: Record<string, Work>, options: { source?: string; persist?: boolean } = {}) {
  const middleware: RequestHandler = (req, res, next) => {
    const run = work[req.path];
    if (!run) return next();
    Promise.resolve(run((req.app as unknown as { db: never }).db)).then((result) => res.json(result ?? null), next);
  };
  const standin = await createStandin({
    ...(options.source === undefined ? { data: data() } : { source: options.source, persist: true }),
    middlewares: [middleware as (...parameters: never[]) => unknown],
  });
  onTestFinished(() => standin.close());
  return standin;
}

describe("req.app.db of interceptors", () => {
  test("writes are changes like any other: told once, with new ETags", async () => {
    const api = await startWith({
      "/work": (db) => {
        const posts = db.get("posts").value();
        posts.push({ id: 2 });
        posts[0].title = "Cap";
        return db.write("done");
      },
    });
    const before = await askAt(api.url, "GET /posts");
    expect((await askAt(api.url, "POST /work")).body).toBe("done");
    expect(await api.changes()).toMatchObject([
      {
        edits: [
          { name: "posts", kind: "changed", id: 1, before: { title: "Hat" }, after: { title: "Cap" } },
          { name: "posts", kind: "created", id: 2 },
        ],
      },
    ]);
    const after = await askAt(api.url, "GET /posts");
    expect(after.body).toEqual([{ id: 1, title: "Cap" }, { id: 2 }]);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  test("in a sandbox it is the sandbox's data", async () => {
    const api = await startWith({ "/work": (db) => db.get("posts").push({ id: 2 }).write() });
    const sandbox = api.sandbox("one");
    const { headers } = sandbox;
    await askAt(api.url, "POST /work", { headers });
    expect((await askAt(api.url, "GET /posts", { headers })).body).toHaveLength(2);
    expect((await askAt(api.url, "GET /posts")).body).toHaveLength(1);
    await askAt(api.url, "POST /work");
    expect((await askAt(api.url, "GET /posts")).body).toHaveLength(2);
    await sandbox.reset();
    expect((await askAt(api.url, "GET /posts", { headers })).body).toHaveLength(1);
  });

  test("over a file, write() gives a promise, as on the command line of 0.17", async () => {
    const file = fileOf(data());
    const api = await startWith(
      {
        "/work": (db) => {
          const written = db.get("posts").push({ id: 2 }).write();
          expect(written).toBeInstanceOf(Promise);
          return written;
        },
      },
      { source: file },
    );
    expect((await askAt(api.url, "POST /work")).body).toMatchObject([{ id: 1 }, { id: 2 }]);
    await expect.poll(() => stored(file)).toMatchObject({ posts: [{ id: 1 }, { id: 2 }] });
  });

  test("a reset is seen, and what comes after it is kept", async () => {
    let posts: unknown[] = [];
    const api = await startWith({
      "/work": (db) => {
        posts = db.get("posts").value();
        return db.get("posts").push({ id: 2 }).write();
      },
    });
    await askAt(api.url, "POST /work");
    await askAt(api.url, "POST /__reset");
    expect(posts).toEqual(data().posts);
    await askAt(api.url, "POST /work");
    expect((await askAt(api.url, "GET /posts")).body).toHaveLength(2);
  });
});

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { type Ask, closing, dataFile, ENGINES, type Module, serve } from "../json-server/both-engines.ts";
import { IS_SOAK } from "../support/soak.ts";

const standin = ENGINES.standin!;

/** Custom servers that read the data file themselves: with 0.17 it has every write when the response is sent. */

interface Server {
  readonly ask: Ask;
  readonly file: string;
}

interface ServerOptions {
  readonly reloads?: boolean;
  readonly data?: JsonObject;
}

const DATA = { users: [{ id: 1, name: "Ann" }], profile: { name: "shop" } };
const LARGE = { ...DATA, carts: [], texts: [{ id: 1, text: "x".repeat(11_000_000) }] };

async function start(engine: Module, { reloads = false, data = DATA }: ServerOptions = {}): Promise<Server> {
  const file = dataFile(data);
  const server = engine.create();
  const router = closing(engine.router(file));
  const read = (): JsonObject => JSON.parse(readFileSync(file, "utf8"));
  if (reloads) {
    server.use((_req, _res, next) => {
      const db = router.db as unknown as { assign(data: object): { write(): void } };
      db.assign(read()).write();
      next();
    });
  }
  server.use(engine.bodyParser);
  server.post("/login", (req, res) => {
    const users = read().users as JsonObject[];
    res.status(users.some(({ name }) => name === req.body.name) ? 200 : 401).json({});
  });
  server.post("/register", (req, res) => {
    router.db.get("users").insert(req.body).write();
    const users = read().users as JsonObject[];
    res.json({ saved: users.some(({ name }) => name === req.body.name) });
  });
  server.use(router);
  return { ask: await serve(server), file };
}

function namesIn(file: string): unknown[] {
  return JSON.parse(readFileSync(file, "utf8")).users.map(({ name }: JsonObject) => name);
}

for (const [name, engine] of Object.entries(ENGINES)) {
  describe(name, () => {
    test("the data file has a write when its response arrives", async () => {
      const { ask, file } = await start(engine);
      for (let n = 0; n < 10; n++) {
        await ask("POST /users", { body: { name: `n${n}` } });
        expect(namesIn(file)).toContain(`n${n}`);
      }
      await ask("PATCH /users/1", { body: { name: "Anna" } });
      expect(namesIn(file)).toContain("Anna");
      await ask("DELETE /users/1");
      expect(namesIn(file)).not.toContain("Anna");
      await ask("PUT /profile", { body: { name: "store" } });
      expect(JSON.parse(readFileSync(file, "utf8")).profile).toEqual({ name: "store" });
    });

    test("a login that reads the data file finds the user that was posted before", async () => {
      const { ask } = await start(engine);
      await ask("POST /users", { body: { name: "Bob" } });
      expect(await ask("POST /login", { body: { name: "Bob" } })).toMatchObject({ status: 200 });
    });

    test("the data file has what a handler has written, in the next line of it", async () => {
      const { ask } = await start(engine);
      expect(await ask("POST /register", { body: { name: "Bob" } })).toMatchObject({ body: { saved: true } });
    });

    test("a middleware that reloads the data file on each request loses no write", async () => {
      const { ask, file } = await start(engine, { reloads: true });
      const names = Array.from({ length: 12 }, (_, n) => `n${n}`);
      for (const one of names.slice(0, 5)) await ask("POST /users", { body: { name: one } });
      await Promise.all(names.slice(5).map((one) => ask("POST /users", { body: { name: one } })));
      const { body } = await ask("GET /users");
      expect((body as JsonObject[]).map((user) => user.name).sort()).toEqual(["Ann", ...names].sort());
      expect(namesIn(file).sort()).toEqual(["Ann", ...names].sort());
      await ask("DELETE /users/1");
      expect(await ask("GET /users/1")).toMatchObject({ status: 404 });
    });

    test("a middleware that reloads the data file takes over an edit by hand, and nothing is kept aside", async () => {
      const { ask, file } = await start(engine, { reloads: true });
      await ask("POST /users", { body: { name: "Bob" } });
      writeFileSync(file, JSON.stringify({ users: [{ id: 7, name: "Eve" }], profile: { name: "shop" } }));
      expect(await ask("GET /users")).toMatchObject({ body: [{ id: 7, name: "Eve" }] });
      await ask("POST /users", { body: { name: "Kim" } });
      expect(namesIn(file)).toEqual(["Eve", "Kim"]);
      expect(readdirSync(dirname(file)).filter((one) => one.endsWith(".json"))).toEqual(["db.json"]);
    });
  });
}

// 0.17.4 does the same, in several seconds.
describe("standin, with a file that is too large to be saved in the turn of a write", () => {
  test("a middleware that reloads the data file on each request loses no write", async () => {
    const { ask, file } = await start(standin, { reloads: true, data: LARGE });
    const names = Array.from({ length: IS_SOAK ? 8 : 2 }, (_, n) => `n${n}`);
    await Promise.all([
      ...names.map((one) => ask("POST /users", { body: { name: one } })),
      ask("PATCH /profile", { body: { name: "store" } }),
      ask("POST /carts", { body: { total: 1 } }),
    ]);
    const { body } = await ask("GET /users");
    expect((body as JsonObject[]).map((user) => user.name).sort()).toEqual(["Ann", ...names].sort());
    expect(namesIn(file).sort()).toEqual(["Ann", ...names].sort());
    expect(await ask("GET /profile")).toMatchObject({ body: { name: "store" } });
    expect(await ask("GET /carts")).toMatchObject({ body: [{ total: 1 }] });
    await Promise.all([ask("DELETE /users/1"), ask("DELETE /carts/1"), ask("PUT /profile", { body: {} })]);
    expect(await ask("GET /users/1")).toMatchObject({ status: 404 });
    expect(await ask("GET /carts")).toMatchObject({ body: [] });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ carts: [], profile: {} });
  });

  test("a handler takes back what the data file does not have yet", async () => {
    const file = dataFile(LARGE);
    const server = standin.create();
    const router = closing(standin.router(file));
    server.post("/there-and-back", (_req, res) => {
      router.db.get("users").push({ id: 2, name: "Bob" }).write();
      router.db.get("carts").push({ id: 1 }).write();
      router.db.get("users").remove({ id: 2 }).write();
      router.db.set("carts", []).write();
      res.json({});
    });
    server.use(router);
    const ask = await serve(server);
    await ask("POST /there-and-back");
    expect(await ask("GET /users")).toMatchObject({ body: DATA.users });
    expect(await ask("GET /carts")).toMatchObject({ body: [] });
  });
});

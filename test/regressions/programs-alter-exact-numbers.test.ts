import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, type Database } from "../../src/index.ts";
import * as jsonServer from "../../src/json-server/module.ts";
import { closing, dataFile, serve } from "../json-server/both-engines.ts";

const DATA =
  '{"tweets":[{"id":1,"n":9007199254740993},{"id":2,"n":1e400}],"rows":[{"n":9007199254740995},{"n":9007199254740997}],' +
  '"profile":{"n":9007199254740993}}';

interface Chain {
  value(): unknown;
  write(): unknown;
  unshift(row: unknown): Chain;
}
interface Db {
  get(name: string): Chain;
  set(name: string, value: unknown): Chain;
  assign(data: object): Chain;
  getState(): Record<string, unknown>;
}

/** A custom server over a file with numbers that no double can hold. */
async function customServer() {
  const file = dataFile(DATA);
  const router = closing(jsonServer.router(file));
  const server = jsonServer.create();
  server.use(jsonServer.bodyParser);
  server.post("/seen", (req, res) => void res.json({ type: typeof req.body.n }));
  server.use((req, _res, next) => {
    if (req.method === "PATCH") req.body.touched = true;
    next();
  });
  server.use(router);
  const content = () => readFileSync(file, "utf8").replace(/\s/g, "");
  return { ask: await serve(server), db: router.db as unknown as Db, content };
}

test("a change of router.db that moves rows leaves the numbers of all others as they are", async () => {
  const { db, content } = await customServer();
  db.get("rows").unshift({ n: 5 }).write();
  expect(content()).toBe(DATA.replace('"rows":[', '"rows":[{"n":5},'));
  const tweets = db.get("tweets").value() as unknown[];
  db.set("tweets", tweets.slice().reverse()).write();
  expect(content()).toContain('"tweets":[{"id":2,"n":1e400},{"id":1,"n":9007199254740993}]');
  db.set("further", []).write();
  expect(content()).toContain('{"n":5},{"n":9007199254740995},{"n":9007199254740997}');
  expect(content()).toContain('"profile":{"n":9007199254740993}');
});

test("a copy of the state that is written back changes no number", async () => {
  const { db, content } = await customServer();
  db.assign(JSON.parse(JSON.stringify(db.getState()))).write();
  db.set("further", []).write();
  expect(content()).toBe(DATA.replace(/}$/, ',"further":[]}'));
});

test("bodies behind bodyParser are stored as sent, whatever handlers add", async () => {
  const { ask, content } = await customServer();
  expect((await ask("POST /seen", { body: '{"n":9007199254740993}' })).body).toEqual({ type: "number" });
  await ask("POST /tweets", { body: '{"n":9007199254740993,"deep":[1e400]}' });
  await ask("PATCH /tweets/1", { body: '{"m":9007199254740995}' });
  expect(content()).toContain('{"n":9007199254740993,"deep":[1e400],"id":3}');
  expect(content()).toContain('{"id":1,"n":9007199254740993,"m":9007199254740995,"touched":true}');
});

interface Tweet {
  id: number;
  n: number;
  a?: number;
}

test("a program that groups gets doubles", async () => {
  const standin = await createStandin({ source: dataFile(DATA) });
  onTestFinished(() => standin.close());
  const { tweets } = standin.db as unknown as Database<{ tweets: Tweet[] }>;
  expect(await tweets.find("_group=n&_aggregate=max:n&_sort=n")).toEqual([
    { n: 9007199254740992, max_n: 9007199254740992 },
    { n: Number.POSITIVE_INFINITY, max_n: Number.POSITIVE_INFINITY },
  ]);
});

test("a program that writes back what it read changes no number", async () => {
  const file = dataFile(DATA);
  const standin = await createStandin({ source: file });
  onTestFinished(() => standin.close());
  const { tweets, profile } = standin.db as unknown as Database<{ tweets: Tweet[]; profile: Partial<Tweet> }>;
  await tweets.replace(1, { ...(await tweets.get(1))!, a: 1 });
  await tweets.update(2, { ...(await tweets.get(2)), a: 1 });
  await profile.replace({ ...(await profile.get()), a: 1 });
  expect(await (await fetch(`${standin.url}/profile`)).text()).toContain("9007199254740993");
  const text = await (await fetch(`${standin.url}/tweets`)).text();
  expect(text.replace(/\s/g, "")).toBe('[{"id":1,"n":9007199254740993,"a":1},{"id":2,"n":1e400,"a":1}]');
});

import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { HistoryChange, HistoryPage, HistoryVersion } from "../../src/features/history/types.ts";
import { DEFAULT_HISTORY, type HistoryLimits } from "../../src/store/history.ts";
import { Oracle } from "../features/history/oracle.ts";
import { NOTES, revertBesideWrites } from "../features/history/revert-beside-writes.ts";
import { type Answer, type AskOptions, askAt, codeOf } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";
import { createStore } from "./database.ts";
import { serveOracle } from "./history-oracle.ts";
import { kill, startProcess } from "./processes.ts";

const DATA = {
  products: [
    { id: 1, name: "Hat", price: 5, company_id: 1 },
    { id: 2, name: "Cap", price: 6, company_id: 1 },
    { id: 3, name: "Bag", price: 7, company_id: 2 },
  ],
  companies: [{ id: 1 }, { id: 2 }],
  settings: { theme: "dark" },
};

type Opened = Awaited<ReturnType<typeof createStore>>;

/** A server on a schema; the schema is a new one without a name. */
async function serve(schema?: string, history: HistoryLimits | "off" = DEFAULT_HISTORY, data: JsonObject = DATA) {
  const limits = history === "off" ? {} : { history };
  const opened: Opened = await createStore({ ...(schema !== undefined && { schema }), ...limits });
  if (schema === undefined) await opened.store.seed(() => data);
  const served: ServedStore = await serveStore(opened.store);
  return {
    ...opened,
    ask: (line: string, options?: AskOptions) => askAt(served.url, line, options),
    async stop() {
      await served.close();
      await opened.close();
    },
  };
}

type Server = Awaited<ReturnType<typeof serve>>;

const pageOf = ({ body }: Answer) => body as HistoryPage;
const dbOf = async ({ ask }: Pick<Server, "ask">) => (await ask("GET /db")).text;
const latestOf = async ({ ask }: Pick<Server, "ask">) =>
  pageOf(await ask("GET /__history?limit=1")).versions[0] as HistoryVersion;

async function change(server: Pick<Server, "ask">, line: string, body?: unknown): Promise<number> {
  const answer = await server.ask(line, body === undefined ? {} : { body });
  expect(answer.status, `${line}: ${answer.text}`).toBeLessThan(300);
  return (await latestOf(server)).version;
}

let server: Server;
let other: Server;
beforeAll(async () => {
  server = await serve();
  other = await serve(server.schema);
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

describe("the history on PostgreSQL", () => {
  test("lists the versions of all processes, with their origins, counts and records", async () => {
    const { versions: before } = pageOf(await server.ask("GET /__history"));
    expect(before).toEqual([]);
    const first = await change(server, "POST /products", { name: "Sock" });
    const second = await change(other, "PATCH /products?company_id=1", { price: 1.5 });
    await change(server, "DELETE /products/3");
    const { versions, oldest, latest } = pageOf(await other.ask("GET /__history"));
    expect(versions.map(({ summary, by, kept }) => [summary, by, kept])).toEqual([
      ["products: 1 removed", "127.0.0.1", true],
      ["products: 2 updated", "127.0.0.1", true],
      ["products: 1 created", "127.0.0.1", true],
    ]);
    expect([oldest, latest]).toEqual([0, versions[0]?.version]);
    expect(first).toBeLessThan(second);
    const { edits, total } = (await server.ask(`GET /__history/${second}`)).body as HistoryChange;
    expect(total).toBe(2);
    expect(edits[0]).toMatchObject({ collection: "products", id: 1, before: { price: 5 }, after: { price: 1.5 } });
    const summaries = async (query: string) =>
      pageOf(await server.ask(`GET /__history?${query}`)).versions.map(({ summary }) => summary);
    expect(await summaries("collection=products&id=3")).toEqual(["products: 1 removed"]);
    expect(await summaries("collection=companies")).toEqual([]);
    expect(await summaries("by=127.0.0.1&limit=1")).toEqual(["products: 1 removed"]);
    expect(await summaries(`before=${second}`)).toEqual(["products: 1 created"]);
  });

  test("a version is taken back by another process; removed records return in their places", async () => {
    await change(server, "POST /__reset");
    const start = await dbOf(server);
    const version = await change(server, "DELETE /products/2");
    await change(server, "PATCH /products/1", { price: 9 });
    const reverted = await other.ask(`POST /__history/${version}/revert`, { body: {} });
    expect(reverted.body).toMatchObject({ cause: "revert", summary: "products: 1 created", kept: true });
    expect(JSON.parse(await dbOf(server)).products.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
    await change(other, "PATCH /products/1", { price: 5 });
    expect(await dbOf(server)).toBe(start);
  });

  testAtLength("a record that changed again is a conflict, unless only other fields did", async () => {
    await change(server, "POST /__reset");
    const version = await change(server, "PATCH /products/1", { price: 8 });
    await change(other, "PATCH /products/1", { name: "Hood" });
    const refused = await server.ask(`POST /__history/${version}/revert`, { body: {} });
    expect([refused.status, codeOf(refused)]).toEqual([409, "REVERT_CONFLICT"]);
    expect((await server.ask(`POST /__history/${version}/revert`, { body: { fields: true } })).status).toBe(200);
    expect((await other.ask("GET /products/1")).body).toMatchObject({ name: "Hood", price: 5 });
  });

  test("any moment can be read, and restored, across resets and changes of members", async () => {
    await change(server, "POST /__reset");
    await change(server, "DELETE /products/1");
    const [version, then] = [await change(other, "PATCH /settings", { theme: "light" }), await dbOf(server)];
    await change(server, "POST /__collections", { name: "tags" });
    await change(other, "POST /tags", { name: "new" });
    await change(server, "PATCH /__collections/products", { name: "goods" });
    await change(server, "DELETE /__collections/tags");
    await change(other, "POST /__reset");
    for (const one of [server, other]) expect((await one.ask(`GET /__at/${version}/db`)).text).toBe(then);
    expect((await server.ask(`GET /products?_at=${version}&price:gt=6`)).body).toEqual([DATA.products[2]]);
    expect(codeOf(await server.ask(`GET /goods?_at=${version}`))).toBe("COLLECTION_NOT_FOUND");
    const restored = await other.ask("POST /__history/restore", { body: { at: version } });
    expect(restored.body).toMatchObject({ cause: "restore", kind: "exchange" });
    expect(await dbOf(server)).toBe(then);
    const undone = (restored.body as HistoryVersion).version;
    expect((await server.ask(`POST /__history/${undone}/revert`)).status).toBe(200);
    expect(await dbOf(other)).toBe(JSON.stringify(DATA));
  });

  testAtLength("a reset tells what it changed, and can be reverted", async () => {
    await change(server, "POST /__reset");
    await change(server, "DELETE /products/1");
    await change(server, "POST /products", { name: "Sock" });
    const then = await dbOf(server);
    const version = await change(server, "POST /__reset");
    expect(await latestOf(server)).toMatchObject({
      kind: "exchange",
      cause: "reset",
      counts: { products: { created: 1, updated: 0, removed: 1 } },
    });
    const { edits } = (await server.ask(`GET /__history/${version}`)).body as HistoryChange;
    expect(edits.map(({ id, before, after }) => [id, before !== null, after !== null])).toEqual([
      [1, false, true],
      [4, true, false],
    ]);
    expect((await server.ask(`POST /__history/${version}/revert`)).status).toBe(200);
    expect(await dbOf(server)).toBe(then);
  });

  test("a write of the console is told its version, by which it is undone", async () => {
    const headers = { "X-Standin-Console": "1" };
    const { status, headers: told } = await server.ask("POST /companies", { headers, body: { name: "New" } });
    const { version } = await latestOf(other);
    expect([status, told.get("X-Standin-Version")]).toEqual([201, String(version)]);
    expect((await server.ask(`POST /__history/${version}/revert`)).status).toBe(200);
  });

  testAtLength("a version of whole collections is taken back without the loss of a write", async () => {
    const opened = await serve(undefined, DEFAULT_HISTORY, NOTES);
    onTestFinished(() => opened.stop());
    await revertBesideWrites(opened, IS_SOAK ? 3 : 1);
  });

  test("restored snapshots and odd names and values are versions like others", async () => {
    await change(server, "POST /__reset");
    const { body: saved } = await server.ask("POST /__snapshots__");
    const body = '{"id":7,"n":12345678901234567890.50,"\\u0000":"\\ud800"}';
    const version = await change(server, "POST /products", body);
    const { text } = await server.ask(`GET /__history/${version}`);
    expect(text).toContain('"n":12345678901234567890.50,"\\u0000":"\\ud800"');
    await change(server, `PUT /__snapshots__/${(saved as { id: string }).id}`);
    expect(await latestOf(server)).toMatchObject({ cause: "restore", summary: "products: 1 removed" });
    expect((await server.ask(`GET /__at/${version}/products/7`)).text).toBe(body);
  });

  test("clearing it leaves the present; numbers are never used again", async () => {
    const version = await change(server, "POST /products", {});
    expect((await other.ask("DELETE /__history")).status).toBe(204);
    const { versions, oldest, latest } = pageOf(await server.ask("GET /__history"));
    expect([versions, oldest, latest]).toEqual([[], version, version]);
    const gone = await server.ask(`GET /__at/${version - 1}/products`);
    expect([gone.status, codeOf(gone)]).toEqual([410, "HISTORY_GONE"]);
    expect(await change(server, "POST /products", {})).toBeGreaterThan(version);
  });

  test("writes of many at once get a number each, in the order in which each collection has them", async () => {
    await server.ask("DELETE /__history");
    const writers = Array.from({ length: 30 }, (_, at) =>
      [server, other][at % 2]!.ask(`PATCH /${at % 3 ? "products" : "companies"}/1`, { body: { at } }),
    );
    for (const { status } of await Promise.all(writers)) expect(status).toBe(200);
    const { versions, oldest } = pageOf(await server.ask("GET /__history"));
    expect(new Set(versions.map(({ version }) => version)).size).toBe(30);
    const first = (await server.ask(`GET /__history/${versions.at(-1)?.version}`)).body as HistoryChange;
    const { collection, before } = first.edits[0]!;
    expect((await other.ask(`GET /__at/${oldest}/${collection}/1`)).body).toEqual(before);
  });

  testAtLength("keeps as many versions as it should, and an age", async () => {
    let now = Date.now();
    const limits = { count: 3, maxAgeMs: 60_000, maxBytes: DEFAULT_HISTORY.maxBytes, clock: { now: () => now } };
    const few = await serve(undefined, limits);
    onTestFinished(few.stop);
    for (let at = 0; at < 40; at++) await few.ask("PATCH /products/1", { body: { at } });
    const { versions, oldest, latest } = pageOf(await few.ask("GET /__history"));
    expect([versions.length, oldest]).toEqual([3, latest - 3]);
    expect((await few.ask(`GET /__at/${oldest}/products/1`)).body).toMatchObject({ at: 36 });
    now += 60_001;
    await few.ask("PATCH /products/1", { body: { at: 40 } });
    expect(pageOf(await few.ask("GET /__history")).versions).toHaveLength(1);
  });

  test("--history off adds no rows, but a history that there is says from where on it is not known", async () => {
    const quiet = await serve(undefined, "off");
    onTestFinished(quiet.stop);
    await quiet.ask("POST /products", { body: {} });
    await quiet.ask("POST /__reset");
    expect(codeOf(await quiet.ask("GET /__history"))).toBe("HISTORY_OFF");
    const loud = await serve(quiet.schema);
    onTestFinished(loud.stop);
    expect(pageOf(await loud.ask("GET /__history"))).toEqual({ versions: [], oldest: 0, latest: 0 });
    const version = await change(loud, "POST /products", {});
    const again = await serve(quiet.schema, "off");
    onTestFinished(again.stop);
    for (const price of [1, 2]) await again.ask("PATCH /products/1", { body: { price } });
    const { versions, oldest } = pageOf(await loud.ask("GET /__history"));
    expect(versions.map(({ kept, summary }) => [kept, summary])).toEqual([
      [false, "history off"],
      [true, "products: 1 created"],
    ]);
    expect(oldest).toBe(versions[0]?.version);
    expect(codeOf(await loud.ask(`GET /__at/${version}/products`))).toBe("HISTORY_GONE");
    expect(codeOf(await loud.ask(`POST /__history/${oldest}/revert`))).toBe("HISTORY_TOO_LARGE");
  });

  test("a database from before there was a history gets one", async () => {
    const old = await serve(undefined, "off");
    const sql = postgres(old.url, { max: 1, connection: { search_path: old.schema } });
    await sql`DROP TABLE history, unhooked, jobs, lanes, clock, sandboxes, copies`;
    await sql`UPDATE meta SET value = '3' WHERE key = 'version'`;
    await sql.end();
    await old.stop();
    const renewed = await serve(old.schema);
    onTestFinished(renewed.stop);
    await change(renewed, "PATCH /products/1", { price: 1 });
    expect((await renewed.ask("GET /__at/0/products/1")).body).toEqual(DATA.products[0]);
  });

  test("two processes, one of which is killed: all that was acknowledged is there, and can be taken back", async () => {
    const [killed, going] = await Promise.all([1, 2].map(() => startProcess(server.url, server.schema)));
    onTestFinished(() => kill(going!));
    await server.ask("DELETE /__history");
    const acknowledged: number[] = [];
    const write = async (url: string, at: number): Promise<void> => {
      const answer = await askAt(url, "POST /companies", { body: { at } }).catch(() => undefined);
      if (answer?.status === 201) acknowledged.push((answer.body as { id: number }).id);
    };
    const writing = Array.from({ length: 60 }, (_, at) => write((at % 2 ? killed! : going!).url, at));
    await Promise.race(writing);
    await kill(killed!);
    await Promise.all(writing);
    const { versions } = pageOf(await askAt(going!.url, "GET /__history?limit=1000"));
    const changes = await Promise.all(versions.map(({ version }) => askAt(going!.url, `GET /__history/${version}`)));
    const created = changes.map(({ body }) => (body as HistoryChange).edits[0]?.id);
    expect(new Set(created).size).toBe(created.length);
    expect(created).toEqual(expect.arrayContaining(acknowledged));
    const { status } = await askAt(going!.url, `POST /__history/${versions[0]?.version}/revert`);
    expect([status, (await server.ask(`GET /companies/${created[0]}`)).status]).toEqual([200, 404]);
  });
});

testAtLength(
  "60 random changes: the past is as fresh servers show it, and reverts are naive three-way merges",
  async () => {
    const oracle = new Oracle({ seed: 9, changes: 60, reads: 25, reverts: 25, open: serveOracle });
    await oracle.run();
    expect(oracle.done.reverts).toBeGreaterThan(5);
  },
);

import { type ClientRequest, request } from "node:http";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServeOptions } from "../../src/config/options.ts";
import { openPostgres, POSTGRES_DEFAULTS } from "../../src/store/postgres/open-postgres.ts";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { tableName } from "../../src/store/postgres/tables/catalogue.ts";
import { askAt, codeOf } from "../support/api.ts";
import { limit } from "../support/limits.ts";
import { serveStore } from "../support/serve-store.ts";
import { createDatabase } from "./database.ts";

const RECORDS = 3000;
/** Matches no record, and takes a test of each pattern to find out. */
const WHERE = { or: Array.from({ length: 190 }, (_, at) => ({ text: { like: `(a|b|c)*(x|y)+q${at}$` } })) };
const SEARCH = `_where=${encodeURIComponent(JSON.stringify(WHERE))}`;
const WAIT = { timeout: limit(20_000), interval: 10 };

let url: string;
let store: PostgresStore;
let admin: postgres.Sql;

beforeAll(async () => {
  url = await createDatabase();
  store = await openPostgres(url, { ...POSTGRES_DEFAULTS, idKey: "id", warn: () => {} });
  await store.swap({
    items: Array.from({ length: RECORDS }, (_, at) => ({ id: at + 1, text: `lorem ipsum ${at} dolor sit amet`, n: 0 })),
    words: Array.from({ length: 500 }, (_, at) => ({ id: at + 1, text: `lörem ipsum ${at} dolor sit amet`, n: 0 })),
    companies: [{ id: 1, name: "Acme" }],
  });
  admin = postgres(url, { max: 3, onnotice: () => {} });
}, limit(60_000));

afterAll(async () => {
  await admin.end();
  await store.close();
});

async function serve(options: Partial<ServeOptions> = {}) {
  const served = await serveStore(store, options);
  onTestFinished(() => served.close());
  return { url: served.url, ask: (line: string, more = {}) => askAt(served.url, line, more) };
}

/** Our connections that are doing something. */
function busy(): Promise<postgres.RowList<postgres.Row[]>> {
  return admin`SELECT pid, state, wait_event_type, query FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'standin' AND state <> 'idle'`;
}

/** Waits until our connections are idle. */
async function expectIdle(): Promise<void> {
  await vi.waitFor(async () => expect(await busy()).toEqual([]), WAIT);
}

/** Locks the records of a collection until `release`: statements that read them wait. */
async function lock(collection: string): Promise<() => Promise<void>> {
  const [member] = await admin`SELECT number FROM standin.members WHERE name = ${collection}`;
  const holder = await admin.reserve();
  await holder.unsafe(`BEGIN; LOCK TABLE standin.${tableName(member!.number as number)} IN ACCESS EXCLUSIVE MODE`);
  return async () => {
    await holder.unsafe("ROLLBACK");
    holder.release();
  };
}

async function untilWaiting(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const waiting = (await busy()).filter(({ wait_event_type }) => wait_event_type === "Lock");
    expect(waiting.length).toBeGreaterThanOrEqual(count);
  }, WAIT);
}

/** Sends a request whose response is not awaited. */
function send(at: string, method: string, path: string, body?: object): ClientRequest {
  const sending = request(`${at}${path}`, { method, agent: false, headers: { "content-type": "application/json" } });
  sending.on("error", () => undefined);
  sending.end(body && JSON.stringify(body));
  return sending;
}

describe("statements that take more than the budget of their request", () => {
  test("are cancelled, and the response gives the reason", { timeout: limit(60_000) }, async () => {
    const { ask } = await serve({ queryBudget: 100 });
    const { ask: askInHaste } = await serve({ queryBudget: 1 });
    const answers = [
      await ask(`GET /items?${SEARCH}`),
      await ask(`GET /items?_aggregate=count&${SEARCH}`),
      await ask(`GET /items?_after=&${SEARCH}`),
      await ask("QUERY /items", { body: { _where: WHERE } }),
      await ask(`PATCH /items?${SEARCH}`, { body: { n: 1 } }),
      await ask(`DELETE /items?${SEARCH}`),
      await ask("POST /__batch", {
        body: { requests: [{ method: "PATCH", path: `/items?${SEARCH}`, body: { n: 1 } }] },
      }),
      // This process tests the records that are not ASCII.
      await askInHaste(`GET /words?${SEARCH}`),
    ];
    expect(answers.map((one) => [one.status, codeOf(one)])).toEqual(answers.map(() => [503, "QUERY_TOO_COSTLY"]));
    // In the database, or on the way there where the machine is busy.
    expect((answers[0]!.body as { message: string }).message).toContain("more than 100 ms");
    await expectIdle();
    const { ask: askAtLeisure } = await serve({ queryBudget: 0 });
    expect((await askAtLeisure("GET /items?n=1")).body).toEqual([]);
    expect((await askAtLeisure("GET /items?_limit=1")).headers.get("x-total-count")).toBe(String(RECORDS));
  });

  test("may wait for a lock: that is no work", async () => {
    const budgetMs = 1000;
    const { ask } = await serve({ queryBudget: budgetMs });
    const release = await lock("companies");
    const answer = ask("GET /companies?name=Acme");
    await untilWaiting(1);
    // Released in the midst of a second budget: what was waited for of it must not count either.
    const since = performance.now();
    while (performance.now() - since < 1.9 * budgetMs) await busy();
    await release();
    expect((await answer).status).toBe(200);
  });

  test("a list without conditions and a budget of 0 have no limit", async () => {
    expect((await (await serve({ queryBudget: 1 })).ask("GET /items")).status).toBe(200);
    expect((await (await serve({ queryBudget: 0 })).ask(`GET /items?id:lte=20&${SEARCH}`)).body).toEqual([]);
  });
});

describe("when the client leaves", () => {
  for (const path of [
    "/items",
    "/items?n=0",
    "/items?_group=n&_aggregate=count",
    "/items?_sort=text&_page=1",
    "/items?no.such:gt=1",
  ]) {
    test(`the statement of GET ${path} ends`, async () => {
      const { url: at, ask } = await serve();
      const release = await lock("items");
      const sent = send(at, "GET", path);
      await untilWaiting(1);
      sent.destroy();
      await expectIdle();
      await release();
      expect((await ask(`GET ${path}`)).status).toBe(200);
    });
  }

  test("a write that is searching its records does not happen", async () => {
    const { url: at, ask } = await serve();
    const release = await lock("items");
    const sent = send(at, "PATCH", "/items?n=0", { n: 1 });
    await untilWaiting(1);
    sent.destroy();
    await expectIdle();
    await release();
    expect((await ask("GET /items?n=1")).body).toEqual([]);
    expect((await ask("PATCH /items?id=1", { body: { n: 0 } })).status).toBe(200);
  });

  test("a write that is being committed happens", async () => {
    const { url: at, ask } = await serve();
    await admin.unsafe(`CREATE FUNCTION standin.hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON standin.writes DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION standin.hold()`);
    onTestFinished(async () => void (await admin`DROP FUNCTION standin.hold() CASCADE`));
    const holder = await admin.reserve();
    await holder`SELECT pg_advisory_lock(1)`;
    const sent = send(at, "PATCH", "/companies?id=1", { name: "Blue" });
    await untilWaiting(1);
    sent.destroy();
    for (let looks = 0; looks < 20; looks++) await busy();
    await untilWaiting(1);
    await holder`SELECT pg_advisory_unlock(1)`;
    holder.release();
    await expectIdle();
    expect((await ask("GET /companies/1")).body).toEqual({ id: 1, name: "Blue" });
  });

  test("200 of them leave no statement behind, and those who stay get their responses", {
    timeout: limit(60_000),
  }, async () => {
    const { url: at, ask } = await serve();
    const release = await lock("items");
    const leaving = Array.from({ length: 200 }, (_, one) =>
      send(at, "GET", `/items?n=0&text:like=%5Elorem.*${one}%20dolor`),
    );
    await untilWaiting(6);
    const staying = Array.from({ length: 30 }, (_, one) => ask(`GET /items?id=${one + 1}`));
    for (const one of leaving) one.destroy();
    // Only those remain that stay.
    await vi.waitFor(async () => {
      const others = (await busy()).filter(({ query }) => (query as string).includes("~"));
      expect(others).toEqual([]);
    }, WAIT);
    await release();
    expect((await Promise.all(staying)).map(({ status }) => status)).toEqual(staying.map(() => 200));
    await expectIdle();
    expect((await ask(`GET /items?n=0&_limit=1`)).status).toBe(200);
  });
});

test("a list of --dialect 1 ends with its client, and has the same budget", async () => {
  const { url: at, ask } = await serve({ dialect: "json-server-1", queryBudget: 1 });
  const release = await lock("items");
  const sent = send(at, "GET", "/items?n=0");
  await untilWaiting(1);
  sent.destroy();
  await expectIdle();
  await release();
  const or = Array.from({ length: 150 }, (_, one) => ({ text: { contains: `nothing ${one}` } }));
  const refused = await ask(`GET /items?_where=${encodeURIComponent(JSON.stringify({ or }))}`);
  expect([refused.status, codeOf(refused)]).toEqual([503, "QUERY_TOO_COSTLY"]);
});

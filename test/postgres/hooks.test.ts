import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../src/index.ts";
import { openPostgres, POSTGRES_DEFAULTS } from "../../src/store/postgres/open-postgres.ts";
import { startReceiver } from "../features/hooks/receiver.ts";
import { limit } from "../support/limits.ts";
import { testAtLength } from "../support/soak.ts";
import { createDatabase } from "./database.ts";

interface Shared {
  readonly sql: postgres.Sql;
  start(options?: Partial<StandinOptions>): Promise<Standin>;
}

/** A database with orders and webhooks, which any number of servers share. */
async function share(common: Partial<StandinOptions>): Promise<Shared> {
  const url = await createDatabase();
  const store = await openPostgres(url, { ...POSTGRES_DEFAULTS, idKey: "id", warn: () => {}, poolSize: 2 });
  await store.swap({ orders: [], webhooks: [] });
  await store.close();
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: "standin" } });
  onTestFinished(() => sql.end());
  const start = async (options: Partial<StandinOptions> = {}): Promise<Standin> => {
    const given = { source: url, persist: true, ...common, ...options };
    const api = await createStandin(given as StandinOptions);
    onTestFinished(() => api.close());
    return api;
  };
  return { sql, start };
}

const CLOCK = { clock: "2030-01-01T00:00:00Z" } as const;
const PAY = {
  name: "pay",
  on: "orders.created",
  after: "1h",
  if: "status=new",
  set: { status: "paid", at: "{{now}}" },
};
const soon = { timeout: limit(10_000) };

describe("on PostgreSQL", () => {
  test("a change and what follows from it belong to all processes, and each job runs once", async () => {
    const { url, received } = await startReceiver();
    const { start } = await share({ hooks: [{ name: "all", on: "*", to: url }], timeline: [PAY] });
    const [a, b] = [await start(CLOCK), await start()];
    await a.request("POST /orders", { body: { status: "new" } });
    expect(await b.jobs()).toMatchObject([{ rule: "all" }, { rule: "pay", dueAt: "2030-01-01T01:00:00.000Z" }]);
    const moved = await b.request("POST /__clock", { body: { advance: "1h" } });
    expect(moved.body).toEqual({ now: "2030-01-01T01:00:00.000Z", kind: "stopped", rate: 0 });
    expect((await a.request("GET /orders")).body).toEqual([{ status: "paid", id: 1, at: "2030-01-01T01:00:00.000Z" }]);
    expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: "orders.created", timestamp: "2030-01-01T00:00:00.000Z", version: 1 },
      { type: "orders.changed", timestamp: "2030-01-01T01:00:00.000Z", before: { status: "new" } },
    ]);
    await expect.poll(() => a.clock.now().toISOString(), soon).toBe("2030-01-01T01:00:00.000Z");
    for (const api of [a, b]) {
      expect(await api.jobs()).toEqual([]);
      expect(await api.deliveries()).toMatchObject([{ event: "orders.changed" }, { event: "orders.created" }]);
    }
    expect((await a.history.list()).versions[0]).toMatchObject({ by: "hook:pay", time: "2030-01-01T01:00:00.000Z" });
  });

  test("the jobs of a change outlive the process that made it, and the lease of one that was sending", async () => {
    const { url, received, statuses } = await startReceiver();
    const hooks = [{ name: "all", on: "*", to: url, after: "1h" }];
    const { start, sql } = await share({ hooks });
    const first = await start(CLOCK);
    await first.request("POST /orders", { body: {} });
    await expect.poll(() => first.jobs(), soon).toHaveLength(1);
    await first.close();
    // As a kill between the commit and the jobs, or while sending, leaves them.
    const [job] = await sql`DELETE FROM jobs RETURNING *`;
    await sql`INSERT INTO unhooked (version) VALUES (1)`;
    const second = await start();
    await expect.poll(() => second.jobs(), soon).toMatchObject([{ id: job!.id, dueAt: "2030-01-01T01:00:00.000Z" }]);
    await second.close();
    const begun = {
      ...JSON.parse(job!.content),
      state: "sending",
      dueAt: 0,
      attempts: [{ number: 1, time: "", durationMs: 0 }],
    };
    await sql`UPDATE jobs SET due_at = 0, is_begun = true, content = ${JSON.stringify(begun)}`;
    await sql`UPDATE lanes SET holder = 'killed', leased_until = now() + interval '30 s'`;
    statuses.push(500);
    const third = await start();
    expect(received).toEqual([]);
    await sql`UPDATE lanes SET leased_until = now()`;
    await third.clock.advance("1h");
    expect(received.map(({ headers }) => headers["x-standin-attempt"])).toEqual(["2", "3"]);
    expect(new Set(received.map(({ headers }) => headers["x-standin-delivery"]))).toEqual(new Set([job!.id]));
  });

  testAtLength("a step whose end was not saved is not taken again", async () => {
    const { start, sql } = await share({ timeline: [{ ...PAY, if: "" }] });
    const first = await start(CLOCK);
    await first.request("POST /orders", { body: {} });
    await first.clock.advance("1h");
    await first.close();
    await sql`UPDATE jobs SET is_open = true, content = replace(content, '"done"', '"waiting"')`;
    const second = await start();
    await second.clock.advance("0s");
    expect(await second.jobs()).toEqual([]);
    const { versions } = await second.history.list();
    expect(versions.filter(({ by }) => by === "hook:pay")).toHaveLength(1);
  });

  test("one delivery at a time goes to a target, whichever process sends it", async () => {
    const { url, received } = await startReceiver();
    const { start } = await share({ hooks: [{ name: "all", on: "orders.created", to: url }] });
    const apis = await Promise.all([start(), start(), start()]);
    await Promise.all(Array.from({ length: 30 }, (_, n) => apis[n % 3]!.request("POST /orders", { body: { n } })));
    await expect.poll(() => received.length, soon).toBe(30);
    expect(new Set(received.map(({ body }) => JSON.parse(body).data.n)).size).toBe(30);
    await expect.poll(() => apis[0]!.deliveries({ status: "done" }), soon).toHaveLength(30);
    expect(received.every(({ headers }) => headers["x-standin-attempt"] === "1")).toBe(true);
  });

  test("the clock is one for all processes, also for a new one", async () => {
    const { start } = await share({});
    const [a, b] = [await start(), await start()];
    await a.clock.set("2040-01-01T00:00:00Z");
    await a.clock.rate(0);
    await expect.poll(() => b.clock.now(), soon).toEqual(a.clock.now());
    expect((await start()).clock.now()).toEqual(a.clock.now());
    await b.clock.real();
    await expect.poll(async () => (await a.request("GET /__clock")).body, soon).toMatchObject({ kind: "real" });
  });

  testAtLength("a reset drops what has not begun, and keeps what has", async () => {
    const { url, statuses } = await startReceiver();
    const { start } = await share({
      hooks: [
        { name: "begun", on: "orders.created", to: url },
        { name: "later", on: "orders.created", to: url, after: "1h" },
      ],
      timeline: [PAY],
    });
    statuses.push(500);
    const api = await start(CLOCK);
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("0s");
    expect((await api.jobs()).map(({ rule }) => rule)).toEqual(["begun", "pay", "later"]);
    const saved = await api.request<{ id: string }>("POST /__snapshots__");
    expect((await api.request(`PUT /__snapshots__/${saved.body.id}`)).status).toBe(200);
    expect((await api.jobs()).map(({ rule }) => rule)).toEqual(["begun"]);
  });

  test("hooks added over HTTP are those of all processes", async () => {
    const { url, received } = await startReceiver();
    const { start } = await share({ hookTargets: [new URL(url).origin] });
    const [a, b] = [await start(), await start()];
    await a.request("POST /__hooks", { body: { name: "late", on: "orders.created", to: url } });
    await expect.poll(async () => (await b.request("GET /__hooks/late")).status, soon).toBe(200);
    await b.request("POST /orders", { body: {} });
    await expect.poll(() => received.length, soon).toBe(1);
    await b.request("DELETE /__hooks/late");
    await expect.poll(async () => (await a.request("GET /__hooks/late")).status, soon).toBe(404);
  });

  testAtLength("subscribers end with 410, and steps that cause each other stop", async () => {
    const { url, statuses } = await startReceiver();
    statuses.push(410);
    const warnings: string[] = [];
    const { start } = await share({
      hooks: [{ name: "all", on: "orders.created", subscribers: "webhooks" }],
      hookTargets: [new URL(url).origin],
      timeline: [{ on: "orders.changed", after: "1s", set: { at: "{{now}}" } }],
      warn: (text: string) => warnings.push(text),
    });
    const api = await start(CLOCK);
    await api.request("POST /webhooks", { body: { url } });
    await api.request("POST /orders", { body: {} });
    await api.request("PATCH /orders/1", { body: { n: 1 } });
    await api.clock.advance("1h");
    expect((await api.request("GET /webhooks/1")).body).toMatchObject({ active: false });
    expect((await api.request("GET /orders/1")).body).toMatchObject({ at: "2030-01-01T00:00:05.000Z" });
    expect(warnings).toEqual([expect.stringContaining("after 5 changes in a row, they stop")]);
  });

  testAtLength("a read-only process leaves jobs to others, and no history means no hooks", async () => {
    const { url, received } = await startReceiver();
    const { start } = await share({ hooks: [{ name: "all", on: "*", to: url }] });
    const writer = await start({ ...CLOCK, hooks: [{ name: "all", on: "*", to: url, after: "1h" }] });
    await writer.request("POST /orders", { body: {} });
    await expect.poll(() => writer.jobs(), soon).toHaveLength(1);
    await writer.close();
    const reader = await start({ readOnly: true });
    await reader.clock.advance("2h");
    const [delivery] = await reader.deliveries();
    const asked = await reader.request(`POST /__deliveries/${delivery!.id}/redeliver`);
    expect(asked).toMatchObject({ status: 403, body: { code: "READ_ONLY" } });
    expect(received).toEqual([]);
    await expect(start({ history: "off" })).rejects.toThrow('"hooks" and "timeline" need the history, which is off');
  });
});

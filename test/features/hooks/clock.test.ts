import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { startReceiver } from "./receiver.ts";

async function start(options: Partial<StandinOptions> = {}): Promise<Standin> {
  const api = await createStandin({ data: { orders: [] }, ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

const STAMPED = { collections: { orders: { timestamps: { created: "created_at" } } } } as const;

describe("the clock", () => {
  test("is real until it is moved, and can be real again", async () => {
    const api = await start();
    const before = Date.now();
    expect(await api.request("GET /__clock")).toMatchObject({
      status: 200,
      body: { kind: "real", rate: 1 },
    });
    const moved = await api.request<{ now: string }>("POST /__clock", { body: { advance: "1h" } });
    expect(moved.body).toMatchObject({ kind: "moved", rate: 1 });
    expect(Date.parse(moved.body.now)).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(await api.request("POST /__clock", { body: { set: "2030-01-01T00:00:00Z" } })).toMatchObject({
      body: { now: expect.stringMatching(/^2030-01-01T00:00:0/) },
    });
    expect(await api.request("POST /__clock", { body: { rate: 0 } })).toMatchObject({ body: { kind: "stopped" } });
    expect(await api.request("POST /__clock", { body: { rate: 60 } })).toMatchObject({
      body: { kind: "moved", rate: 60 },
    });
    expect(await api.request("POST /__clock", { body: { real: true } })).toMatchObject({
      body: { kind: "real" },
    });
  });

  test("decides timestamps, and the times of versions", async () => {
    const api = await start({ ...STAMPED, clock: "2030-01-01T00:00:00Z" });
    await api.clock.advance("1d");
    const made = await api.request("POST /orders", { body: {} });
    expect(made.body).toEqual({ created_at: "2030-01-02T00:00:00.000Z", id: 1 });
    expect((await api.history.list()).versions[0]).toMatchObject({ time: "2030-01-02T00:00:00.000Z" });
    expect((await api.request("GET /__overview")).body).toMatchObject({
      clock: { kind: "stopped", now: "2030-01-02T00:00:00.000Z" },
    });
  });

  test("decides when a rate limit ends", async () => {
    const api = await start({
      clock: "2030-01-01T00:00:00Z",
      middlewares: ["rate-limit"],
      layers: { "rate-limit": { limit: 2, windowSeconds: 60 } },
    });
    const ask = async () => (await api.request("GET /orders")).status;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    await api.clock.advance("2m");
    expect(await ask()).toBe(200);
  });

  test("of a program cannot be moved, and webhooks go on", async () => {
    const { url, received } = await startReceiver();
    const api = await start({ clock: () => 0, hooks: [{ name: "all", on: "*", to: url }] });
    expect(await api.request("POST /__clock", { body: { advance: "1s" } })).toMatchObject({
      status: 409,
      body: { code: "CLOCK_IS_PROGRAM" },
    });
    await api.request("POST /orders", { body: {} });
    await api.waitForDelivery({ status: "done" });
    expect(received).toHaveLength(1);
  });

  test.each([
    {},
    { advance: "soon" },
    { set: "soon" },
    { rate: -1 },
    { rate: "fast" },
    { real: false },
    { advance: "1s", rate: 2 },
    { set: "+275760-09-14" },
  ])("is not moved by %j", async (body) => {
    const api = await start();
    expect(await api.request("POST /__clock", { body })).toMatchObject({
      status: 400,
      body: { code: "CLOCK_INVALID" },
    });
    expect((await api.request("GET /__clock")).body).toMatchObject({ kind: "real" });
  });

  test("runs what is due in order of time, and what that causes", async () => {
    const api = await start({
      clock: "2030-01-01T00:00:00Z",
      timeline: [
        { name: "second", on: "orders.created", after: "20s", set: { second: "{{now}}" } },
        { name: "first", on: "orders.created", after: "10s", set: { first: "{{now}}" } },
        { name: "third", on: "orders.changed", if: "second:ne=", after: "5s", set: { third: "{{now}}", n: 1 } },
      ],
    });
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("27s");
    expect((await api.request("GET /orders/1")).body).toEqual({
      id: 1,
      first: "2030-01-01T00:00:10.000Z",
      second: "2030-01-01T00:00:20.000Z",
      third: "2030-01-01T00:00:25.000Z",
      n: 1,
    });
  });

  test("runs nothing when it is set to an earlier time, and keeps what is due", async () => {
    const api = await start({
      clock: "2030-01-01T00:00:00Z",
      timeline: [{ on: "orders.created", after: "10s", set: { late: true } }],
    });
    await api.request("POST /orders", { body: {} });
    await api.clock.set("2029-01-01T00:00:00Z");
    expect(await api.jobs()).toMatchObject([{ dueAt: "2030-01-01T00:00:10.000Z" }]);
    await api.clock.set("2030-01-01T00:00:10Z");
    expect((await api.request("GET /orders/1")).body).toEqual({ id: 1, late: true });
  });

  test("stops after 1,000 jobs, and says how many are left", async () => {
    const api = await start({
      clock: "2030-01-01T00:00:00Z",
      timeline: [{ on: "orders.created", after: "1s", remove: true }],
    });
    for (const length of [1000, 100]) {
      await api.batch(Array.from({ length }, () => ({ method: "POST", path: "/orders", body: {} })));
    }
    const { status, body: refusal } = await api.request("POST /__clock", { body: { advance: "1m" } });
    expect([status, refusal]).toMatchObject([409, { code: "CLOCK_BUSY", left: 100, now: "2030-01-01T00:00:01.000Z" }]);
    await api.clock.advance("1m");
    expect((await api.request("GET /orders")).body).toEqual([]);
  });

  test("wakes by itself where time runs", async () => {
    const { url, received } = await startReceiver();
    const api = await start({ hooks: [{ name: "all", on: "*", to: url, after: "1h" }] });
    await api.request("POST /orders", { body: {} });
    await api.clock.rate(1_000_000);
    await api.waitForDelivery({ status: "done" });
    expect(received).toHaveLength(1);
  });
});

describe("a sandbox", () => {
  test("has its own time, jobs and deliveries, and takes over the time of the main data", async () => {
    const { url, received } = await startReceiver();
    const api = await start({
      ...STAMPED,
      clock: "2030-01-01T00:00:00Z",
      hooks: [
        { name: "main", on: "orders.created", to: url },
        { name: "every", on: "orders.created", to: url, sandboxes: true },
      ],
      timeline: [{ on: "orders.created", after: "1h", set: { status: "paid" } }],
    });
    await api.clock.advance("1d");
    const boxes = Array.from({ length: 50 }, () => api.sandbox());
    await Promise.all(
      boxes.map(async (box, index) => {
        expect(box.clock.now().toISOString()).toBe("2030-01-02T00:00:00.000Z");
        await box.clock.advance(`${index}h`);
        await box.request("POST /orders", { body: { index } });
        await box.clock.advance(index % 2 === 0 ? "1h" : "59m");
      }),
    );
    for (const [index, box] of boxes.entries()) {
      const created_at = new Date(Date.parse("2030-01-02T00:00:00Z") + index * 3_600_000).toISOString();
      const status = index % 2 === 0 ? { status: "paid" } : {};
      expect((await box.request("GET /orders")).body).toEqual([{ index, created_at, id: 1, ...status }]);
      expect(await box.deliveries()).toMatchObject([{ hook: "every", status: "done" }]);
    }
    expect((await api.request("GET /orders")).body).toEqual([]);
    expect(api.clock.now().toISOString()).toBe("2030-01-02T00:00:00.000Z");
    expect(await api.deliveries()).toEqual([]);
    expect(new Set(received.map(({ headers }) => headers["x-standin-sandbox"]))).toEqual(
      new Set(boxes.map(({ name }) => name)),
    );
  });

  test("has layers that go by its time", async () => {
    const api = await start({
      clock: "2030-01-01T00:00:00Z",
      middlewares: ["rate-limit"],
      layers: { "rate-limit": { limit: 1, windowSeconds: 60 } },
    });
    const box = api.sandbox();
    const ask = async (scope: Pick<Standin, "request">) => (await scope.request("GET /orders")).status;
    expect([await ask(api), await ask(box)]).toEqual([200, 429]);
    await box.clock.advance("2m");
    expect([await ask(api), await ask(box)]).toEqual([429, 200]);
  });

  test("writes of a program follow its clock, too", async () => {
    const api = await start({ ...STAMPED, clock: "2030-01-01T00:00:00Z" });
    const box = api.sandbox();
    await box.clock.advance("1h");
    expect(await box.db.orders!.create({})).toMatchObject({ created_at: "2030-01-01T01:00:00.000Z" });
    expect(await api.db.orders!.create({})).toMatchObject({ created_at: "2030-01-01T00:00:00.000Z" });
  });
});

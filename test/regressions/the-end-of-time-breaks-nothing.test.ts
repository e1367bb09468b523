import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../src/index.ts";

const RANGE = "0001-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z";
const TIMELINE = [{ on: "orders.created", after: "1000d", set: { late: "{{now}}" } }];

async function start(options: Partial<StandinOptions> = {}): Promise<Standin> {
  const api = await createStandin({ data: { orders: [] }, timeline: TIMELINE, ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

const REFUSED = [
  { set: "+275760-09-12T23:59:59.999Z" },
  { set: "+010000-01-01T00:00:00Z" },
  { set: "0000-12-31T23:59:59Z" },
  { set: "-271821-04-20T00:00:00Z" },
  { advance: "999999999d" },
  { advance: "3000000d" },
];

describe.each(["", "/__sandbox/s"])("the clock of %j", (base) => {
  test.each(REFUSED)("is not moved by %j", async (body) => {
    const api = await start();
    expect(await api.request(`POST ${base}/__clock`, { body })).toMatchObject({
      status: 400,
      body: { code: "CLOCK_INVALID", message: expect.stringContaining(RANGE) },
    });
    expect((await api.request(`GET ${base}/__clock`)).body).toMatchObject({ kind: "real" });
  });

  test.each(["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])("serves every route at %s", async (time) => {
    const api = await start();
    await api.request(`GET ${base}/orders`);
    // So fast that the end of time would be a second away.
    for (const body of [{ rate: 1_000_000 }, { set: time }, { rate: 0 }]) {
      expect((await api.request(`POST ${base}/__clock`, { body })).status).toBe(200);
    }
    expect((await api.request(`POST ${base}/orders`, { body: {} })).status).toBe(201);
    for (const path of ["/__history", "/__jobs", "/__deliveries", "/__clock", "/__overview", "/orders"]) {
      expect([path, (await api.request(`GET ${base}${path}`)).status]).toEqual([path, 200]);
    }
  });
});

test("a fast clock stands still at the end of time", async () => {
  const api = await start();
  await api.clock.set("9999-12-31T00:00:00Z");
  await api.clock.rate(1_000_000);
  await expect
    .poll(async () => (await api.request<{ now: string }>("GET /__clock")).body.now)
    .toBe("9999-12-31T23:59:59.999Z");
  expect((await api.request("POST /orders", { body: {} })).status).toBe(201);
  expect((await api.request("GET /__history")).status).toBe(200);
});

test.each<[Partial<StandinOptions>, string]>([
  [{ clock: "+275760-09-12T23:59:59.999Z" }, `clock: "+275760-09-12T23:59:59.999Z" is not from ${RANGE}`],
  [
    { timeline: [{ on: "orders.created", after: "999999999d", remove: true }] },
    '"timeline[0].after" is "999999999d"; the longest is 36500d.',
  ],
  [{ hooks: [{ name: "a", on: "*", to: "http://127.0.0.1:9/", after: "36501d" }] }, '"hooks[0].after" is "36501d"'],
])("a start with %j is refused", async (options, message) => {
  await expect(start(options)).rejects.toThrow(message);
});

test.each([{ after: "999999999d" }, { faults: [{ fault: "delay", ms: Number.MAX_SAFE_INTEGER }] }])(
  "a hook with %j is refused",
  async (keys) => {
    const api = await start();
    const body = { name: "a", on: "*", to: "http://127.0.0.1:9/", ...keys };
    expect(await api.request("POST /__hooks", { body })).toMatchObject({ status: 400, body: { code: "HOOK_INVALID" } });
  },
);

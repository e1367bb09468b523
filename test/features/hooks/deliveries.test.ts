import { createHmac } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { startReceiver } from "./receiver.ts";

async function start(options: Partial<StandinOptions>): Promise<Standin> {
  const given = { data: { orders: [] }, clock: "2030-01-01T00:00:00Z", ...options };
  const api = await createStandin(given as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

test("five retries come 1 s, 5 s, 30 s, 2 min and 10 min after the attempt before", async () => {
  const { url, statuses } = await startReceiver();
  statuses.push(...Array<number>(6).fill(500));
  const api = await start({ hooks: [{ name: "all", on: "*", to: url }] });
  await api.request("POST /orders", { body: {} });
  await api.clock.advance("1h");
  const [failed] = await api.deliveries({ status: "failed" });
  const times = failed!.attempts.map(({ time }) => time.slice(11, 19));
  expect(times).toEqual(["00:00:00", "00:00:01", "00:00:06", "00:00:36", "00:02:36", "00:12:36"]);
});

test("what is due at one time happens in the order of creation", async () => {
  const { url, received } = await startReceiver();
  const api = await start({
    hooks: [
      { name: "b", on: "*", to: `${url}/b` },
      { name: "a", on: "*", to: `${url}/a` },
    ],
  });
  for (const n of [1, 2]) await api.request("POST /orders", { body: { n } });
  await api.clock.advance("0s");
  const order = received.map((one) => [one.url, JSON.parse(one.body).data.n]);
  expect(order).toEqual([
    ["/hook/b", 1],
    ["/hook/a", 1],
    ["/hook/b", 2],
    ["/hook/a", 2],
  ]);
});

test("a plain HMAC signs the body", async () => {
  const { url, received } = await startReceiver();
  const api = await start({ hooks: [{ name: "all", on: "*", to: url, sign: { as: "hmac", secret: "s3cret" } }] });
  await api.request("POST /orders", { body: { note: "é" } });
  await api.clock.advance("1s");
  const { headers, body } = received[0]!;
  expect(headers["x-signature"]).toBe(`sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`);
  expect(headers).not.toHaveProperty("authorization");
});

test("deliveries are listed by hook and status, and long bodies are cut", async () => {
  const { url, statuses } = await startReceiver();
  statuses.push(500);
  const hooks = ["paid", "other"].map((name) => ({ name, on: "orders.created", to: `${url}/${name}`, retry: 0 }));
  const api = await start({ hooks });
  await api.request("POST /orders", { body: { text: "x".repeat(20_000) } });
  await api.clock.advance("1s");
  const list = async (query: string): Promise<unknown> => {
    const { body } = await api.request<{ deliveries: { hook: string }[] }>(`GET /__deliveries?${query}`);
    return body.deliveries.map(({ hook }) => hook);
  };
  expect(await list("hook=paid&status=failed")).toEqual(["paid"]);
  expect(await list("hook=paid&status=done")).toEqual([]);
  expect(await list("event=orders.created")).toEqual(["other", "paid"]);
  expect(await api.request("GET /__deliveries?status=lost")).toMatchObject({
    status: 400,
    body: { code: "QUERY_INVALID", message: expect.stringContaining("waiting, sending, done, failed, skipped") },
  });
  const [delivery] = await api.deliveries({ hook: "paid" });
  expect(delivery!.body).toHaveLength(10_001);
  expect(delivery!.body.endsWith("x…")).toBe(true);
});

test("a step whose record is gone is skipped, and a reset keeps a delivery that has begun", async () => {
  const { url, received, statuses } = await startReceiver();
  statuses.push(500);
  const api = await start({
    hooks: [
      { name: "begun", on: "orders.created", to: url },
      { name: "later", on: "orders.created", to: url, after: "1h" },
    ],
    timeline: [{ name: "pay", on: "orders.created", after: "1m", set: { status: "paid" } }],
  });
  await api.request("POST /orders", { body: {} });
  await api.request("DELETE /orders/1");
  await api.clock.advance("0s");
  expect((await api.jobs()).map(({ rule }) => rule)).toEqual(["begun", "pay", "later"]);
  await api.clock.advance("1m");
  const { body } = await api.request("GET /__jobs?status=skipped");
  expect(body).toMatchObject({ jobs: [{ rule: "pay", reason: "The record is gone." }] });

  statuses.push(500);
  await api.request("POST /orders", { body: {} });
  await api.clock.advance("0s");
  await api.reset();
  expect((await api.jobs()).map(({ rule }) => rule)).toEqual(["begun"]);
  const before = received.length;
  await api.clock.advance("2h");
  expect(received).toHaveLength(before + 1);
});

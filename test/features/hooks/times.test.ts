import { expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";

async function start(options: Partial<StandinOptions> = {}): Promise<Standin> {
  const api = await createStandin({ data: { orders: [] }, ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

const PAY = { name: "pay", on: "orders.created", after: "1h", set: { status: "paid" } };

test("the header Date and the expiry of sandboxes follow real time", async () => {
  const api = await start();
  const box = api.sandbox();
  await box.request("POST /orders", { body: {} });
  for (const clock of [api.clock, box.clock]) await clock.advance("400d");
  const { status, headers } = await fetch(`${api.url}/__sandbox/${box.name}/orders/1`);
  expect(status).toBe(200);
  expect(Date.parse(headers.get("date") ?? "") - Date.now()).toBeLessThan(86_400_000);
});

test("the response to a request with a key is forgotten by the clock of its scope", async () => {
  const api = await start({ clock: "2030-01-01T00:00:00Z" });
  const box = api.sandbox();
  const post = async (scope: Pick<Standin, "request">): Promise<unknown> => {
    const { body } = await scope.request<{ id: number }>("POST /orders", {
      body: {},
      headers: { "Idempotency-Key": "one" },
    });
    return body.id;
  };
  expect([await post(api), await post(api), await post(box), await post(box)]).toEqual([1, 1, 1, 1]);
  await box.clock.advance("30d");
  expect([await post(api), await post(box)]).toEqual([1, 2]);
});

test("a sandbox takes over the rate, and its jobs end with it", async () => {
  const api = await start({ timeline: [PAY] });
  await api.clock.set("2030-01-01T00:00:00Z");
  await api.clock.rate(0);
  const box = api.sandbox("ann");
  expect((await box.request("GET /__clock")).body).toMatchObject({ kind: "stopped", rate: 0 });
  await box.clock.advance("1d");
  await box.request("POST /orders", { body: {} });
  expect(await box.jobs()).toHaveLength(1);
  expect((await api.request("DELETE /__sandboxes/ann")).status).toBeLessThan(300);
  const again = api.sandbox("ann");
  expect(await again.jobs()).toEqual([]);
  expect(again.clock.now()).toEqual(api.clock.now());
});

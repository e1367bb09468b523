import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { limit } from "../../support/limits.ts";
import { somePort } from "../../support/some-port.ts";

test("two servers that post to each other stop after five webhooks in a row", async () => {
  const warnings: string[] = [];
  const ports = [somePort(), somePort()];
  const start = async (own: number, other: number): Promise<Standin> => {
    const api = await createStandin<JsonObject>({
      data: { orders: [] },
      port: own,
      hooks: [{ name: "other", on: "orders.created", to: `http://127.0.0.1:${other}/orders` }],
      warn: (text: string) => warnings.push(text),
    });
    onTestFinished(() => api.close());
    return api;
  };
  const [a, b] = [await start(ports[0]!, ports[1]!), await start(ports[1]!, ports[0]!)];
  await a.request("POST /orders", { body: {} });
  await expect
    .poll(() => warnings, { timeout: limit(10_000) })
    .toEqual([expect.stringContaining("after 5 changes in a row, they stop")]);
  const counts = await Promise.all([a, b].map(async (api) => (await api.request<[]>("GET /orders")).body.length));
  expect(counts).toEqual([3, 3]);
  // A depth that makes no sense counts as none.
  await a.request("POST /orders", { body: {}, headers: { "X-Standin-Depth": "soon" } });
  await expect.poll(() => warnings.length, { timeout: limit(10_000) }).toBe(2);
  await a.request("POST /orders", { body: {}, headers: { "X-Standin-Depth": "5" } });
  await expect.poll(() => warnings.length, { timeout: limit(10_000) }).toBe(3);
  expect((await b.request<[]>("GET /orders")).body).toHaveLength(6);
});

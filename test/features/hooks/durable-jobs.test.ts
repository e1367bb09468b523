import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { imageOf } from "../../durability/place.ts";
import { createFolder } from "../../support/cli.ts";
import { deliverOverKills } from "./kills.ts";
import { startReceiver } from "./receiver.ts";

async function serve(folder: string, options: Partial<StandinOptions>): Promise<Standin> {
  const source = join(folder, "db.json");
  const api = await createStandin({ source, persist: true, ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

const TIMELINE = { timeline: [{ name: "pay", on: "orders.created", after: "1h", set: { status: "paid" } }] };

test("jobs outlive a kill, also those of a change that were not noted yet", async () => {
  const folder = createFolder({ "db.json": { orders: [] } });
  const first = await serve(folder, TIMELINE);
  const empty = readFileSync(join(folder, ".standin/db.json.jobs"));
  await first.request("POST /orders", { body: {} });
  await first.clock.advance("0s");
  const [job] = await first.jobs();
  const noted = imageOf(folder);
  const unnoted = imageOf(folder);
  writeFileSync(join(unnoted, ".standin/db.json.jobs"), empty);
  for (const image of [noted, unnoted]) {
    const again = await serve(image, TIMELINE);
    expect(await again.jobs()).toEqual([job]);
    await again.clock.advance("1h");
    expect((await again.request("GET /orders/1")).body).toEqual({ id: 1, status: "paid" });
    await again.close();
    const last = await serve(image, TIMELINE);
    expect(await last.jobs()).toEqual([]);
  }
});

test("a step whose end was not noted before a kill is not taken again", async () => {
  const folder = createFolder({ "db.json": { orders: [] } });
  const first = await serve(folder, TIMELINE);
  await first.request("POST /orders", { body: {} });
  await first.clock.advance("0s");
  const before = readFileSync(join(folder, ".standin/db.json.jobs"));
  await first.clock.advance("1h");
  const image = imageOf(folder);
  writeFileSync(join(image, ".standin/db.json.jobs"), before);
  const again = await serve(image, TIMELINE);
  expect(await again.jobs()).toHaveLength(1);
  await again.clock.advance("1h");
  expect(await again.jobs()).toEqual([]);
  const { versions } = await again.history.list();
  expect(versions.filter(({ by }) => by === "hook:pay")).toHaveLength(1);
});

test("a read-only server runs nothing that an earlier run has left", async () => {
  const folder = createFolder({ "db.json": { orders: [] } });
  const first = await serve(folder, TIMELINE);
  await first.request("POST /orders", { body: {} });
  await first.close();
  const reader = await serve(folder, { ...TIMELINE, readOnly: true });
  await reader.clock.advance("2h");
  expect((await reader.request("GET /orders/1")).body).toEqual({ id: 1 });
});

test("the clock stands where it stood, where there are jobs", async () => {
  const folder = createFolder({ "db.json": { orders: [] } });
  const first = await serve(folder, TIMELINE);
  await first.clock.set("2040-01-01T00:00:00Z");
  await first.clock.rate(0);
  const stood = first.clock.now();
  await first.close();
  const second = await serve(folder, TIMELINE);
  expect(second.clock.now()).toEqual(stood);
});

test("a webhook whose attempt a kill cut off is sent again under its id, with the next number", async () => {
  const { url, received, statuses } = await startReceiver();
  statuses.push(500);
  const options = { hooks: [{ name: "all", on: "*", to: url }] };
  const folder = createFolder({ "db.json": { orders: [] } });
  const first = await serve(folder, options);
  await first.request("POST /orders", { body: {} });
  await expect.poll(async () => (await first.deliveries())[0]?.attempts[0]?.status).toBe(500);
  const image = imageOf(folder);
  await first.close();
  const second = await serve(image, options);
  await second.clock.advance("1h");
  expect(received.map(({ headers }) => headers["x-standin-attempt"])).toEqual(["1", "2"]);
  expect(new Set(received.map(({ headers }) => headers["x-standin-delivery"])).size).toBe(1);
});

test("60 deliveries over 3 kills: each at least once", async () => {
  await deliverOverKills(3, 60);
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { dataIn, imageOf } from "../../durability/place.ts";
import { createFolder } from "../../support/cli.ts";
import { IS_SOAK } from "../../support/soak.ts";
import { deliverOverKills } from "./kills.ts";
import { startReceiver } from "./receiver.ts";

async function serve(folder: string, options: Partial<StandinOptions>): Promise<Standin> {
  const source = join(folder, "db.json");
  const api = await createStandin({ source, persist: true, ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

const TIMELINE = { timeline: [{ name: "pay", on: "orders.created", after: "1h", set: { status: "paid" } }] };

test.each(IS_SOAK ? ["1000", "1", "off"] : ["off"])(
  "jobs outlive a kill, also unnoted ones, with --history %s",
  async (history) => {
    const folder = createFolder({ "db.json": { orders: [] } });
    const options = { ...TIMELINE, history };
    const first = await serve(folder, options);
    const empty = readFileSync(join(folder, ".standin/db.json.jobs"));
    await first.request("POST /orders", { body: {} });
    await first.request("PATCH /orders/1", { body: { note: "later" } });
    const [job] = await first.jobs();
    const noted = imageOf(folder);
    const unnoted = imageOf(folder);
    writeFileSync(join(unnoted, ".standin/db.json.jobs"), empty);
    for (const image of [noted, unnoted]) {
      const again = await serve(image, options);
      expect(await again.jobs()).toEqual([job]);
      await again.clock.advance("1h");
      expect((await again.request("GET /orders/1")).body).toEqual({ id: 1, note: "later", status: "paid" });
      await again.close();
      const last = await serve(image, options);
      expect(await last.jobs()).toEqual([]);
      // Without a history, each run counts its versions anew: this change has a number that an earlier one had.
      const log = readFileSync(join(image, ".standin/db.json.jobs"));
      await last.request("POST /orders", { body: {} });
      const killed = imageOf(image);
      writeFileSync(join(killed, ".standin/db.json.jobs"), log);
      expect(await (await serve(killed, options)).jobs()).toMatchObject([{ record: 2 }]);
    }
  },
);

test.each(IS_SOAK ? ["1000", "off"] : ["1000"])(
  "a webhook of an unnoted change says what was before, with --history %s",
  async (history) => {
    const { url, received } = await startReceiver();
    const options = { history, hooks: [{ name: "all", on: "orders.changed", if: "before.n=1", to: url, after: "1h" }] };
    const folder = createFolder({ "db.json": { orders: [{ id: 1, n: 1 }, { id: 2 }] } });
    const first = await serve(folder, options);
    const empty = readFileSync(join(folder, ".standin/db.json.jobs"));
    await first.request("DELETE /orders/2");
    await first.request("PATCH /orders/1", { body: { n: 2 }, headers: { "X-Standin-Depth": "3" } });
    const image = imageOf(folder);
    writeFileSync(join(image, ".standin/db.json.jobs"), empty);
    const [made] = await first.jobs();
    const again = await serve(image, options);
    expect(await again.jobs()).toEqual([made]);
    await again.clock.advance("1h");
    expect(JSON.parse(received[0]!.body)).toMatchObject({ data: { id: 1, n: 2 }, before: { id: 1, n: 1 } });
    expect(received[0]!.headers["x-standin-depth"]).toBe("4");
  },
);

test.each(IS_SOAK ? ["1000", "off"] : ["1000"])(
  "what a reset has dropped does not come back after a kill, with --history %s",
  async (history) => {
    const folder = createFolder({ "db.json": { orders: [] } });
    const options = { ...TIMELINE, history };
    const first = await serve(folder, options);
    await first.request("POST /orders", { body: {} });
    expect(await first.jobs()).toHaveLength(1);
    const before = readFileSync(join(folder, ".standin/db.json.jobs"));
    await first.reset();
    const image = imageOf(folder);
    writeFileSync(join(image, ".standin/db.json.jobs"), before);
    expect(await (await serve(image, options)).jobs()).toEqual([]);
  },
);

test("the journal keeps a change until its jobs are noted", async () => {
  const folder = createFolder({ "db.json": { orders: [] } });
  const journal = (): string => readFileSync(join(folder, ".standin/db.json.journal"), "utf8");
  let note = (): void => undefined;
  let isAsked = false;
  const noted = new Promise<void>((resolve) => {
    note = resolve;
  });
  const store = await openStore(join(folder, "db.json"), {
    idKey: "id",
    durability: "process",
    followsOutside: false,
    memory: false,
    warn: () => {},
    jobsBy: Date,
  });
  store.openLog?.("jobs", () => {
    isAsked = true;
    return noted;
  });
  await store.apply({ kind: "create", collection: "orders", bodies: [{ n: 1 }] });
  const closing = store.close();
  await expect.poll(() => isAsked).toBe(true);
  expect(dataIn(folder)).toEqual({ orders: [{ id: 1, n: 1 }] });
  expect(journal()).toContain('"n":1');
  note();
  await closing;
  expect(existsSync(join(folder, ".standin/db.json.journal"))).toBe(false);
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

test("a read-only server runs and sends nothing that an earlier run has left, or that it is asked for", async () => {
  const { url, received } = await startReceiver();
  const options = { ...TIMELINE, hooks: [{ name: "all", on: "*", to: url, after: "1h" }] };
  const folder = createFolder({ "db.json": { orders: [] } });
  const first = await serve(folder, options);
  await first.request("POST /orders", { body: {} });
  const [job] = await first.jobs();
  await first.close();
  const reader = await serve(folder, { ...options, readOnly: true });
  await reader.clock.advance("2h");
  const refused = ["POST /orders", `POST /__deliveries/${job!.id}/redeliver`, "POST /__hooks"] as const;
  for (const line of refused) {
    expect(await reader.request(line, { body: {} })).toMatchObject({ status: 403, body: { code: "READ_ONLY" } });
  }
  expect((await reader.request("GET /orders/1")).body).toEqual({ id: 1 });
  expect(received).toEqual([]);
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
  await second.close();
  const third = await serve(folder, {});
  expect((await third.request("GET /__clock")).body).toMatchObject({ kind: "real" });
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

test("20 deliveries over a kill, without a history: each at least once", async () => {
  await deliverOverKills(1, 20, ["--history", "off"]);
});

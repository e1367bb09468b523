import { expect, test } from "vitest";
import { startReceiver } from "../features/hooks/receiver.ts";
import { type AskOptions, askAt } from "../support/api.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { startMetered } from "../support/metered-server.ts";

const CLOCK = "2030-01-01T00:00:00Z";
const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=256" };

/** Two requests of some kilobytes each; all subscribers together hear of more changes than any memory holds. */
const PRODUCTS = [
  ["subscribers times records", "orders.created", { url: "http://127.0.0.1:9/" }, {}],
  [
    "subscribers times records that nobody wants to hear of",
    "orders.created",
    { url: "http://127.0.0.1:9/", events: ["orders.removed"] },
    {},
  ],
  ["subscribers times the length of a record", "*", { url: "http://127.0.0.1:9/" }, { text: "x".repeat(1900) }],
] as const;

test.each(PRODUCTS)(
  "%s: the server goes on, and so does the next start",
  async (_name, on, subscriber, order) => {
    const hooks = [{ name: "all", on, subscribers: "webhooks" }];
    const folder = createFolder({
      "standin.json": { source: "db.json", hooks },
      "db.json": { orders: [], webhooks: [] },
    });
    const first = await serveCli(["--clock", CLOCK], folder, SMALL_HEAP);
    const post = (line: string, body: object): Promise<number> =>
      askAt(first.url, line, { body: Array(5000).fill(body) } satisfies AskOptions).then(({ status }) => status);
    expect(await post("POST /webhooks", subscriber)).toBe(201);
    expect(await post("POST /orders", order)).toBe(201);
    // Asked for when the jobs of earlier changes are made.
    expect((await askAt(first.url, "GET /__jobs")).body).toMatchObject({ jobs: [] });
    first.child.kill("SIGKILL");
    await first.exit;
    const second = await serveCli(["--clock", CLOCK], folder, SMALL_HEAP);
    expect((await askAt(second.url, "GET /orders?_limit=1")).headers.get("x-total-count")).toBe("5000");
    expect((await askAt(second.url, "GET /__jobs")).body).toMatchObject({ jobs: [] });
    await second.stop();
  },
  limit(60_000),
);

const STEP = { on: "big.changed", after: "1h", set: { late: true } };

/** What the server does for a bulk write of so many records and what follows it, in milliseconds of CPU time. */
async function workFor(count: number, to: string, isOver: () => boolean, ...args: string[]): Promise<number> {
  const hooks = [{ name: "all", on: "big.changed", to }];
  const folder = createFolder({ "standin.json": { hooks, timeline: [STEP] } });
  const big = Array.from({ length: count }, (_, at) => ({ id: at + 1, text: "x".repeat(80) }));
  const server = await startMetered({ big }, "--config", `${folder}/standin.json`, ...args);
  await server.turns();
  expect((await askAt(server.url, "PATCH /big?_all=true", { body: { v: 1 } })).status).toBe(200);
  // Asked for when the jobs of earlier changes are made.
  expect((await askAt(server.url, "GET /__jobs?status=done")).status).toBe(200);
  await expect.poll(isOver, { timeout: limit(100_000) }).toBe(true);
  const { sum } = await server.turns();
  await server.stop();
  return sum;
}

test(
  "the webhooks and steps of a bulk write are made in proportion to its records",
  async () => {
    const make = (count: number): Promise<number> =>
      workFor(count, "http://127.0.0.1:9/", () => true, "--clock", CLOCK);
    const few = await make(10_000);
    expect(await make(40_000)).toBeLessThan(8 * few);
  },
  limit(120_000),
);

test(
  "webhooks are sent in proportion to their number, also while steps wait behind them",
  async () => {
    const { url, received } = await startReceiver();
    const send = (count: number): Promise<number> => {
      received.length = 0;
      return workFor(count, url, () => received.length === count);
    };
    const few = await send(1500);
    expect(await send(6000)).toBeLessThan(8 * few);
  },
  limit(240_000),
);

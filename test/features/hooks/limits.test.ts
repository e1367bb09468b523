import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { startReceiver } from "./receiver.ts";

async function start(options: Partial<StandinOptions>): Promise<Standin & { readonly warnings: string[] }> {
  const warnings: string[] = [];
  const data = { orders: [], webhooks: [] };
  const warn = (text: string): void => void warnings.push(text);
  const api = await createStandin({ data, clock: "2030-01-01T00:00:00Z", warn, ...options } as StandinOptions);
  onTestFinished(() => api.close());
  return Object.assign(api, { warnings });
}

const JSON_TEXT = { "Content-Type": "application/json" };

test("while time stands still, a webhook waits for a move, and one that is asked for does not", async () => {
  const { url, received } = await startReceiver();
  const api = await start({ hooks: [{ name: "all", on: "orders.created", to: url }] });
  await api.request("POST /orders", { body: {} });
  await api.request("POST /orders", { body: {} });
  expect(await api.jobs()).toMatchObject([{ status: "waiting" }, { status: "waiting" }]);
  await api.clock.set("2029-01-01T00:00:00Z");
  expect(received).toEqual([]);
  expect(await api.jobs()).toMatchObject([{ dueAt: "2030-01-01T00:00:00.000Z" }, { status: "waiting" }]);
  await api.clock.set("2030-01-01T00:00:00Z");
  expect(received).toHaveLength(2);
  const [last] = await api.deliveries();
  await api.request("POST /orders", { body: {} });
  await api.request(`POST /__deliveries/${last!.id}/redeliver`);
  await expect.poll(() => received.length).toBe(3);
  expect(received[2]?.headers["x-standin-attempt"]).toBe("2");
});

test("webhooks that no memory has room for are left out, and the write succeeds", async () => {
  const hooks = [{ name: "all", on: "orders.created", subscribers: "webhooks" }];
  const webhooks = Array.from({ length: 100 }, (_, n) => ({ id: n + 1, url: `http://127.0.0.1:9/${n}` }));
  const api = await start({ data: { orders: [], webhooks }, hooks });
  const made = await api.request("POST /orders", { body: { text: "x".repeat(900_000) } });
  expect(made.status).toBe(201);
  await expect.poll(() => api.warnings).toEqual([expect.stringContaining("none of them is sent")]);
  expect(await api.jobs()).toEqual([]);
});

test("of thousands of webhooks that wait, the latest 500 are shown", async () => {
  const api = await start({ hooks: [{ name: "all", on: "orders.created", to: "http://127.0.0.1:9/" }] });
  await api.request("POST /orders", { body: Array.from({ length: 600 }, () => ({})) });
  expect(await api.jobs()).toHaveLength(600);
  const shown = await api.deliveries({ status: "waiting" });
  expect([shown.length, shown[0]?.record, shown.at(-1)?.record]).toEqual([500, 600, 101]);
});

test("a receiver that never ends its response, or sends a redirect, holds nothing up", async () => {
  const paths: string[] = [];
  const server = createServer((req, res) => {
    paths.push(String(req.url));
    req.resume();
    if (req.url === "/endless") res.writeHead(200, JSON_TEXT).write("[");
    else res.writeHead(307, { Location: "/elsewhere" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const hooks = ["endless", "redirect"].map((name) => ({
    name,
    on: "orders.created",
    to: `http://127.0.0.1:${port}/${name}`,
    retry: 0,
  }));
  const api = await start({ hooks });
  await api.request("POST /orders", { body: {} });
  await api.clock.advance("1s");
  expect((await api.deliveries()).map(({ hook, status, reason }) => [hook, status, reason])).toEqual([
    ["redirect", "failed", "The receiver responded 307."],
    ["endless", "done", undefined],
  ]);
  expect(paths).toEqual(["/endless", "/redirect"]);
});

test("the clock moves on only when a delivery that is under way has ended", async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const order: string[] = [];
  const server = createServer(async (req, res) => {
    req.resume();
    order.push("begun");
    await gate;
    order.push("ended");
    res.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const api = await start({ hooks: [{ name: "all", on: "orders.created", to: `http://127.0.0.1:${port}/` }] });
  await api.clock.rate(1);
  await api.request("POST /orders", { body: {} });
  await expect.poll(() => order).toEqual(["begun"]);
  const moving = api.clock.advance("1h").then(() => order.push("moved"));
  open();
  await moving;
  expect(order).toEqual(["begun", "ended", "moved"]);
});

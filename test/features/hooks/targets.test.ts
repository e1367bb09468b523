import { describe, expect, onTestFinished, test } from "vitest";
import { lookupFor, TargetRefused } from "../../../src/features/hooks/targets.ts";
import { createStandin } from "../../../src/index.ts";
import { somePort } from "../../support/some-port.ts";
import { startReceiver } from "./receiver.ts";

async function outcomeOf(to: string): Promise<string | undefined> {
  const hooks = [{ name: "all", on: "*", to, retry: 0 }];
  const api = await createStandin({ data: { orders: [] }, clock: "2030-01-01T00:00:00Z", hooks });
  onTestFinished(() => api.close());
  await api.request("POST /orders", { body: {} });
  await api.clock.advance("1s");
  return (await api.deliveries())[0]?.reason;
}

describe("a webhook is not sent to", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1]/",
    "http://0.0.0.0:9/",
    "http://[::]:9/",
    "http://224.0.0.1/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://0251.0376.0251.0376/",
    "http://[::169.254.169.254]/",
    "http://[64:ff9b::169.254.169.254]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[fd00:ec2::254]/",
  ])("%s", async (to) => {
    expect(await outcomeOf(to)).toContain("TARGET_NOT_ALLOWED");
  });

  test("the server itself, by whichever name", async () => {
    const port = somePort();
    const hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"];
    const hooks = hosts.map((host, at) => ({
      name: `own-${at}`,
      on: "orders.created",
      to: `http://${host}:${port}/orders`,
    }));
    const api = await createStandin({ data: { orders: [] }, clock: "2030-01-01T00:00:00Z", port, hooks });
    onTestFinished(() => api.close());
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("1h");
    const reason = "TARGET_NOT_ALLOWED: it is the address of this server.";
    expect((await api.deliveries()).map((one) => one.reason)).toEqual([reason, reason, reason]);
  });

  test("a name that leads elsewhere when it is looked up", async () => {
    const url = new URL("http://rebound.test/");
    const refused = await new Promise((resolve) => {
      // The address is judged where it is looked up, directly before the connection.
      lookupFor(url, 80)("localhost", { all: true }, (error) => resolve(error));
    });
    expect(refused).toBeInstanceOf(TargetRefused);
  });
});

test("hooks added over HTTP go to listed origins only", async () => {
  const { url, received } = await startReceiver();
  const api = await createStandin({ data: { orders: [] }, clock: "2030-01-01T00:00:00Z" });
  onTestFinished(() => api.close());
  await api.request("POST /__hooks", { body: { name: "late", on: "*", to: url } });
  await api.request("POST /orders", { body: {} });
  await api.clock.advance("1h");
  expect(received).toEqual([]);
  const reason = `TARGET_NOT_ALLOWED: add "hookTargets": ["${new URL(url).origin}"] to the config.`;
  expect(await api.deliveries()).toMatchObject([{ status: "failed", reason }]);
});

describe("the response to a new hook warns of", () => {
  const line = (...origins: string[]): string => `TARGET_NOT_ALLOWED: add "hookTargets": ${JSON.stringify(origins)} to`;
  test.each([
    ["a target that is not allowed", [], { to: "http://localhost:4000/hook" }, line("http://localhost:4000")],
    [
      "a target beside those that are",
      ["http://localhost:5000"],
      { to: "http://localhost:4000/hook" },
      line("http://localhost:5000", "http://localhost:4000"),
    ],
    ["subscribers where none is allowed", [], { subscribers: "webhooks" }, "with the origins of the subscribers"],
    [
      "an address that no webhook goes to",
      ["http://169.254.1.1"],
      { to: "http://169.254.1.1/" },
      "169.254.1.1 is not an",
    ],
    ["nothing", ["http://localhost:4000"], { to: "http://localhost:4000/hook" }, undefined],
    ["nothing, for subscribers", ["http://localhost:4000"], { subscribers: "webhooks" }, undefined],
  ] as const)("%s", async (_name, hookTargets, keys, warning) => {
    const api = await createStandin({ data: { orders: [] }, hookTargets });
    onTestFinished(() => api.close());
    const body = { name: "late", on: "*", ...keys };
    const expected = warning === undefined ? undefined : expect.stringContaining(warning);
    const made = await api.request<{ warning?: string }>("POST /__hooks", { body });
    expect([made.status, made.body.warning]).toEqual([201, expected]);
    const changed = await api.request<{ warning?: string }>("PATCH /__hooks/late", { body: { retry: 1 } });
    expect(changed.body.warning).toEqual(expected);
  });

  test("this server", async () => {
    const port = somePort();
    const to = `http://127.0.0.1:${port}/orders`;
    const api = await createStandin({ data: { orders: [] }, port, hookTargets: [new URL(to).origin] });
    onTestFinished(() => api.close());
    await api.request("GET /orders");
    const made = await api.request("POST /__hooks", { body: { name: "own", on: "*", to } });
    expect(made.body).toMatchObject({ warning: "TARGET_NOT_ALLOWED: it is the address of this server." });
  });
});

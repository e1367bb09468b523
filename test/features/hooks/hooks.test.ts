import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { startReceiver } from "./receiver.ts";

const SECRET = `whsec_${Buffer.from("a secret of two dozen by").toString("base64")}`;

async function start(options: Partial<StandinOptions> = {}): Promise<Standin> {
  const api = await createStandin({
    data: { orders: [], webhooks: [] },
    clock: "2030-01-01T00:00:00Z",
    ...options,
  } as StandinOptions);
  onTestFinished(() => api.close());
  return api;
}

describe("a hook", () => {
  test("posts a change to its target, once it is due", async () => {
    const { url, received } = await startReceiver();
    const api = await start({ hooks: [{ name: "all", on: "*", to: url, after: "2s" }] });
    const { body } = await api.request<{ id: number }>("POST /orders", { body: { status: "new" } });
    expect(await api.jobs()).toMatchObject([{ kind: "delivery", rule: "all", dueAt: "2030-01-01T00:00:02.000Z" }]);
    expect(received).toEqual([]);
    await api.clock.advance("2s");
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]!.body)).toEqual({
      type: "orders.created",
      timestamp: "2030-01-01T00:00:00.000Z",
      version: 2,
      data: { status: "new", id: body.id },
    });
    expect(await api.deliveries()).toMatchObject([
      { hook: "all", status: "done", attempts: [{ number: 1, status: 200 }] },
    ]);
    await api.request("DELETE /orders/1");
    await api.clock.advance("2s");
    expect(received.map((one) => JSON.parse(one.body).type)).toEqual(["orders.created", "orders.removed"]);
  });

  test("looks at the record, and at the record before the change", async () => {
    const { url, received } = await startReceiver();
    const api = await start({
      hooks: [{ name: "paid", on: "orders.changed", if: "status=paid&before.status:ne=paid", to: url }],
    });
    await api.request("POST /orders", { body: { status: "paid" } });
    await api.request("PATCH /orders/1", { body: { note: "still paid" } });
    await api.request("PATCH /orders/1", { body: { status: "open" } });
    await api.request("PATCH /orders/1", { body: { status: "paid" } });
    await api.clock.advance("1s");
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0]!.body)).toMatchObject({ data: { status: "paid" }, before: { status: "open" } });
  });

  test("is repeated by the clock after a failure, with the same id and a higher number", async () => {
    const { url, received, statuses } = await startReceiver();
    statuses.push(500, 302);
    const api = await start({ hooks: [{ name: "all", on: "*", to: url }] });
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("0s");
    expect(received).toHaveLength(1);
    await api.clock.advance("1s");
    expect(received).toHaveLength(2);
    await api.clock.advance("4s");
    expect(received).toHaveLength(2);
    await api.clock.advance("1s");
    expect(received.map(({ headers }) => headers["x-standin-attempt"])).toEqual(["1", "2", "3"]);
    expect(new Set(received.map(({ headers }) => headers["x-standin-delivery"])).size).toBe(1);
    expect(await api.deliveries({ status: "done" })).toMatchObject([
      { attempts: [{ status: 500 }, { status: 302 }, { status: 200 }] },
    ]);
  });

  test("fails after its last attempt, and can be delivered again", async () => {
    const { url, received, statuses } = await startReceiver();
    statuses.push(500, 500);
    const api = await start({ hooks: [{ name: "all", on: "*", to: url, retry: 1 }] });
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("1h");
    expect(received).toHaveLength(2);
    const [failed] = await api.deliveries({ status: "failed" });
    expect(failed).toMatchObject({ reason: "The receiver responded 500." });
    expect((await api.request(`POST /__deliveries/${failed!.id}/redeliver`)).status).toBe(202);
    expect(await api.waitForDelivery({ status: "done" })).toMatchObject({ id: failed!.id });
    expect(received.at(-1)?.headers["x-standin-attempt"]).toBe("3");
  });

  test("tells the subscribers among the records, if their address is allowed", async () => {
    const [wanted, other] = await Promise.all([startReceiver(), startReceiver()]);
    const api = await start({
      hooks: [{ name: "subscribers", on: ["orders.created", "orders.removed"], subscribers: "webhooks" }],
      hookTargets: [new URL(wanted.url).origin],
    });
    await api.request("POST /webhooks", { body: { url: wanted.url, events: ["orders.created"], secret: SECRET } });
    await api.request("POST /webhooks", { body: { url: other.url, events: "*" } });
    await api.request("POST /orders", { body: {} });
    await api.request("DELETE /orders/1");
    await api.clock.advance("1s");
    expect(wanted.received).toHaveLength(1);
    const { headers, body } = wanted.received[0]!;
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({
      type: "orders.created",
    });
    expect(other.received).toEqual([]);
    const origins = JSON.stringify([wanted, other].map(({ url }) => new URL(url).origin));
    const refused = `TARGET_NOT_ALLOWED: add "hookTargets": ${origins} to the config.`;
    expect((await api.deliveries({ status: "failed" })).map(({ reason }) => reason)).toEqual([refused, refused]);
    expect(JSON.stringify(await api.deliveries())).not.toContain(SECRET);
  });

  test("has no field that no response shows, and no secret of a subscriber", async () => {
    const { url, received } = await startReceiver();
    const api = await start({
      data: { users: [], webhooks: [] },
      rules: { users: { properties: { password: { writeOnly: true } } } },
      hooks: [
        { name: "all", on: "*", to: url },
        { name: "subscribers", on: "users.created", subscribers: "webhooks" },
      ],
    } as Partial<StandinOptions>);
    await api.request("POST /users", { body: { name: "Ann", password: "pw-1" } });
    await api.request("PATCH /users/1", { body: { password: "pw-2" } });
    await api.request("POST /webhooks", { body: { url, events: [], secret: SECRET } });
    await api.clock.advance("1s");
    expect(received.map(({ body }) => JSON.parse(body).data)).toEqual([
      { id: 1, name: "Ann" },
      { id: 1, name: "Ann" },
      { id: 1, url, events: [] },
    ]);
    expect(JSON.stringify(received)).not.toMatch(/pw-|whsec_/);
  });

  test("ends a subscriber that is gone", async () => {
    const { url, received, statuses } = await startReceiver();
    statuses.push(410);
    const hooks = [{ name: "all", on: "orders.created", subscribers: "webhooks" }];
    const api = await start({ hooks, hookTargets: [new URL(url).origin] });
    await api.request("POST /webhooks", { body: { url, events: ["*"] } });
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("1s");
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("1h");
    expect(received).toHaveLength(1);
    expect((await api.request("GET /webhooks/1")).body).toMatchObject({ active: false });
  });

  test.each(["drop", "double", "delay"] as const)("can be made to fail on purpose: %s", async (fault) => {
    const { url, received } = await startReceiver();
    const faults = [{ fault, count: 1, ...(fault === "delay" && { ms: 60_000 }) }];
    const api = await start({ hooks: [{ name: "all", on: "*", to: url, faults }] });
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("0s");
    expect(received).toHaveLength({ drop: 0, double: 2, delay: 0 }[fault]);
    await api.clock.advance("1m");
    expect(received).toHaveLength({ drop: 1, double: 2, delay: 1 }[fault]);
    expect(new Set(received.map(({ headers }) => headers["x-standin-delivery"])).size).toBe(1);
  });

  test("is added, changed, turned off and removed over HTTP", async () => {
    const { url, received } = await startReceiver();
    const api = await start({ hookTargets: [new URL(url).origin] });
    const added = await api.request("POST /__hooks", {
      body: { name: "late", on: "*", to: url, sign: { as: "hmac", secret: "s" } },
    });
    expect(added).toMatchObject({ status: 201, body: { name: "late", sign: { as: "hmac" }, given: false } });
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("1s");
    expect(received).toHaveLength(1);
    expect(await api.request("PATCH /__hooks/late", { body: { off: true } })).toMatchObject({ body: { off: true } });
    await api.request("POST /orders", { body: {} });
    await api.clock.advance("1s");
    expect(received).toHaveLength(1);
    const unsigned = await api.request("PATCH /__hooks/late", { body: { sign: null, after: "1s" } });
    expect(unsigned.body).toEqual({ name: "late", on: "*", to: url, after: "1s", off: true, given: false });
    expect((await api.request("DELETE /__hooks/late")).status).toBe(200);
    expect(await api.request("GET /__hooks/late")).toMatchObject({ status: 404, body: { code: "HOOK_NOT_FOUND" } });
  });

  test.each([
    [{ on: "*", to: "http://a.test" }, '"name" is missing'],
    [{ name: "a", on: "orders.made", to: "http://a.test" }, '"on" is "orders.made"; expected is orders.created'],
    [{ name: "a", on: "*" }, '"to" needs an address'],
    [{ name: "a", on: "*", to: "file:///etc/passwd" }, '"to" is "file:///etc/passwd"'],
    [{ name: "a", on: "*", to: "http://u:p@a.test" }, '"to" is'],
    [{ name: "a", on: "*", to: "http://a.test", after: "soon" }, '"after" is "soon"; expected is a time such as 500ms'],
    [{ name: "a", on: "*", to: "http://a.test", sign: { as: "md5", secret: "x" } }, '"sign.as" is "md5"'],
    [
      { name: "a", on: "*", to: "http://a.test", retrys: 3 },
      '"retrys" is not a setting of a hook. Did you mean "retry"?',
    ],
    [{ name: "a", on: "*", to: "http://a.test", if: "_sort=name" }, '"if" has the parameter _sort'],
  ])("that makes no sense is refused: %j", async (hook, message) => {
    const api = await start();
    const { status, body } = await api.request<{ code: string; message: string }>("POST /__hooks", { body: hook });
    expect([status, body.code]).toEqual([400, "HOOK_INVALID"]);
    expect(body.message).toContain(message);
  });
});

describe("a signature", () => {
  async function deliver(as: "standard" | "github" | "stripe" | "hmac", secret: string) {
    const { url, received } = await startReceiver();
    const api = await start({ hooks: [{ name: "all", on: "*", to: url, sign: { as, secret } }] });
    await api.request("POST /orders", { body: { note: "é" } });
    await api.clock.advance("1s");
    const { headers, body } = received[0]!;
    return { headers: headers as Record<string, string>, body };
  }

  test("is one of Standard Webhooks", async () => {
    const { headers, body } = await deliver("standard", SECRET);
    expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({ type: "orders.created" });
    expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow();
  });

  test("is one of GitHub", async () => {
    const { headers, body } = await deliver("github", "s3cret");
    expect(await verify("s3cret", body, headers["x-hub-signature-256"]!)).toBe(true);
    expect(headers["x-github-event"]).toBe("orders.created");
  });

  test("is one of Stripe", async () => {
    const { headers, body } = await deliver("stripe", "whsec_test");
    const event = new Stripe("sk_test").webhooks.constructEvent(body, headers["stripe-signature"]!, "whsec_test");
    expect(event.type).toBe("orders.created");
  });
});

describe("the timeline", () => {
  test("changes and removes records when it is due, if they still are as it wants", async () => {
    const api = await start({
      timeline: [
        { on: "orders.created", after: "3s", if: "status=new", set: { status: "paid", paid_at: "{{now}}" } },
        { name: "end", on: "orders.created", after: "30m", remove: true },
      ],
    });
    await api.request("POST /orders", { body: { status: "new" } });
    await api.request("POST /orders", { body: { status: "held" } });
    await api.clock.advance("1h");
    expect((await api.request("GET /orders")).body).toEqual([]);
    expect((await api.history.list()).versions.map(({ by }) => by)).toEqual(
      expect.arrayContaining(["hook:timeline-1", "hook:end"]),
    );
    const { versions } = await api.history.list({ limit: 10 });
    const paid = versions.find(({ by }) => by === "hook:timeline-1");
    expect((await (await api.history.at(paid!.version)).db.orders!.find())[0]).toEqual({
      status: "paid",
      id: 1,
      paid_at: "2030-01-01T00:00:03.000Z",
    });
    expect((await api.request("GET /__jobs?status=skipped")).body).toMatchObject({
      jobs: [{ rule: "timeline-1", record: 2, reason: "The condition does not hold." }],
    });
  });

  test("stops where its steps cause each other", async () => {
    const warnings: string[] = [];
    const api = await start({
      timeline: [{ on: "orders.changed", after: "1s", set: { at: "{{now}}" } }],
      warn: (text) => warnings.push(text),
    });
    await api.request("POST /orders", { body: {} });
    await api.request("PATCH /orders/1", { body: { n: 1 } });
    await api.clock.advance("1h");
    expect((await api.request("GET /orders/1")).body).toMatchObject({ at: "2030-01-01T00:00:05.000Z" });
    expect(warnings).toEqual([expect.stringContaining("after 5 changes in a row, they stop")]);
  });

  test("ends with the data it came from", async () => {
    const api = await start({ timeline: [{ on: "orders.created", after: "3s", set: { status: "paid" } }] });
    await api.request("POST /orders", { body: { status: "new" } });
    await api.reset();
    expect(await api.jobs()).toEqual([]);
  });

  test("makes nothing of a dry run, and sends nothing", async () => {
    const { url, received } = await startReceiver();
    const api = await start({
      data: { orders: [{ id: 1 }] },
      hooks: [{ name: "all", on: "*", to: url }],
      timeline: [{ on: "orders.created", after: "3s", set: { status: "paid" } }],
    });
    const headers = { Prefer: "tx=rollback" };
    const requests = ["POST /orders", "PATCH /orders/1", "DELETE /orders/1"] as const;
    for (const line of requests) expect((await api.request(line, { body: {}, headers })).status).toBeLessThan(300);
    await api.clock.advance("1h");
    expect([await api.jobs(), await api.deliveries(), received]).toEqual([[], [], []]);
  });
});

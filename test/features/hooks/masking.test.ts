import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin } from "../../../src/index.ts";
import { connectOverHttp, ERAS } from "../agents/agent.ts";
import { startReceiver } from "./receiver.ts";

const SECRET = "hidden-0123456789";

test("secrets in addresses and bodies are sent, and shown nowhere", async () => {
  const { url, received } = await startReceiver();
  const warnings: string[] = [];
  const api = await createStandin<JsonObject>({
    data: { orders: [], webhooks: [] },
    clock: "2030-01-01T00:00:00Z",
    hooks: [
      { name: "given", on: "orders.created", to: `${url}?token=${SECRET}` },
      { name: "told", on: "orders.created", subscribers: "webhooks" },
    ],
    hookTargets: [new URL(url).origin],
    warn: (text: string) => warnings.push(text),
  });
  onTestFinished(() => api.close());
  const withPassword = url.replace("://", `://ann:${SECRET}@`);
  for (const target of [`${url}?api_key=${SECRET}`, withPassword, `file:///tmp/${SECRET}?token=${SECRET}`]) {
    await api.request("POST /webhooks", { body: { url: target } });
  }
  await api.request("POST /orders", { body: { note: "open", card_token: SECRET } });
  const due = JSON.stringify([await api.jobs(), (await api.request("GET /__jobs")).body]);
  await api.clock.advance("1s");
  expect(received.map((one) => one.url)).toEqual([`/hook?token=${SECRET}`, `/hook?api_key=${SECRET}`]);
  expect(JSON.parse(received[0]!.body).data).toMatchObject({ card_token: SECRET });

  const deliveries = await api.deliveries();
  expect(deliveries.map(({ target, status }) => [target.replace(new URL(url).origin, ""), status])).toEqual([
    [expect.stringMatching(/^file:.*token=\.\.\.$/), "failed"],
    [withPassword.replace(SECRET, "..."), "failed"],
    ["/hook?api_key=...", "done"],
    ["/hook?token=...", "done"],
  ]);
  expect(deliveries[1]?.reason).toContain("TARGET_NOT_ALLOWED: a target is an http or https address");
  expect(JSON.parse(deliveries[3]!.body).data).toEqual({ id: 1, note: "open", card_token: "..." });

  const agent = await connectOverHttp(api.url, ERAS[0]);
  const shown = [
    due,
    deliveries.slice(1),
    (await api.request("GET /__hooks")).body,
    // The rest shows records, which any client may read.
    (await agent.call("describe")).text.split("# REST API")[0],
    warnings,
  ];
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(JSON.stringify(shown)).toContain("/hook?token=...");
});

test("a hook that is sent back as it is shown keeps its target", async () => {
  const { url, received } = await startReceiver();
  const hooks = [{ name: "given", on: "orders.created", to: `${url}?token=${SECRET}` }];
  const api = await createStandin({ data: { orders: [] }, clock: "2030-01-01T00:00:00Z", hooks });
  onTestFinished(() => api.close());
  const changed = { to: `${url}?token=...`, after: "1s" };
  expect((await api.request("PATCH /__hooks/given", { body: changed })).body).toMatchObject({
    ...changed,
    given: true,
  });
  await api.request("POST /orders", { body: {} });
  await api.clock.advance("1s");
  expect(received.map((one) => one.url)).toEqual([`/hook?token=${SECRET}`]);
  const wrong = { name: "wrong", on: "*", to: `http://ann:${SECRET}@localhost/` };
  const { body: refusal } = await api.request("POST /__hooks", { body: wrong });
  expect(refusal).toMatchObject({ code: "HOOK_INVALID" });
  expect(JSON.stringify(refusal)).not.toContain(SECRET);
});

import assert from "node:assert/strict";
import twilioSdk from "twilio";
import { connectTwilio, type TwilioClient } from "./connect-twilio.ts";
import { failureOf, holds, made, type RunStep, type SdkSession } from "./session.ts";

const { RestException } = twilioSdk;

export const twilio: SdkSession = {
  sdk: "twilio",
  document: "twilio",
  async run(url, step) {
    const client = await connectTwilio(url);
    await messages(client, step);
    await others(client, step);
  },
};

async function messages(client: TwilioClient, step: RunStep): Promise<void> {
  const message = await step(
    "send a message",
    () => client.messages.create({ to: "+4915112345678", from: "+15017122661", body: "Hello" }),
    (one) => assert.deepEqual([one.body, one.to, one.from], ["Hello", "+4915112345678", "+15017122661"]),
  );
  await step(
    "fetch a message",
    () => client.messages(made(message).sid).fetch(),
    (one) => assert.deepEqual([one.sid, one.body, one.accountSid], [made(message).sid, "Hello", client.accountSid]),
  );
  await step(
    "list messages by recipient",
    () => client.messages.list({ to: "+4915112345678", limit: 20 }),
    (all) =>
      assert.deepEqual(
        all.map(({ sid }) => sid),
        [made(message).sid],
      ),
  );
  await step("page through messages", async () => {
    for (let count = 0; count < 5; count++) {
      await client.messages.create({ to: "+4915112345679", from: "+15017122661", body: `Text ${count}` });
    }
    const all = await client.messages.list({ pageSize: 2, limit: 200 });
    assert.equal(new Set(all.map(({ sid }) => sid)).size, all.length);
    holds(all.length >= 6 && all.some(({ sid }) => sid === made(message).sid));
  });
  await step(
    "redact a message",
    () => client.messages(made(message).sid).update({ body: "" }),
    (one) => assert.deepEqual([one.sid, one.body, one.to], [made(message).sid, "", "+4915112345678"]),
  );
  await step("remove a message", async () => assert.equal(await client.messages(made(message).sid).remove(), true));
  await step(
    "404 for a removed message",
    () => failureOf(() => client.messages(made(message).sid).fetch()),
    (thrown) => holds(thrown instanceof RestException && thrown.status === 404, String(thrown)),
  );
}

async function others(client: TwilioClient, step: RunStep): Promise<void> {
  const call = await step(
    "make a call",
    () => client.calls.create({ to: "+14155551212", from: "+18668675310", url: "https://example.org/voice.xml" }),
    (one) => assert.deepEqual([one.to, one.from], ["+14155551212", "+18668675310"]),
  );
  await step(
    "end a call",
    () => client.calls(made(call).sid).update({ status: "completed" }),
    (one) => assert.deepEqual([one.sid, one.status], [made(call).sid, "completed"]),
  );
  const queue = await step(
    "create a queue",
    () => client.queues.create({ friendlyName: "Support", maxSize: 5 }),
    (one) => assert.deepEqual([one.friendlyName, one.maxSize], ["Support", 5]),
  );
  await step(
    "update a queue",
    () => client.queues(made(queue).sid).update({ friendlyName: "Sales" }),
    (one) => assert.deepEqual([one.sid, one.friendlyName, one.maxSize], [made(queue).sid, "Sales", 5]),
  );
  await step(
    "list queues",
    () => client.queues.list({ limit: 100 }),
    (all) => holds(all.some(({ sid, friendlyName }) => sid === made(queue).sid && friendlyName === "Sales")),
  );
  await step("remove a queue", async () => {
    assert.equal(await client.queues(made(queue).sid).remove(), true);
    holds((await failureOf(() => client.queues(made(queue).sid).fetch())) instanceof RestException);
  });
  await step("create and update an application", async () => {
    const { sid } = await client.applications.create({ friendlyName: "Phone me" });
    const changed = await client.applications(sid).update({ voiceUrl: "https://example.org/voice" });
    assert.deepEqual([changed.friendlyName, changed.voiceUrl], ["Phone me", "https://example.org/voice"]);
  });
}

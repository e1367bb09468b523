import assert from "node:assert/strict";
import { connectTwilio, isGone, type TwilioClient } from "../connect-twilio.ts";
import { failureOf, holds, made, type RunStep, type SdkSession } from "../session.ts";

/** Numbers, calls, conferences, SIP and usage, as a call centre uses them. */
export const twilioVoice: SdkSession = {
  sdk: "twilio",
  document: "twilio",
  async run(url, step) {
    const client = await connectTwilio(url);
    await numbers(client, step);
    await calls(client, step);
    await texts(client, step);
    await accounts(client, step);
    await sip(client, step);
  },
};

async function numbers(client: TwilioClient, step: RunStep): Promise<void> {
  const number = await step(
    "buy a number",
    () =>
      client.incomingPhoneNumbers.create({
        phoneNumber: "+15005550006",
        friendlyName: "Main",
        voiceUrl: "https://example.org/voice",
        smsMethod: "GET",
      }),
    (one) =>
      assert.deepEqual(
        [one.phoneNumber, one.friendlyName, one.voiceUrl, one.smsMethod],
        ["+15005550006", "Main", "https://example.org/voice", "GET"],
      ),
  );
  await step("find a number and rename it", async () => {
    const [found] = await client.incomingPhoneNumbers.list({ phoneNumber: "+15005550006" });
    assert.equal(found?.sid, made(number).sid);
    const changed = await client.incomingPhoneNumbers(made(number).sid).update({ friendlyName: "Second" });
    assert.deepEqual([changed.friendlyName, changed.voiceUrl], ["Second", "https://example.org/voice"]);
  });
  await step("release a number", async () => {
    const one = client.incomingPhoneNumbers(made(number).sid);
    assert.equal(await one.remove(), true);
    await isGone(() => one.fetch());
  });
  await step("rename a caller id", async () => {
    const [first] = await client.outgoingCallerIds.list({ limit: 1 });
    const changed = await client.outgoingCallerIds(made(first).sid).update({ friendlyName: "Desk" });
    assert.equal(changed.friendlyName, "Desk");
  });
  await step("create, change and remove an address", async () => {
    const address = await client.addresses.create({
      customerName: "Ada",
      street: "1 Main St",
      city: "Rome",
      region: "RM",
      postalCode: "00100",
      isoCountry: "IT",
    });
    assert.deepEqual([address.customerName, address.city, address.isoCountry], ["Ada", "Rome", "IT"]);
    assert.equal((await client.addresses(address.sid).update({ city: "Milan" })).city, "Milan");
    const [found] = await client.addresses.list({ customerName: "Ada" });
    assert.equal(found?.sid, address.sid);
    assert.equal(await client.addresses(address.sid).remove(), true);
  });
}

async function calls(client: TwilioClient, step: RunStep): Promise<void> {
  const call = await client.calls.create({
    to: "+14155551212",
    from: "+18668675310",
    twiml: "<Response><Say>Hi</Say></Response>",
  });
  await step("list calls by status and number", async () => {
    await client.calls(call.sid).update({ status: "completed" });
    const done = await client.calls.list({ status: "completed", to: "+14155551212" });
    assert.deepEqual(
      done.map(({ sid }) => sid),
      [call.sid],
    );
  });
  await step("stop a stream of a call", async () => {
    const stream = await client.calls(call.sid).streams.create({ url: "wss://example.org", name: "s" });
    assert.deepEqual([stream.callSid, stream.name, stream.status], [call.sid, "s", "in-progress"]);
    const stopped = await client.calls(call.sid).streams(stream.sid).update({ status: "stopped" });
    assert.deepEqual([stopped.sid, stopped.status], [stream.sid, "stopped"]);
  });
  await step("add, mute and remove a participant", async () => {
    const [conference] = await client.conferences.list({ limit: 1 });
    const { participants } = client.conferences(made(conference).sid);
    const participant = await participants.create({ from: "+18668675310", to: "+14155551213", label: "ada" });
    assert.deepEqual(
      [participant.conferenceSid, participant.label, participant.muted],
      [made(conference).sid, "ada", false],
    );
    const one = client.conferences(made(conference).sid).participants(participant.callSid);
    assert.equal((await one.update({ muted: true })).muted, true);
    holds((await participants.list({ muted: true })).some(({ callSid }) => callSid === participant.callSid));
    assert.equal(await one.remove(), true);
    await isGone(() => one.fetch());
  });
  await step("end a conference", async () => {
    const [conference] = await client.conferences.list({ limit: 1 });
    const ended = await client.conferences(made(conference).sid).update({ status: "completed" });
    assert.deepEqual([ended.sid, ended.status], [made(conference).sid, "completed"]);
  });
  await step("read the members of a queue", async () => {
    const queue = await client.queues.create({ friendlyName: "Wait" });
    assert.deepEqual([queue.currentSize, queue.averageWaitTime], [0, 0]);
    assert.deepEqual(await client.queues(queue.sid).members.list(), []);
  });
  await step("remove a call", async () => {
    assert.equal(await client.calls(call.sid).remove(), true);
    await isGone(() => client.calls(call.sid).fetch());
  });
}

async function texts(client: TwilioClient, step: RunStep): Promise<void> {
  const message = await client.messages.create({
    to: "+14155550000",
    from: "+14155550001",
    body: "Hi",
    statusCallback: "https://example.org/status",
  });
  await step("a new message is queued, outbound and without an error", async () => {
    holds(["queued", "accepted", "sending"].includes(message.status), message.status);
    assert.deepEqual([message.errorCode, message.errorMessage], [null, null]);
    assert.match(message.direction, /^outbound/);
  });
  await step("cancel a message", async () => {
    const changed = await client.messages(message.sid).update({ status: "canceled" });
    assert.equal(changed.status, "canceled");
  });
  await step("list messages by sender and recipient", async () => {
    const all = await client.messages.list({ from: "+14155550001", to: "+14155550000" });
    assert.deepEqual(
      all.map(({ sid }) => sid),
      [message.sid],
    );
  });
  await step("feedback about a message", async () => {
    const feedback = await client.messages(message.sid).feedback.create({ outcome: "confirmed" });
    assert.deepEqual([feedback.messageSid, feedback.outcome], [message.sid, "confirmed"]);
  });
  await step("a page has the address of the next", async () => {
    for (let count = 0; count < 4; count++) {
      await client.messages.create({ to: "+14155550009", from: "+14155550001", body: `${count}` });
    }
    const page = await client.messages.page({ to: "+14155550009", pageSize: 3 });
    assert.equal(page.instances.length, 3);
    const next = await page.nextPage();
    assert.equal(next?.instances.length, 1);
  });
  await step("a message needs a recipient", async () => {
    const thrown = await failureOf(() => client.messages.create({ body: "Hi" } as { to: string; body: string }));
    holds(thrown instanceof Error);
  });
  await step("stop at a limit", async () => {
    const sids: string[] = [];
    await new Promise<void>((resolve, reject) =>
      client.messages.each(
        { limit: 2, pageSize: 1, done: (error?: Error) => (error ? reject(error) : resolve()) },
        ({ sid }) => {
          sids.push(sid);
        },
      ),
    );
    assert.equal(new Set(sids).size, 2);
  });
}

async function accounts(client: TwilioClient, step: RunStep): Promise<void> {
  await step("create and close a subaccount", async () => {
    const account = await client.api.v2010.accounts.create({ friendlyName: "Sub" });
    assert.deepEqual([account.friendlyName, account.status], ["Sub", "active"]);
    const closed = await client.api.v2010.accounts(account.sid).update({ status: "closed" });
    assert.equal(closed.status, "closed");
    const all = await client.api.v2010.accounts.list({ status: "closed" });
    holds(all.some(({ sid }) => sid === account.sid));
  });
  await step("a subaccount sees none of another's messages", async () => {
    const account = await client.api.v2010.accounts.create({ friendlyName: "Empty" });
    assert.deepEqual(await client.api.v2010.accounts(account.sid).messages.list(), []);
  });
  await step("usage by category", async () => {
    const all = await client.usage.records.list({ category: "sms", limit: 5 });
    holds(all.every(({ category }) => category === "sms"));
  });
  await step("a trigger on usage", async () => {
    const trigger = await client.usage.triggers.create({
      callbackUrl: "https://example.org/usage",
      triggerValue: "1000",
      usageCategory: "sms",
      friendlyName: "Many",
    });
    assert.deepEqual([trigger.triggerValue, trigger.usageCategory, trigger.friendlyName], ["1000", "sms", "Many"]);
    const changed = await client.usage.triggers(trigger.sid).update({ friendlyName: "Most" });
    assert.equal(changed.friendlyName, "Most");
    assert.equal(await client.usage.triggers(trigger.sid).remove(), true);
  });
  await step("read the balance", async () => {
    const { balance, currency } = await client.balance.fetch();
    assert.deepEqual([typeof balance, typeof currency], ["string", "string"]);
  });
  await step("a token", async () => assert.equal(typeof (await client.tokens.create({ ttl: 60 })).username, "string"));
}

async function sip(client: TwilioClient, step: RunStep): Promise<void> {
  await step("a SIP domain", async () => {
    const domain = await client.sip.domains.create({ domainName: "hats.sip.twilio.com", friendlyName: "Hats" });
    assert.deepEqual([domain.domainName, domain.friendlyName], ["hats.sip.twilio.com", "Hats"]);
    const changed = await client.sip.domains(domain.sid).update({ voiceUrl: "https://example.org/sip" });
    assert.equal(changed.voiceUrl, "https://example.org/sip");
    assert.equal(await client.sip.domains(domain.sid).remove(), true);
  });
  await step("credentials in a list", async () => {
    const list = await client.sip.credentialLists.create({ friendlyName: "Staff" });
    const one = await client.sip.credentialLists(list.sid).credentials.create({
      username: "ada",
      password: "Correct-horse-1",
    });
    assert.deepEqual([one.username, one.credentialListSid], ["ada", list.sid]);
    holds(!JSON.stringify(one).includes("Correct-horse"));
    const all = await client.sip.credentialLists(list.sid).credentials.list();
    assert.deepEqual(
      all.map(({ sid }) => sid),
      [one.sid],
    );
  });
  await step("addresses in an access list", async () => {
    const list = await client.sip.ipAccessControlLists.create({ friendlyName: "Office" });
    const own = client.sip.ipAccessControlLists(list.sid);
    const one = await own.ipAddresses.create({ friendlyName: "Desk", ipAddress: "10.0.0.1" });
    assert.deepEqual([one.friendlyName, one.ipAddress, one.ipAccessControlListSid], ["Desk", "10.0.0.1", list.sid]);
    assert.equal((await own.ipAddresses(one.sid).update({ ipAddress: "10.0.0.2" })).ipAddress, "10.0.0.2");
    assert.equal((await own.fetch()).friendlyName, "Office");
  });
}

import assert from "node:assert/strict";
import { connectTwilio, isGone, type TwilioClient } from "../connect-twilio.ts";
import { holds, made, type RunStep, type SdkSession } from "../session.ts";

/** Recordings, keys, numbers, mappings, subaccounts, times and pages. */
export const twilioNumbers: SdkSession = {
  sdk: "twilio",
  document: "twilio",
  async run(url, step) {
    const client = await connectTwilio(url);
    await recordings(client, step);
    await numbers(client, step);
    await settings(client, step);
    await accounts(client, step);
    await times(client, step);
  },
};

async function recordings(client: TwilioClient, step: RunStep): Promise<void> {
  const call = await client.calls.create({ to: "+14155551212", from: "+18668675310", url: "https://example.org/v" });
  const own = client.calls(call.sid);
  await step("transcribe a call, then stop", async () => {
    const one = await own.transcriptions.create({ name: "notes", languageCode: "en-US" });
    assert.deepEqual([one.callSid, one.name], [call.sid, "notes"]);
    assert.equal((await own.transcriptions(one.sid).update({ status: "stopped" })).status, "stopped");
  });
  await step("remove a text of a recording", async () => {
    const [text] = await client.transcriptions.list({ limit: 1 });
    assert.equal(await client.transcriptions(made(text).sid).remove(), true);
    await isGone(() => client.transcriptions(made(text).sid).fetch());
  });
}

async function numbers(client: TwilioClient, step: RunStep): Promise<void> {
  await step("find numbers by name", async () => {
    for (const phoneNumber of ["+15005550008", "+15005550009"])
      await client.incomingPhoneNumbers.create({ phoneNumber, friendlyName: "Desk" });
    const all = await client.incomingPhoneNumbers.list({ friendlyName: "Desk", pageSize: 1, limit: 10 });
    assert.deepEqual(new Set(all.map(({ phoneNumber }) => phoneNumber)), new Set(["+15005550008", "+15005550009"]));
  });
  await step("change a short code", async () => {
    const [code] = await client.shortCodes.list({ limit: 1 });
    const changed = await client.shortCodes(made(code).sid).update({ friendlyName: "Win", smsMethod: "GET" });
    assert.deepEqual([changed.friendlyName, changed.smsMethod, changed.shortCode], ["Win", "GET", code?.shortCode]);
  });
  await step("addresses of a country", async () => {
    const place = { street: "1 Main St", city: "Rome", region: "RM", postalCode: "00100" };
    const ada = await client.addresses.create({
      ...place,
      customerName: "Ada",
      isoCountry: "IT",
      friendlyName: "Home",
    });
    await client.addresses.create({ ...place, customerName: "Bob", isoCountry: "FR" });
    const all = await client.addresses.list({ isoCountry: "IT" });
    holds(all.some(({ sid }) => sid === ada.sid) && all.every(({ isoCountry }) => isoCountry === "IT"));
    const named = await client.addresses.list({ friendlyName: "Home" });
    assert.deepEqual(
      named.map(({ sid }) => sid),
      [ada.sid],
    );
  });
}

async function settings(client: TwilioClient, step: RunStep): Promise<void> {
  await step("applications by name", async () => {
    const { sid } = await client.applications.create({ friendlyName: "IVR", smsUrl: "https://example.org/s" });
    await client.applications.create({ friendlyName: "Other" });
    const all = await client.applications.list({ friendlyName: "IVR" });
    assert.deepEqual(
      all.map((one) => [one.sid, one.smsUrl]),
      [[sid, "https://example.org/s"]],
    );
    assert.equal(await client.applications(sid).remove(), true);
    await isGone(() => client.applications(sid).fetch());
  });
  await step("map an access list to a domain", async () => {
    const domain = await client.sip.domains.create({ domainName: "caps.sip.twilio.com" });
    const list = await client.sip.ipAccessControlLists.create({ friendlyName: "Door" });
    const mappings = client.sip.domains(domain.sid).ipAccessControlListMappings;
    const mapping = await mappings.create({ ipAccessControlListSid: list.sid });
    assert.equal(mapping.domainSid, domain.sid);
    assert.deepEqual(
      (await mappings.list()).map(({ sid }) => sid),
      [mapping.sid],
    );
    const one = client.sip.domains(domain.sid).ipAccessControlListMappings(mapping.sid);
    assert.equal(await one.remove(), true);
    await isGone(() => one.fetch());
  });
  await step("map credentials to the calls of a domain", async () => {
    const domain = await client.sip.domains.create({ domainName: "bags.sip.twilio.com" });
    const list = await client.sip.credentialLists.create({ friendlyName: "Crew" });
    const mappings = client.sip.domains(domain.sid).auth.calls.credentialListMappings;
    const mapping = await mappings.create({ credentialListSid: list.sid });
    assert.deepEqual(
      (await mappings.list()).map(({ sid }) => sid),
      [mapping.sid],
    );
  });
}

async function accounts(client: TwilioClient, step: RunStep): Promise<void> {
  await step("a subaccount is suspended, and active again", async () => {
    const { sid } = await client.api.v2010.accounts.create({ friendlyName: "Part" });
    const one = client.api.v2010.accounts(sid);
    assert.equal((await one.update({ status: "suspended" })).status, "suspended");
    const all = await client.api.v2010.accounts.list({ friendlyName: "Part", status: "suspended" });
    assert.deepEqual(
      all.map((account) => account.sid),
      [sid],
    );
    assert.equal((await one.update({ status: "active" })).status, "active");
  });
  await step("what a subaccount makes is its own", async () => {
    const { sid } = await client.api.v2010.accounts.create({ friendlyName: "Own" });
    const own = client.api.v2010.accounts(sid);
    const queue = await own.queues.create({ friendlyName: "Own queue" });
    assert.equal(queue.accountSid, sid);
    assert.deepEqual(
      (await own.queues.list()).map((one) => one.sid),
      [queue.sid],
    );
    holds((await client.queues.list()).every((one) => one.sid !== queue.sid));
    await isGone(() => client.queues(queue.sid).fetch());
  });
  await step("triggers by category and recurrence", async () => {
    const create = (usageCategory: string, recurring: "daily" | "monthly") =>
      client.usage.triggers.create({
        callbackUrl: "https://example.org/u",
        triggerValue: "5",
        usageCategory,
        recurring,
        triggerBy: "price",
      });
    const daily = await create("calls", "daily");
    const monthly = await create("calls", "monthly");
    assert.deepEqual([daily.recurring, daily.triggerBy, monthly.recurring], ["daily", "price", "monthly"]);
    const all = await client.usage.triggers.list({ usageCategory: "calls", recurring: "daily" });
    assert.deepEqual(
      all.map(({ sid }) => sid),
      [daily.sid],
    );
  });
}

async function times(client: TwilioClient, step: RunStep): Promise<void> {
  const to = "+14155550100";
  const create = (body: string) => client.messages.create({ to, from: "+14155550101", body });
  await create("First");
  await step("messages of one page, by size", async () => {
    for (const body of ["3", "4", "5"]) await create(body);
    const page = await client.messages.page({ to, pageSize: 2 });
    assert.equal(page.instances.length, 2);
    const next = await page.nextPage();
    const back = await next?.previousPage();
    assert.deepEqual(
      back?.instances.map(({ sid }) => sid),
      page.instances.map(({ sid }) => sid),
    );
  });
  await step("no more than a limit", async () => {
    assert.equal((await client.messages.list({ to, limit: 3, pageSize: 2 })).length, 3);
  });
}

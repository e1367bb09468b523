import assert from "node:assert/strict";
import type Stripe from "stripe";
import { connectStripe, isGone } from "../connect-stripe.ts";
import { holds, type RunStep, type SdkSession } from "../session.ts";

/** Connected accounts, webhooks, files, test clocks, cards that are issued, and disputes of a platform. */
export const stripePlatform: SdkSession = {
  sdk: "stripe",
  document: "stripe",
  async run(url, step) {
    const client = connectStripe(url);
    await accounts(client, step);
    await settings(client, step);
    await issuing(client, step);
    await risk(client, step);
  },
};

async function accounts(client: Stripe, step: RunStep): Promise<void> {
  const account = await client.accounts.create({
    type: "custom",
    country: "IT",
    email: "hats@example.org",
    business_type: "individual",
    business_profile: { name: "Hats", url: "https://example.org" },
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { shop: "7" },
  });
  await step("a new account has its profile", async () =>
    assert.deepEqual(
      [account.country, account.business_type, account.business_profile?.name, account.metadata],
      ["IT", "individual", "Hats", { shop: "7" }],
    ),
  );
  await step("change the settings of an account", async () => {
    const changed = await client.accounts.update(account.id, {
      settings: { payouts: { schedule: { interval: "weekly", weekly_anchor: "friday" } } },
      metadata: { shop: "8" },
    });
    assert.deepEqual(
      [changed.settings?.payouts?.schedule.interval, changed.settings?.payouts?.schedule.weekly_anchor],
      ["weekly", "friday"],
    );
    assert.deepEqual([changed.metadata, changed.email], [{ shop: "8" }, "hats@example.org"]);
  });
  await step("the people of an account, by relationship", async () => {
    const ada = await client.accounts.createPerson(account.id, {
      first_name: "Ada",
      relationship: { owner: true, title: "CEO" },
      dob: { day: 1, month: 2, year: 1990 },
    });
    const bob = await client.accounts.createPerson(account.id, { first_name: "Bob", relationship: { owner: false } });
    assert.deepEqual([ada.relationship?.title, ada.dob?.year, ada.account], ["CEO", 1990, account.id]);
    const { data } = await client.accounts.listPersons(account.id);
    assert.deepEqual(new Set(data.map(({ id }) => id)), new Set([ada.id, bob.id]));
    const owners = (await client.accounts.listPersons(account.id, { relationship: { owner: true } })).data;
    assert.deepEqual(
      owners.map(({ id }) => id),
      [ada.id],
    );
  });
  await step("delete an account", async () => {
    assert.deepEqual(await client.accounts.del(account.id).then(({ id, deleted }) => [id, deleted]), [
      account.id,
      true,
    ]);
    await isGone(() => client.accounts.update(account.id, { email: "a@example.org" }));
  });
  await step("the details of a payout", async () => {
    const payout = await client.payouts.create({ amount: 900, currency: "usd", statement_descriptor: "HATS" });
    const changed = await client.payouts.update(payout.id, { metadata: { a: "b" } });
    assert.deepEqual([changed.statement_descriptor, changed.metadata, changed.amount], ["HATS", { a: "b" }, 900]);
    const { data } = await client.payouts.list({ created: { gte: payout.created }, status: "pending" });
    holds(data.some(({ id }) => id === payout.id));
  });
}

async function settings(client: Stripe, step: RunStep): Promise<void> {
  const endpoint = await client.webhookEndpoints.create({
    url: "https://example.org/a",
    enabled_events: ["charge.failed"],
  });
  await step("change the events of an endpoint", async () => {
    const changed = await client.webhookEndpoints.update(endpoint.id, {
      url: "https://example.org/b",
      enabled_events: ["charge.failed", "invoice.paid"],
    });
    assert.deepEqual(
      [changed.url, changed.enabled_events],
      ["https://example.org/b", ["charge.failed", "invoice.paid"]],
    );
  });
  await step("an endpoint shows its secret only when it is made", async () => {
    assert.equal((await client.webhookEndpoints.retrieve(endpoint.id)).secret, undefined);
  });
  await step("delete an endpoint", async () => {
    assert.equal((await client.webhookEndpoints.del(endpoint.id)).deleted, true);
    await isGone(() => client.webhookEndpoints.retrieve(endpoint.id));
    holds((await client.webhookEndpoints.list({ limit: 100 })).data.every(({ id }) => id !== endpoint.id));
  });
  await step("a file link that ends", async () => {
    const file = await client.files.create({
      purpose: "dispute_evidence",
      file: { data: Buffer.from("x"), name: "x.txt", type: "text/plain" },
    });
    const link = await client.fileLinks.create({ file: file.id, expires_at: 2_000_000_000, metadata: { a: "b" } });
    assert.deepEqual([link.file, link.expires_at, link.expired], [file.id, 2_000_000_000, false]);
    const { data } = await client.fileLinks.list({ file: file.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [link.id],
    );
    assert.equal((await client.fileLinks.update(link.id, { expires_at: 2_100_000_000 })).expires_at, 2_100_000_000);
  });
  await step("the customers of a test clock", async () => {
    const clock = await client.testHelpers.testClocks.create({ frozen_time: 1_800_000_000 });
    const customer = await client.customers.create({ name: "Tick", test_clock: clock.id });
    assert.equal(customer.test_clock, clock.id);
    const { data } = await client.customers.list({ test_clock: clock.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [customer.id],
    );
    holds((await client.testHelpers.testClocks.list()).data.some(({ id }) => id === clock.id));
  });
  await step("the fields of a report", async () => {
    const run = await client.reporting.reportRuns.create({
      report_type: "balance.summary.1",
      parameters: { interval_start: 1_700_000_000, interval_end: 1_700_100_000 },
    });
    assert.deepEqual(
      [run.report_type, run.parameters.interval_start, run.status],
      ["balance.summary.1", 1_700_000_000, "pending"],
    );
    assert.equal((await client.reporting.reportRuns.retrieve(run.id)).id, run.id);
  });
}

async function issuing(client: Stripe, step: RunStep): Promise<void> {
  const holder = await client.issuing.cardholders.create({
    name: "Ada",
    type: "individual",
    email: "ada@example.org",
    billing: { address: { line1: "1 Main St", city: "Rome", country: "IT", postal_code: "00100" } },
  });
  await step("a cardholder has an address and is active", async () =>
    assert.deepEqual([holder.billing.address.city, holder.type, holder.status], ["Rome", "individual", "active"]),
  );
  const card = await client.issuing.cards.create({ cardholder: holder.id, currency: "eur", type: "virtual" });
  await step("a new card is inactive until it is activated", async () => {
    assert.deepEqual([card.status, card.type, card.currency], ["inactive", "virtual", "eur"]);
    assert.equal((await client.issuing.cards.update(card.id, { status: "active" })).status, "active");
  });
  await step("list the cards of a cardholder by status", async () => {
    const { data } = await client.issuing.cards.list({ cardholder: holder.id, status: "active" });
    assert.deepEqual(
      data.map(({ id }) => id),
      [card.id],
    );
  });
}

async function risk(client: Stripe, step: RunStep): Promise<void> {
  const list = await client.radar.valueLists.create({ alias: "bad_mail", name: "Bad mail", item_type: "email" });
  await step("the items of a value list", async () => {
    const item = await client.radar.valueListItems.create({ value_list: list.id, value: "x@example.org" });
    assert.deepEqual([item.value_list, item.value], [list.id, "x@example.org"]);
    const { data } = await client.radar.valueListItems.list({ value_list: list.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [item.id],
    );
    assert.equal((await client.radar.valueListItems.del(item.id)).deleted, true);
    assert.deepEqual((await client.radar.valueListItems.list({ value_list: list.id })).data, []);
  });
  await step("find a value list by its alias", async () => {
    const { data } = await client.radar.valueLists.list({ alias: "bad_mail" });
    assert.deepEqual(
      data.map(({ name }) => name),
      ["Bad mail"],
    );
    assert.equal((await client.radar.valueLists.update(list.id, { name: "Worse mail" })).name, "Worse mail");
  });
  await step("disputes by charge", async () => {
    const { data } = await client.disputes.list({ limit: 1 });
    const charge = String(data[0]?.charge);
    const same = await client.disputes.list({ charge });
    holds(same.data.length > 0 && same.data.every((one) => one.charge === charge));
  });
  await step("a closed dispute is lost", async () => {
    const { data } = await client.disputes.list({ limit: 1 });
    assert.equal((await client.disputes.close(data[0]?.id ?? "")).status, "lost");
  });
  await step("an approved review is closed", async () => {
    const { data } = await client.reviews.list({ limit: 1 });
    const review = await client.reviews.approve(data[0]?.id ?? "");
    assert.equal(review.open, false);
  });
  await step("verify an identity, then cancel", async () => {
    const session = await client.identity.verificationSessions.create({
      type: "document",
      metadata: { user: "1" },
      options: { document: { require_live_capture: true } },
    });
    assert.deepEqual([session.status, session.type, session.metadata.user], ["requires_input", "document", "1"]);
    assert.equal((await client.identity.verificationSessions.cancel(session.id)).status, "canceled");
    const { data } = await client.identity.verificationSessions.list({ status: "canceled" });
    holds(data.some(({ id }) => id === session.id));
  });
}

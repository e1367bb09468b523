import assert from "node:assert/strict";
import Stripe from "stripe";
import { connectStripe } from "../connect-stripe.ts";
import { collect, failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

/** Checkout, payment links, saved cards and payouts to others, as a shop uses them. */
export const stripeCheckout: SdkSession = {
  sdk: "stripe",
  document: "stripe",
  async run(url, step) {
    const client = connectStripe(url);
    await selling(client, step);
    await paying(client, step);
    await platform(client, step);
  },
};

async function selling(client: Stripe, step: RunStep): Promise<void> {
  const product = await client.products.create({ name: "Hat" });
  const price = await client.prices.create({ product: product.id, unit_amount: 1500, currency: "usd" });
  await step("a price is no subscription unless it says so", async () =>
    assert.deepEqual([price.type, price.billing_scheme, price.metadata], ["one_time", "per_unit", {}]),
  );
  const line = { price: price.id, quantity: 2 };
  const session = await client.checkout.sessions.create({
    mode: "payment",
    line_items: [line],
    success_url: "https://example.org/done",
    metadata: { cart: "1" },
  });
  await step("a new checkout session is open and not paid", async () =>
    assert.deepEqual([session.status, session.payment_status, session.metadata], ["open", "unpaid", { cart: "1" }]),
  );
  await step("list the line items of a session", async () => {
    const { data } = await client.checkout.sessions.listLineItems(session.id, { limit: 5 });
    assert.deepEqual(
      data.map((one) => [one.quantity, one.price?.id]),
      [[2, price.id]],
    );
  });
  await step("expire a session and list it by its status", async () => {
    assert.equal((await client.checkout.sessions.expire(session.id)).status, "expired");
    const { data } = await client.checkout.sessions.list({ status: "expired", limit: 100 });
    holds(data.some(({ id }) => id === session.id) && data.every(({ status }) => status === "expired"));
  });
  await step("create, list and deactivate a payment link", async () => {
    const link = await client.paymentLinks.create({ line_items: [{ ...line, quantity: 3 }] });
    assert.equal((await client.paymentLinks.listLineItems(link.id)).data[0]?.quantity, 3);
    const changed = await client.paymentLinks.update(link.id, { active: false });
    assert.deepEqual([link.active, changed.active, changed.url], [true, false, link.url]);
  });
  await step("a new tax rate is active until it is archived", async () => {
    const rate = await client.taxRates.create({ display_name: "VAT", percentage: 19, inclusive: false });
    assert.equal(rate.active, true);
    await client.taxRates.update(rate.id, { active: false });
    holds((await collect(client.taxRates.list({ active: false }))).some(({ id }) => id === rate.id));
  });
}

async function paying(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ name: "Bob" });
  const method = await client.paymentMethods.create({ type: "card", card: { token: "tok_visa" } });
  await client.paymentMethods.attach(method.id, { customer: customer.id });
  await step("expand the default method of the customer of a payment", async () => {
    await client.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
    const { id } = await client.paymentIntents.create({ amount: 2000, currency: "usd", customer: customer.id });
    const expand = ["customer.invoice_settings.default_payment_method"];
    const found = (await client.paymentIntents.retrieve(id, { expand })).customer as Stripe.Customer;
    const usual = found.invoice_settings.default_payment_method as Stripe.PaymentMethod;
    assert.deepEqual([found.name, usual.id], ["Bob", method.id]);
  });
  await step("cancel a refund that its description allows to", async () => {
    const intent = await client.paymentIntents.create({ amount: 900, currency: "usd" });
    const refund = await client.refunds.create({ payment_intent: intent.id, amount: 500 });
    assert.equal((await client.refunds.cancel(refund.id)).status, "canceled");
  });
  await step("a new payout is pending until it is canceled", async () => {
    const payout = await client.payouts.create({ amount: 1000, currency: "usd" });
    assert.equal(payout.status, "pending");
    assert.equal((await client.payouts.cancel(payout.id)).status, "canceled");
  });
  await step("unset all metadata", async () => {
    const { id } = await client.paymentIntents.create({ amount: 1, currency: "usd", metadata: { order: "1" } });
    assert.deepEqual((await client.paymentIntents.update(id, { metadata: "" })).metadata, {});
  });
  await step("a missing parameter by its name", async () => {
    const thrown = await failureOf(() =>
      client.paymentIntents.create({ amount: 1 } as Stripe.PaymentIntentCreateParams),
    );
    holds(thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.param === "currency", String(thrown));
  });
}

async function platform(client: Stripe, step: RunStep): Promise<void> {
  const account = await client.accounts.create({ type: "express", country: "US", email: "shop@example.org" });
  await step("transfer to an account and take a part back", async () => {
    const group = { transfer_group: "G1" };
    const transfer = await client.transfers.create({ amount: 400, currency: "usd", destination: account.id, ...group });
    assert.deepEqual(
      (await client.transfers.list(group)).data.map(({ id }) => id),
      [transfer.id],
    );
    const reversal = await client.transfers.createReversal(transfer.id, { amount: 100 });
    assert.deepEqual([reversal.amount, reversal.transfer], [100, transfer.id]);
  });
  await step("add, change and delete a person", async () => {
    const person = await client.accounts.createPerson(account.id, { first_name: "Ada", last_name: "L" });
    const changed = await client.accounts.updatePerson(account.id, person.id, { last_name: "B" });
    assert.deepEqual([changed.first_name, changed.last_name], ["Ada", "B"]);
    assert.equal((await client.accounts.deletePerson(account.id, person.id)).deleted, true);
  });
  await step("upload a file and link it", async () => {
    const data = { data: Buffer.from("hello"), name: "a.txt", type: "text/plain" };
    const file = await client.files.create({ purpose: "dispute_evidence", file: data });
    assert.deepEqual([file.filename, file.size], ["a.txt", 5]);
    const link = await client.fileLinks.create({ file: file.id });
    const found = await client.fileLinks.retrieve(link.id, { expand: ["file"] });
    assert.equal((found.file as Stripe.File).filename, "a.txt");
  });
}

import assert from "node:assert/strict";
import Stripe from "stripe";
import { connectStripe } from "../connect-stripe.ts";
import { collect, failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

/** Payments held and captured, saved cards, disputes and errors, as a shop that takes deposits meets them. */
export const stripePayments: SdkSession = {
  sdk: "stripe",
  document: "stripe",
  async run(url, step) {
    const client = connectStripe(url);
    await deposits(client, step);
    await cards(client, step);
    await charges(client, step);
    await failures(client, step);
  },
};

async function deposits(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ name: "Dora", email: "dora@example.org" });
  const held = await client.paymentIntents.create({
    amount: 9000,
    currency: "usd",
    customer: customer.id,
    capture_method: "manual",
    description: "Deposit",
    statement_descriptor_suffix: "HATS",
    metadata: { booking: "12" },
  });
  await step("a payment held for later keeps what it was made with", async () =>
    assert.deepEqual(
      [held.capture_method, held.description, held.statement_descriptor_suffix, held.metadata.booking],
      ["manual", "Deposit", "HATS", "12"],
    ),
  );
  await step("a new payment has received nothing", async () =>
    assert.deepEqual([held.amount_received, held.canceled_at, held.latest_charge], [0, null, null]),
  );
  await step("capture a payment", async () => {
    const { status } = await client.paymentIntents.capture(held.id, { amount_to_capture: 4000 });
    assert.equal(status, "succeeded");
  });
  await step("confirm with a method and a return address", async () => {
    const intent = await client.paymentIntents.create({ amount: 50, currency: "usd" });
    const confirmed = await client.paymentIntents.confirm(intent.id, {
      payment_method: "pm_card_visa",
      return_url: "https://example.org/back",
    });
    assert.deepEqual(
      [confirmed.id, confirmed.status, confirmed.payment_method],
      [intent.id, "succeeded", "pm_card_visa"],
    );
  });
  await step("create and confirm in one request", async () => {
    const intent = await client.paymentIntents.create({
      amount: 70,
      currency: "usd",
      confirm: true,
      payment_method: "pm_card_visa",
      automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    });
    assert.equal(intent.amount, 70);
    assert.equal(intent.payment_method, "pm_card_visa");
  });
  await step("cancel with a reason", async () => {
    const { id } = await client.paymentIntents.create({ amount: 80, currency: "usd" });
    const { status, cancellation_reason, canceled_at } = await client.paymentIntents.cancel(id, {
      cancellation_reason: "abandoned",
    });
    assert.deepEqual([status, cancellation_reason, typeof canceled_at], ["canceled", "abandoned", "number"]);
  });
  await step("remove the text of a description", async () => {
    const { id } = await client.paymentIntents.create({ amount: 80, currency: "usd", description: "Old" });
    assert.equal((await client.paymentIntents.update(id, { description: "New", amount: 90 })).description, "New");
    assert.equal((await client.paymentIntents.retrieve(id)).amount, 90);
  });
  await step("search by amount and currency", async () => {
    await client.paymentIntents.create({ amount: 123_456, currency: "usd", customer: customer.id });
    const { data, object } = await client.paymentIntents.search({ query: "amount>100000 AND currency:'usd'" });
    assert.equal(object, "search_result");
    holds(data.length > 0 && data.every(({ amount }) => amount > 100_000));
  });
  await step("page through payments by hand", async () => {
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more && seen.length < 300; ) {
      const page = await client.paymentIntents.list({ limit: 2, ...(after && { starting_after: after }) });
      seen.push(...page.data.map(({ id }) => id));
      [after, more] = [seen.at(-1), page.has_more];
    }
    assert.equal(new Set(seen).size, seen.length);
    holds(seen.includes(held.id));
  });
  await step("page back", async () => {
    const { data } = await client.paymentIntents.list({ limit: 3 });
    const back = await client.paymentIntents.list({ limit: 2, ending_before: data[2]?.id ?? "" });
    assert.deepEqual(
      back.data.map(({ id }) => id),
      data.slice(0, 2).map(({ id }) => id),
    );
  });
  await step("auto-page with a limit", async () => {
    const all = await client.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 5 });
    assert.equal(new Set(all.map(({ id }) => id)).size, 5);
  });
}

async function cards(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ name: "Eve" });
  const card = await client.paymentMethods.create({
    type: "card",
    card: { number: "4242424242424242", exp_month: 9, exp_year: 2031, cvc: "123" },
    billing_details: { name: "Eve", address: { city: "Rome", country: "IT" } },
  });
  await step("a new card has its billing details and no customer", async () =>
    assert.deepEqual(
      [card.billing_details.name, card.billing_details.address?.city, card.customer],
      ["Eve", "Rome", null],
    ),
  );
  await step("a card never shows its number", async () => holds(!JSON.stringify(card).includes("4242424242424242")));
  await step("change the expiry of a card", async () => {
    const { card: changed } = await client.paymentMethods.update(card.id, { card: { exp_year: 2033 } });
    assert.deepEqual([changed?.exp_year, changed?.exp_month], [2033, 9]);
  });
  await step("attach, list by type and detach", async () => {
    await client.paymentMethods.attach(card.id, { customer: customer.id });
    const list = async () => (await client.paymentMethods.list({ customer: customer.id, type: "card" })).data;
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [card.id],
    );
    assert.equal((await client.customers.retrievePaymentMethod(customer.id, card.id)).id, card.id);
    await client.paymentMethods.detach(card.id);
    assert.deepEqual(await list(), []);
  });
  await step("confirm a setup intent with a method", async () => {
    const setup = await client.setupIntents.create({ customer: customer.id });
    assert.equal(setup.status, "requires_payment_method");
    const confirmed = await client.setupIntents.confirm(setup.id, { payment_method: card.id });
    assert.deepEqual([confirmed.status, confirmed.payment_method], ["succeeded", card.id]);
  });
  await step("list setup intents of a customer", async () => {
    const { data } = await client.setupIntents.list({ customer: customer.id });
    holds(data.length === 1 && data[0]?.customer === customer.id);
  });
  await step("expand the customer of a setup intent", async () => {
    const setup = await client.setupIntents.create({ customer: customer.id, expand: ["customer"] });
    assert.equal((setup.customer as Stripe.Customer).name, "Eve");
  });
}

async function charges(client: Stripe, step: RunStep): Promise<void> {
  const charge = await client.charges.create({ amount: 3000, currency: "usd", source: "tok_visa", description: "Hat" });
  await step("charge a token", async () =>
    assert.deepEqual([charge.amount, charge.currency, charge.description], [3000, "usd", "Hat"]),
  );
  await step("a charge without a capture is captured later", async () => {
    const later = await client.charges.create({ amount: 700, currency: "usd", source: "tok_visa", capture: false });
    assert.equal(later.captured, false);
    assert.equal((await client.charges.capture(later.id)).captured, true);
  });
  await step("change and list charges", async () => {
    const changed = await client.charges.update(charge.id, {
      metadata: { order: "6" },
      receipt_email: "a@example.org",
    });
    assert.deepEqual([changed.metadata.order, changed.receipt_email], ["6", "a@example.org"]);
    holds((await collect(client.charges.list({ limit: 4 }))).some(({ id }) => id === charge.id));
  });
  await step("search charges by metadata", async () => {
    const { data } = await client.charges.search({ query: "metadata['order']:'6'" });
    assert.deepEqual(
      data.map(({ id }) => id),
      [charge.id],
    );
  });
  await step("refund a charge and expand it", async () => {
    const refund = await client.refunds.create({ charge: charge.id, expand: ["charge"] });
    assert.equal((refund.charge as Stripe.Charge).id, charge.id);
  });
  await step("list, change and close a dispute", async () => {
    const { data } = await client.disputes.list({ limit: 1 });
    const id = data[0]?.id ?? "";
    const changed = await client.disputes.update(id, { evidence: { customer_name: "Ada" }, metadata: { a: "b" } });
    assert.deepEqual([changed.evidence.customer_name, changed.metadata.a], ["Ada", "b"]);
    assert.equal((await client.disputes.close(id)).id, id);
  });
  await step("balance transactions by type", async () => {
    const { data } = await client.balanceTransactions.list({ limit: 1 });
    const one = await client.balanceTransactions.retrieve(data[0]?.id ?? "");
    assert.equal(one.id, data[0]?.id);
    const same = await collect(client.balanceTransactions.list({ type: one.type }));
    holds(same.length > 0 && same.every(({ type }) => type === one.type));
  });
  await step("pay out with a description and find it by status", async () => {
    const payout = await client.payouts.create({
      amount: 110,
      currency: "usd",
      description: "May",
      metadata: { a: "1" },
    });
    assert.deepEqual([payout.amount, payout.description, payout.metadata?.a], [110, "May", "1"]);
    const { data } = await client.payouts.list({ status: payout.status, limit: 100 });
    holds(data.some(({ id }) => id === payout.id));
  });
  await step("top up and cancel", async () => {
    const topup = await client.topups.create({ amount: 2000, currency: "usd", description: "Top-up" });
    assert.deepEqual([topup.amount, topup.status], [2000, "pending"]);
    assert.equal((await client.topups.cancel(topup.id)).status, "canceled");
  });
  await step("reverse a transfer and list its reversals", async () => {
    const account = await client.accounts.create({ type: "custom", country: "US" });
    const transfer = await client.transfers.create({ amount: 400, currency: "usd", destination: account.id });
    assert.deepEqual([transfer.destination, transfer.reversed, transfer.amount_reversed], [account.id, false, 0]);
    const reversal = await client.transfers.createReversal(transfer.id, { amount: 100, metadata: { why: "x" } });
    const { data } = await client.transfers.listReversals(transfer.id);
    assert.deepEqual(
      data.map(({ id }) => id),
      [reversal.id],
    );
    const changed = await client.transfers.updateReversal(transfer.id, reversal.id, { metadata: { why: "y" } });
    assert.equal(changed.metadata?.why, "y");
  });
}

async function failures(client: Stripe, step: RunStep): Promise<void> {
  const invalid = async (work: () => Promise<unknown>): Promise<Stripe.errors.StripeError> => {
    const thrown = await failureOf(work);
    holds(thrown instanceof Stripe.errors.StripeInvalidRequestError, String(thrown));
    return thrown;
  };
  await step("an unknown payment names the record", async () => {
    const { statusCode, message } = await invalid(() => client.paymentIntents.retrieve("pi_none"));
    assert.equal(statusCode, 404);
    assert.match(message, /pi_none/);
  });
  await step("a text in place of an amount", async () => {
    const create = () =>
      client.paymentIntents.create({ amount: "many", currency: "usd" } as unknown as Stripe.PaymentIntentCreateParams);
    const { statusCode, param } = await invalid(create);
    assert.deepEqual([statusCode, param], [400, "amount"]);
  });
  await step("a value that an enum does not have", async () => {
    const create = () =>
      client.coupons.create({ percent_off: 5, duration: "always" } as unknown as Stripe.CouponCreateParams);
    assert.equal((await invalid(create)).param, "duration");
  });
  await step("an unknown method of payment cannot be attached", async () => {
    const attach = () => client.paymentMethods.attach("pm_none", { customer: "cus_none" });
    assert.equal((await invalid(attach)).statusCode, 404);
  });
  await step("one key, two bodies", async () => {
    const options = { idempotencyKey: "two-bodies" };
    const first = await client.customers.create({ name: "A" }, options);
    const again = await client.customers.create({ name: "A" }, options);
    assert.equal(again.id, first.id);
    assert.equal(again.lastResponse.statusCode, 200);
  });
  await step("responses have their status and headers", async () => {
    const one = await client.customers.create({ name: "Raw" });
    assert.equal(one.lastResponse.statusCode, 200);
    assert.match(one.lastResponse.headers["content-type"] ?? "", /json/);
  });
}

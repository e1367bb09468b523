import assert from "node:assert/strict";
import Stripe from "stripe";
import { connectStripe } from "../connect-stripe.ts";
import { collect, failureOf, holds, made, type RunStep, type SdkSession } from "../session.ts";

/** Subscriptions, invoices, refunds and prices, as an app that bills its customers uses them. */
export const stripeBilling: SdkSession = {
  sdk: "stripe",
  document: "stripe",
  async run(url, step) {
    const client = connectStripe(url);
    await plans(client, step);
    await billing(client, step);
    await money(client, step);
  },
};

async function plans(client: Stripe, step: RunStep): Promise<void> {
  const product = await client.products.create({ name: "Gold plan", metadata: { tier: "gold" } });
  await step("create a price with tiers of its own", async () => {
    const price = await client.prices.create({
      product: product.id,
      currency: "usd",
      billing_scheme: "tiered",
      tiers_mode: "graduated",
      recurring: { interval: "year", interval_count: 2, usage_type: "metered" },
      tiers: [
        { up_to: 10, unit_amount: 100 },
        { up_to: "inf", unit_amount: 50 },
      ],
    });
    assert.deepEqual(
      [price.billing_scheme, price.tiers_mode, price.recurring?.interval, price.recurring?.interval_count],
      ["tiered", "graduated", "year", 2],
    );
    assert.equal(price.type, "recurring");
  });
  await step("deactivate a price and look it up by its key", async () => {
    const price = await client.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: 1500,
      lookup_key: "gold",
      nickname: "Gold",
    });
    const changed = await client.prices.update(price.id, { active: false, nickname: "Old gold" });
    assert.deepEqual([changed.active, changed.nickname, changed.unit_amount], [false, "Old gold", 1500]);
    const { data } = await client.prices.list({ lookup_keys: ["gold"] });
    holds(
      data.some(({ id }) => id === price.id),
      "the price is not listed by its key",
    );
  });
  await step("list the prices of a product", async () => {
    const all = await collect(client.prices.list({ product: product.id, limit: 1 }));
    assert.equal(all.length, 2);
    holds(all.every((one) => one.product === product.id));
  });
  await step("create, list and delete a promotion code's coupon", async () => {
    const coupon = await client.coupons.create({
      amount_off: 300,
      currency: "usd",
      duration: "repeating",
      duration_in_months: 3,
    });
    assert.deepEqual([coupon.amount_off, coupon.duration_in_months, coupon.valid], [300, 3, true]);
    holds((await collect(client.coupons.list())).some(({ id }) => id === coupon.id));
    assert.equal((await client.coupons.del(coupon.id)).deleted, true);
    holds(
      (await failureOf(() => client.coupons.retrieve(coupon.id))) instanceof Stripe.errors.StripeInvalidRequestError,
    );
  });
}

async function billing(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ email: "billing@example.org" });
  const price = await client.prices.create({
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month" },
    product_data: { name: "Basic" },
  });
  const subscription = await step(
    "subscribe with a trial and metadata",
    () =>
      client.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        metadata: { seat: "4" },
        trial_end: 1_900_000_000,
        collection_method: "send_invoice",
        days_until_due: 14,
      }),
    (one) => {
      assert.deepEqual(
        [one.customer, one.metadata.seat, one.collection_method, one.days_until_due, one.trial_end],
        [customer.id, "4", "send_invoice", 14, 1_900_000_000],
      );
      holds(["active", "trialing", "incomplete"].includes(one.status), one.status);
    },
  );
  await step("change the quantity of a subscription item", async () => {
    const item = made(made(subscription).items.data[0]);
    const changed = await client.subscriptionItems.update(item.id, { quantity: 5 });
    assert.deepEqual([changed.id, changed.quantity], [item.id, 5]);
  });
  await step("add a subscription item", async () => {
    const item = await client.subscriptionItems.create({
      subscription: made(subscription).id,
      price: price.id,
      quantity: 2,
    });
    assert.deepEqual([item.subscription, item.quantity, item.price.id], [made(subscription).id, 2, price.id]);
    const { data } = await client.subscriptionItems.list({ subscription: made(subscription).id });
    holds(data.some(({ id }) => id === item.id));
  });
  await step("list subscriptions by status", async () => {
    await client.subscriptions.cancel(made(subscription).id);
    const { data } = await client.subscriptions.list({ customer: customer.id, status: "canceled" });
    assert.deepEqual(
      data.map(({ id }) => id),
      [made(subscription).id],
    );
  });
  await step("void an invoice", async () => {
    const invoice = await client.invoices.create({ customer: customer.id, description: "May", footer: "Thanks" });
    assert.deepEqual([invoice.description, invoice.footer, invoice.status], ["May", "Thanks", "draft"]);
    const finalized = await client.invoices.finalizeInvoice(made(invoice.id));
    assert.equal(finalized.status, "open");
    assert.equal((await client.invoices.voidInvoice(made(invoice.id))).status, "void");
  });
  await step("delete a draft invoice", async () => {
    const { id = "" } = await client.invoices.create({ customer: customer.id });
    const gone = await client.invoices.del(id);
    assert.deepEqual([gone.id, gone.deleted], [id, true]);
  });
  await step("send an invoice and mark it as uncollectible", async () => {
    const { id = "" } = await client.invoices.create({ customer: customer.id });
    assert.equal((await client.invoices.sendInvoice(id)).id, id);
    assert.equal((await client.invoices.markUncollectible(id)).status, "uncollectible");
  });
  await step("list the invoice items of a customer", async () => {
    for (const amount of [100, 200])
      await client.invoiceItems.create({ customer: customer.id, amount, currency: "usd" });
    const items = await collect(client.invoiceItems.list({ customer: customer.id, limit: 1 }));
    assert.deepEqual(
      items.map(({ amount }) => amount).toSorted((a, b) => a - b),
      [100, 200],
    );
  });
}

async function money(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ name: "Cleo" });
  const intent = await client.paymentIntents.create({ amount: 5000, currency: "usd", customer: customer.id });
  await step("list the refunds of a payment", async () => {
    const refund = await client.refunds.create({
      payment_intent: intent.id,
      amount: 100,
      reason: "requested_by_customer",
      metadata: { why: "late" },
    });
    assert.deepEqual([refund.reason, refund.metadata?.why], ["requested_by_customer", "late"]);
    const { data } = await client.refunds.list({ payment_intent: intent.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [refund.id],
    );
    assert.equal((await client.refunds.update(refund.id, { metadata: { why: "lost" } })).metadata?.why, "lost");
  });
  await step("save a card for later by a setup intent", async () => {
    const setup = await client.setupIntents.create({
      customer: customer.id,
      usage: "off_session",
    });
    assert.deepEqual([setup.customer, setup.usage], [customer.id, "off_session"]);
    assert.equal((await client.setupIntents.cancel(setup.id)).status, "canceled");
  });
  await step("list the payment methods of a customer", async () => {
    const method = await client.paymentMethods.create({ type: "card", card: { token: "tok_visa" } });
    await client.paymentMethods.attach(method.id, { customer: customer.id });
    const { data } = await client.customers.listPaymentMethods(customer.id);
    holds(
      data.some(({ id }) => id === method.id),
      "the method is not listed",
    );
    assert.equal((await client.paymentMethods.detach(method.id)).customer, null);
  });
  await step("search payments by their metadata", async () => {
    await client.paymentIntents.update(intent.id, { metadata: { order: "77" }, description: "Two hats" });
    const { data } = await client.paymentIntents.search({
      query: "metadata['order']:'77' AND status:'requires_payment_method'",
    });
    assert.deepEqual(
      data.map(({ id, description }) => [id, description]),
      [[intent.id, "Two hats"]],
    );
  });
  await step("expand a list", async () => {
    const { data } = await client.paymentIntents.list({ customer: customer.id, expand: ["data.customer"] });
    assert.deepEqual(
      data.map((one) => (one.customer as Stripe.Customer).name),
      ["Cleo"],
    );
  });
  await step("change the balance of a customer and give a tax id", async () => {
    const transaction = await client.customers.createBalanceTransaction(customer.id, { amount: -500, currency: "usd" });
    assert.deepEqual([transaction.amount, transaction.customer], [-500, customer.id]);
    const tax = await client.customers.createTaxId(customer.id, { type: "eu_vat", value: "DE123456789" });
    assert.deepEqual([tax.type, tax.value], ["eu_vat", "DE123456789"]);
    holds((await client.customers.listTaxIds(customer.id)).data.some(({ id }) => id === tax.id));
  });
  await step("retrieve the account and its balance", async () => {
    assert.equal((await client.balance.retrieve()).object, "balance");
    holds((await client.events.list({ limit: 3 })).data.every(({ object }) => object === "event"));
  });
}

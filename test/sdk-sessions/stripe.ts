import assert from "node:assert/strict";
import Stripe from "stripe";
import { connectStripe } from "./connect-stripe.ts";
import { collect, failureOf, holds, made, type RunStep, type SdkSession } from "./session.ts";

export const stripe: SdkSession = {
  sdk: "stripe",
  document: "stripe",
  async run(url, step) {
    const client = connectStripe(url);
    const customer = await customers(client, step);
    const price = await products(client, step);
    await payments(client, step, customer);
    await subscriptions(client, step, { customer, price });
    await invoices(client, step, customer);
    await others(client, step, price);
    await errors(client, step);
  },
};

type Customer = Stripe.Customer | undefined;
type Price = Stripe.Price | undefined;

async function customers(client: Stripe, step: RunStep): Promise<Customer> {
  const ada = await step(
    "create a customer",
    () => client.customers.create({ name: "Ada", email: "ada@example.org" }),
    (one) => {
      assert.equal(one.object, "customer");
      assert.equal(one.email, "ada@example.org");
      assert.equal(typeof one.created, "number");
    },
  );
  const nested = await step(
    "create with an address and metadata",
    () =>
      client.customers.create({ name: "Bob", address: { city: "Oslo" }, metadata: { order_id: "6735", tier: "gold" } }),
    (one) => {
      assert.equal(one.address?.city, "Oslo");
      assert.deepEqual(one.metadata, { order_id: "6735", tier: "gold" });
    },
  );
  await step(
    "retrieve a customer",
    () => client.customers.retrieve(made(ada).id),
    (one) => holds(!one.deleted && one.name === "Ada"),
  );
  await step(
    "update a customer",
    () => client.customers.update(made(ada).id, { name: "Ada L." }),
    (one) => assert.deepEqual([one.name, one.email], ["Ada L.", "ada@example.org"]),
  );
  await step(
    "merge metadata",
    () => client.customers.update(made(nested).id, { metadata: { colour: "red" } }),
    (one) => assert.deepEqual(one.metadata, { order_id: "6735", tier: "gold", colour: "red" }),
  );
  await step(
    "unset a key of metadata",
    () => client.customers.update(made(nested).id, { metadata: { tier: "" } }),
    (one) => assert.deepEqual(one.metadata, { order_id: "6735", colour: "red" }),
  );
  await step(
    "list customers",
    () => client.customers.list({ limit: 2 }),
    (page) => assert.deepEqual([page.object, page.data.length, page.has_more], ["list", 2, true]),
  );
  await step(
    "page through all customers",
    () => collect(client.customers.list({ limit: 3 })),
    (all) => {
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
      holds(all.length > 3 && all.some(({ id }) => id === made(ada).id));
    },
  );
  await step(
    "list by email",
    () => client.customers.list({ email: "ada@example.org" }),
    ({ data }) =>
      assert.deepEqual(
        data.map(({ id }) => id),
        [made(ada).id],
      ),
  );
  await step(
    "list by created[gte]",
    () => client.customers.list({ created: { gte: made(ada).created }, limit: 100 }),
    ({ data }) => {
      holds(data.some(({ id }) => id === made(ada).id));
      holds(data.every(({ created }) => created >= made(ada).created));
    },
  );
  await step(
    "search customers",
    () => client.customers.search({ query: "email:'ada@example.org'" }),
    ({ data }) =>
      assert.deepEqual(
        data.map(({ id }) => id),
        [made(ada).id],
      ),
  );
  await step(
    "delete a customer",
    () => client.customers.del(made(nested).id),
    (gone) => assert.deepEqual([gone.id, gone.object, gone.deleted], [made(nested).id, "customer", true]),
  );
  await step("retrieve a deleted customer", async () => {
    const one = await client.customers.retrieve(made(nested).id).catch((thrown: unknown) => thrown);
    if (one instanceof Stripe.errors.StripeInvalidRequestError) assert.equal(one.statusCode, 404);
    else assert.equal((one as Stripe.DeletedCustomer).deleted, true);
  });
  return ada;
}

async function products(client: Stripe, step: RunStep): Promise<Price> {
  const product = await step(
    "create a product",
    () => client.products.create({ name: "Hat" }),
    (one) => assert.deepEqual([one.object, one.name, one.active], ["product", "Hat", true]),
  );
  const price = await step(
    "create a price",
    () => client.prices.create({ product: made(product).id, unit_amount: 500, currency: "eur" }),
    (one) => assert.deepEqual([one.product, one.unit_amount, one.currency], [made(product).id, 500, "eur"]),
  );
  await step(
    "create a recurring price",
    () =>
      client.prices.create({
        product: made(product).id,
        unit_amount: 5,
        currency: "eur",
        recurring: { interval: "month" },
      }),
    (one) => assert.equal(one.recurring?.interval, "month"),
  );
  await step(
    "expand the product of a price",
    () => client.prices.retrieve(made(price).id, { expand: ["product"] }),
    (one) => assert.equal((one.product as Stripe.Product).name, "Hat"),
  );
  await step(
    "update a product",
    () => client.products.update(made(product).id, { active: false }),
    (one) => assert.deepEqual([one.name, one.active], ["Hat", false]),
  );
  await step(
    "list products by active",
    () => client.products.list({ active: false, limit: 100 }),
    ({ data }) => {
      holds(data.some(({ id }) => id === made(product).id));
      holds(data.every(({ active }) => !active));
    },
  );
  return price;
}

async function payments(client: Stripe, step: RunStep, customer: Customer): Promise<void> {
  const create = () => client.paymentIntents.create({ amount: 2000, currency: "eur", customer: made(customer).id });
  const intent = await step("create a payment intent", create, (one) => {
    assert.deepEqual([one.amount, one.currency, one.customer], [2000, "eur", made(customer).id]);
    assert.equal(typeof one.client_secret, "string");
  });
  await step(
    "retrieve a payment intent",
    () => client.paymentIntents.retrieve(made(intent).id),
    (one) => assert.deepEqual([one.id, one.amount], [made(intent).id, 2000]),
  );
  await step(
    "update a payment intent",
    () => client.paymentIntents.update(made(intent).id, { metadata: { order_id: "1" } }),
    (one) => assert.deepEqual([one.amount, one.metadata.order_id], [2000, "1"]),
  );
  await step(
    "confirm a payment intent",
    () => client.paymentIntents.confirm(made(intent).id),
    (one) => assert.deepEqual([one.id, one.amount], [made(intent).id, 2000]),
  );
  await step(
    "capture a payment intent",
    () => client.paymentIntents.capture(made(intent).id),
    (one) => assert.equal(one.id, made(intent).id),
  );
  await step(
    "cancel a payment intent",
    async () => client.paymentIntents.cancel((await create()).id),
    (one) => assert.deepEqual([one.amount, one.status], [2000, "canceled"]),
  );
  await step(
    "list payment intents of a customer",
    () => client.paymentIntents.list({ customer: made(customer).id }),
    ({ data }) => {
      holds(data.length >= 1);
      holds(data.every((one) => one.customer === made(customer).id));
    },
  );
  const method = await step(
    "create a payment method",
    () =>
      client.paymentMethods.create({
        type: "card",
        card: { number: "4242424242424242", exp_month: 8, exp_year: 2030, cvc: "314" },
      }),
    (one) => {
      assert.equal(one.type, "card");
      assert.equal(one.card?.exp_year, 2030);
      assert.match(one.card?.last4 ?? "", /^\S+/);
    },
  );
  await step(
    "attach a payment method",
    () => client.paymentMethods.attach(made(method).id, { customer: made(customer).id }),
    (one) => assert.deepEqual([one.id, one.customer], [made(method).id, made(customer).id]),
  );
  await step(
    "refund a payment",
    () => client.refunds.create({ payment_intent: made(intent).id, amount: 500 }),
    (one) => assert.deepEqual([one.object, one.amount, one.payment_intent], ["refund", 500, made(intent).id]),
  );
}

async function subscriptions(
  client: Stripe,
  step: RunStep,
  { customer, price }: { customer: Customer; price: Price },
): Promise<void> {
  const subscription = await step(
    "create a subscription with items",
    () => client.subscriptions.create({ customer: made(customer).id, items: [{ price: made(price).id, quantity: 2 }] }),
    (one) => {
      assert.equal(one.customer, made(customer).id);
      assert.equal(one.items.object, "list");
      assert.deepEqual([one.items.data[0]?.price.id, one.items.data[0]?.quantity], [made(price).id, 2]);
    },
  );
  await step(
    "expand the customer of a subscription",
    () => client.subscriptions.retrieve(made(subscription).id, { expand: ["customer"] }),
    (one) => assert.equal((one.customer as Stripe.Customer).email, "ada@example.org"),
  );
  await step(
    "update a subscription",
    () => client.subscriptions.update(made(subscription).id, { cancel_at_period_end: true }),
    (one) => assert.deepEqual([one.id, one.cancel_at_period_end], [made(subscription).id, true]),
  );
  await step(
    "list subscriptions of a customer",
    () => client.subscriptions.list({ customer: made(customer).id }),
    ({ data }) =>
      assert.deepEqual(
        data.map(({ id }) => id),
        [made(subscription).id],
      ),
  );
  await step(
    "cancel a subscription",
    () => client.subscriptions.cancel(made(subscription).id),
    (one) => assert.deepEqual([one.id, one.status], [made(subscription).id, "canceled"]),
  );
}

async function invoices(client: Stripe, step: RunStep, customer: Customer): Promise<void> {
  const invoice = await step(
    "create an invoice",
    () => client.invoices.create({ customer: made(customer).id, auto_advance: false }),
    (one) => assert.deepEqual([one.object, one.customer], ["invoice", made(customer).id]),
  );
  await step(
    "create an invoice item",
    () => client.invoiceItems.create({ customer: made(customer).id, amount: 700, currency: "eur" }),
    (one) => assert.deepEqual([one.amount, one.customer], [700, made(customer).id]),
  );
  await step(
    "finalize an invoice",
    () => client.invoices.finalizeInvoice(made(invoice).id ?? ""),
    (one) => assert.deepEqual([one.id, one.customer, one.status], [made(invoice).id, made(customer).id, "open"]),
  );
  await step(
    "pay an invoice",
    () => client.invoices.pay(made(invoice).id ?? ""),
    (one) => assert.deepEqual([one.id, one.status], [made(invoice).id, "paid"]),
  );
}

async function others(client: Stripe, step: RunStep, price: Price): Promise<void> {
  const session = await step(
    "create a checkout session",
    () =>
      client.checkout.sessions.create({
        mode: "payment",
        line_items: [{ price: made(price).id, quantity: 1 }],
        success_url: "https://example.org/done",
      }),
    (one) => {
      assert.deepEqual([one.mode, one.success_url], ["payment", "https://example.org/done"]);
      assert.match(one.url ?? "", /^\S+$/);
    },
  );
  await step(
    "retrieve a checkout session",
    () => client.checkout.sessions.retrieve(made(session).id),
    (one) => assert.deepEqual([one.id, one.url], [made(session).id, made(session).url]),
  );
  await step(
    "list balance transactions",
    () => collect(client.balanceTransactions.list({ limit: 5 })),
    (all) =>
      holds(
        all.length > 0 &&
          all.every(({ object, amount }) => object === "balance_transaction" && Number.isInteger(amount)),
      ),
  );
  await step(
    "create a webhook endpoint",
    () =>
      client.webhookEndpoints.create({
        url: "https://example.org/hook",
        enabled_events: ["charge.failed", "charge.succeeded"],
      }),
    (one) => assert.deepEqual(one.enabled_events, ["charge.failed", "charge.succeeded"]),
  );
  await step("create a coupon with its own id", async () => {
    await client.coupons.create({ id: "half", percent_off: 50, duration: "once" });
    const coupon = await client.coupons.retrieve("half");
    assert.deepEqual([coupon.id, coupon.percent_off, coupon.duration], ["half", 50, "once"]);
  });
}

async function errors(client: Stripe, step: RunStep): Promise<void> {
  await step(
    "404 by the class of the SDK",
    () => failureOf(() => client.customers.retrieve("cus_none")),
    (thrown) => {
      holds(thrown instanceof Stripe.errors.StripeInvalidRequestError, String(thrown));
      assert.equal(thrown.statusCode, 404);
    },
  );
  await step(
    "a missing parameter by the class of the SDK",
    () => failureOf(() => client.subscriptions.create({} as Stripe.SubscriptionCreateParams)),
    (thrown) => {
      holds(thrown instanceof Stripe.errors.StripeInvalidRequestError, String(thrown));
      assert.equal(thrown.statusCode, 400);
      assert.match(thrown.message, /customer/);
    },
  );
  await step("repeat a create with its idempotency key", async () => {
    const create = () => client.customers.create({ name: "Once" }, { idempotencyKey: "key-1" });
    const [first, second] = [await create(), await create()];
    assert.equal(first.id, second.id);
  });
}

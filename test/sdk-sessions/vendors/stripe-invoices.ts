import assert from "node:assert/strict";
import Stripe from "stripe";
import { connectStripe } from "../connect-stripe.ts";
import { collect, failureOf, holds, made, type RunStep, type SdkSession } from "../session.ts";

/** Invoices with their lines, credit notes, promotion codes, schedules and quotes, as a billing department uses them. */
export const stripeInvoices: SdkSession = {
  sdk: "stripe",
  document: "stripe",
  async run(url, step) {
    const client = connectStripe(url);
    await invoices(client, step);
    await discounts(client, step);
    await plans(client, step);
    await settings(client, step);
  },
};

async function invoices(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ email: "bills@example.org", name: "Bill" });
  const invoice = await client.invoices.create({
    customer: customer.id,
    collection_method: "send_invoice",
    days_until_due: 30,
    custom_fields: [{ name: "Order", value: "7" }],
    metadata: { order: "7" },
  });
  const id = made(invoice.id);
  await step("a new invoice is a draft with its custom fields", async () =>
    assert.deepEqual(
      [invoice.status, invoice.collection_method, invoice.custom_fields, invoice.metadata],
      ["draft", "send_invoice", [{ name: "Order", value: "7" }], { order: "7" }],
    ),
  );
  const item = await client.invoiceItems.create({
    customer: customer.id,
    invoice: id,
    amount: 2500,
    currency: "usd",
    description: "Hat",
  });
  await step("an item belongs to its invoice", async () => {
    assert.deepEqual([item.invoice, item.amount, item.description], [id, 2500, "Hat"]);
    const { data } = await client.invoiceItems.list({ invoice: id });
    assert.deepEqual(
      data.map((one) => one.id),
      [item.id],
    );
  });
  await step("change and delete an item", async () => {
    const changed = await client.invoiceItems.update(item.id, { description: "Cap", amount: 2000 });
    assert.deepEqual([changed.description, changed.amount], ["Cap", 2000]);
    assert.deepEqual(await client.invoiceItems.del(item.id).then(({ deleted, object }) => [deleted, object]), [
      true,
      "invoiceitem",
    ]);
  });
  await step("change a draft", async () => {
    const changed = await client.invoices.update(id, { description: "June", metadata: { month: "6" } });
    assert.deepEqual([changed.description, changed.metadata], ["June", { order: "7", month: "6" }]);
  });
  await step("finalize, pay and list by status", async () => {
    assert.equal((await client.invoices.finalizeInvoice(id)).status, "open");
    assert.equal((await client.invoices.pay(id, { paid_out_of_band: true })).status, "paid");
    const { data } = await client.invoices.list({ customer: customer.id, status: "paid" });
    assert.deepEqual(
      data.map((one) => one.id),
      [id],
    );
  });
  await step("search invoices", async () => {
    const { data } = await client.invoices.search({ query: `customer:'${customer.id}' AND status:'paid'` });
    assert.deepEqual(
      data.map((one) => one.id),
      [id],
    );
  });
  await step("list the lines of an invoice to the end", async () => {
    const lines = await collect(client.invoices.listLineItems(id, { limit: 2 }));
    assert.equal(new Set(lines.map((one) => one.id)).size, lines.length);
  });
  await step("credit an invoice, then void the note", async () => {
    const note = await client.creditNotes.create({ invoice: id, amount: 500, reason: "duplicate", memo: "Twice" });
    assert.deepEqual([note.invoice, note.amount, note.reason, note.memo], [id, 500, "duplicate", "Twice"]);
    assert.equal((await client.creditNotes.voidCreditNote(note.id)).status, "void");
    const { data } = await client.creditNotes.list({ invoice: id });
    assert.deepEqual(
      data.map((one) => [one.id, one.status]),
      [[note.id, "void"]],
    );
  });
  await step("expand the customer of an invoice in a list", async () => {
    const { data } = await client.invoices.list({ customer: customer.id, expand: ["data.customer"] });
    assert.equal((made(data[0]).customer as Stripe.Customer).name, "Bill");
  });
  await step("quote, finalize and accept", async () => {
    const quote = await client.quotes.create({ customer: customer.id, description: "Offer", header: "Hats" });
    assert.deepEqual([quote.status, quote.description, quote.header], ["draft", "Offer", "Hats"]);
    assert.equal((await client.quotes.finalizeQuote(quote.id)).status, "open");
    assert.equal((await client.quotes.accept(quote.id)).status, "accepted");
  });
}

async function discounts(client: Stripe, step: RunStep): Promise<void> {
  const coupon = await client.coupons.create({ percent_off: 25.5, duration: "forever", name: "Spring" });
  await step("a coupon has its decimals", async () =>
    assert.deepEqual([coupon.percent_off, coupon.amount_off, coupon.times_redeemed], [25.5, null, 0]),
  );
  await step("rename a coupon", async () =>
    assert.equal((await client.coupons.update(coupon.id, { name: "Summer" })).name, "Summer"),
  );
  await step("tax rates keep percentages and can be found", async () => {
    const rate = await client.taxRates.create({
      display_name: "IVA",
      percentage: 21.5,
      inclusive: true,
      country: "ES",
      jurisdiction: "ES",
    });
    assert.deepEqual([rate.percentage, rate.inclusive, rate.country], [21.5, true, "ES"]);
    const { data } = await client.taxRates.list({ inclusive: true, limit: 100 });
    holds(data.some(({ id }) => id === rate.id) && data.every(({ inclusive }) => inclusive));
  });
  await step("a shipping rate with a fixed amount", async () => {
    const rate = await client.shippingRates.create({
      display_name: "Ground",
      type: "fixed_amount",
      fixed_amount: { amount: 500, currency: "usd" },
    });
    assert.deepEqual([rate.display_name, rate.fixed_amount?.amount, rate.active], ["Ground", 500, true]);
    assert.equal((await client.shippingRates.update(rate.id, { active: false })).active, false);
  });
}

async function plans(client: Stripe, step: RunStep): Promise<void> {
  const product = await client.products.create({
    name: "Club",
    default_price_data: { currency: "usd", unit_amount: 1000, recurring: { interval: "month" } },
    images: ["https://example.org/a.png"],
    package_dimensions: { height: 1, length: 2, width: 3, weight: 4 },
  });
  await step("a product keeps its lists and objects", async () =>
    assert.deepEqual(
      [product.images, product.package_dimensions],
      [["https://example.org/a.png"], { height: 1, length: 2, width: 3, weight: 4 }],
    ),
  );
  await step("unset a field with an empty text", async () => {
    const changed = await client.products.update(product.id, { images: "", description: "Once" });
    assert.deepEqual([changed.images, changed.description], [[], "Once"]);
  });
  await step("search products by name", async () => {
    const { data } = await client.products.search({ query: "name:'Club'" });
    holds(data.length === 1 && data[0]?.id === product.id);
  });
  const price = await client.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 1000,
    recurring: { interval: "month" },
  });
  const customer = await client.customers.create({ name: "Carl" });
  await step("schedule a subscription and cancel it", async () => {
    const schedule = await client.subscriptionSchedules.create({
      customer: customer.id,
      start_date: 1_900_000_000,
      end_behavior: "release",
      phases: [{ items: [{ price: price.id, quantity: 1 }], metadata: { phase: "one" } }],
    });
    assert.deepEqual([schedule.customer, schedule.end_behavior], [customer.id, "release"]);
    assert.equal(schedule.phases.length, 1);
    const { data } = await client.subscriptionSchedules.list({ customer: customer.id });
    assert.equal(data[0]?.id, schedule.id);
    assert.equal((await client.subscriptionSchedules.cancel(schedule.id)).status, "canceled");
  });
  await step("release a schedule", async () => {
    const { id } = await client.subscriptionSchedules.create({ customer: customer.id, start_date: "now" });
    assert.equal((await client.subscriptionSchedules.release(id)).status, "released");
  });
  const subscription = await client.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_tax_rates: [],
  });
  await step("expand the price's product in the items of a subscription", async () => {
    const found = await client.subscriptions.retrieve(subscription.id, { expand: ["items.data.price.product"] });
    assert.equal((made(found.items.data[0]).price.product as Stripe.Product).name, "Club");
  });
  await step("pause and resume collection", async () => {
    const paused = await client.subscriptions.update(subscription.id, { pause_collection: { behavior: "void" } });
    assert.equal(paused.pause_collection?.behavior, "void");
    assert.equal((await client.subscriptions.update(subscription.id, { pause_collection: "" })).pause_collection, null);
  });
  await step("remove a subscription item", async () => {
    const extra = await client.subscriptionItems.create({ subscription: subscription.id, price: price.id });
    assert.equal((await client.subscriptionItems.del(extra.id)).deleted, true);
    const { data } = await client.subscriptionItems.list({ subscription: subscription.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [subscription.items.data[0]?.id],
    );
  });
  await step("search subscriptions by their status", async () => {
    await client.subscriptions.cancel(subscription.id);
    const { data } = await client.subscriptions.search({ query: "status:'canceled'" });
    holds(data.some(({ id }) => id === subscription.id));
  });
  await step("delete a product, then a price of it cannot be made", async () => {
    const { id } = await client.products.create({ name: "Gone" });
    assert.equal((await client.products.del(id)).deleted, true);
    holds((await failureOf(() => client.products.retrieve(id))) instanceof Stripe.errors.StripeInvalidRequestError);
  });
}

async function settings(client: Stripe, step: RunStep): Promise<void> {
  const endpoint = await client.webhookEndpoints.create({
    url: "https://example.org/hook",
    enabled_events: ["*"],
    description: "Main",
    metadata: { team: "a" },
  });
  await step("a new endpoint has a secret and is enabled", async () =>
    assert.deepEqual([endpoint.status, typeof endpoint.secret, endpoint.description], ["enabled", "string", "Main"]),
  );
  await step("configure the portal and open a session", async () => {
    const configuration = await client.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true } },
      business_profile: { headline: "Hats" },
    });
    assert.deepEqual(
      [configuration.features.invoice_history.enabled, configuration.business_profile.headline],
      [true, "Hats"],
    );
    const customer = await client.customers.create({ name: "P" });
    const session = await client.billingPortal.sessions.create({
      customer: customer.id,
      return_url: "https://example.org",
    });
    assert.deepEqual([session.customer, session.return_url], [customer.id, "https://example.org"]);
    assert.match(session.url, /^https?:/);
  });
  await step("a test clock advances", async () => {
    const clock = await client.testHelpers.testClocks.create({ frozen_time: 1_800_000_000, name: "Year" });
    assert.deepEqual([clock.frozen_time, clock.name], [1_800_000_000, "Year"]);
    const later = await client.testHelpers.testClocks.advance(clock.id, { frozen_time: 1_800_001_000 });
    assert.equal(later.frozen_time, 1_800_001_000);
    assert.equal((await client.testHelpers.testClocks.del(clock.id)).deleted, true);
  });
  await step("a reader in a location", async () => {
    const location = await client.terminal.locations.create({
      display_name: "Shop",
      address: { line1: "1 Main St", city: "Rome", country: "IT", postal_code: "00100" },
    });
    assert.equal(location.address.city, "Rome");
    const reader = await client.terminal.readers.create({
      registration_code: "simulated-wpe",
      label: "Till",
      location: location.id,
    });
    assert.deepEqual([reader.label, reader.location], ["Till", location.id]);
    const { data } = await client.terminal.readers.list({ location: location.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [reader.id],
    );
  });
  await step("retrieve an event by its id", async () => {
    const [first] = (await client.events.list({ limit: 1 })).data;
    assert.equal((await client.events.retrieve(made(first).id)).id, first?.id);
  });
}

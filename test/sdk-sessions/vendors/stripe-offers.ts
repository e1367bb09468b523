import assert from "node:assert/strict";
import Stripe from "stripe";
import { connectStripe, isGone } from "../connect-stripe.ts";
import { collect, failureOf, holds, type RunStep, type SdkSession } from "../session.ts";

/** Promotions, quotes, expanded parts, searches and pages, as a shop that makes offers uses them. */
export const stripeOffers: SdkSession = {
  sdk: "stripe",
  document: "stripe",
  async run(url, step) {
    const client = connectStripe(url);
    await promotions(client, step);
    await customers(client, step);
    await subscriptions(client, step);
    await quotes(client, step);
    await catalogue(client, step);
    await pages(client, step);
  },
};

async function promotions(client: Stripe, step: RunStep): Promise<void> {
  const coupon = await client.coupons.create({ percent_off: 20, duration: "once", name: "Twenty" });
  const code = await client.promotionCodes.create({
    coupon: coupon.id,
    code: "TWENTY",
    max_redemptions: 5,
    restrictions: { first_time_transaction: true },
    metadata: { a: "b" },
    // The SDK is of a later version of the API than the document.
  } as unknown as Stripe.PromotionCodeCreateParams);
  await step("a promotion code has its limits and is active", async () =>
    assert.deepEqual(
      [code.code, code.max_redemptions, code.restrictions.first_time_transaction, code.active, code.times_redeemed],
      ["TWENTY", 5, true, true, 0],
    ),
  );
  await step("find a promotion code by its code", async () => {
    const { data } = await client.promotionCodes.list({ code: "TWENTY" });
    assert.deepEqual(
      data.map(({ id }) => id),
      [code.id],
    );
  });
  await step("the coupon of a promotion code", async () => {
    const found = (await client.promotionCodes.retrieve(code.id)) as unknown as { coupon: Stripe.Coupon };
    assert.deepEqual([found.coupon.id, found.coupon.name], [coupon.id, "Twenty"]);
  });
  await step("list the promotion codes of a coupon", async () => {
    const { data } = await client.promotionCodes.list({ coupon: coupon.id });
    assert.deepEqual(
      data.map(({ id }) => id),
      [code.id],
    );
  });
  await step("deactivate a promotion code", async () => {
    assert.equal((await client.promotionCodes.update(code.id, { active: false })).active, false);
    const { data } = await client.promotionCodes.list({ active: false });
    holds(data.some(({ id }) => id === code.id) && data.every(({ active }) => !active));
  });
  await step("a payment link goes on to a page", async () => {
    const price = await client.prices.create({ currency: "usd", unit_amount: 5, product_data: { name: "Pin" } });
    const link = await client.paymentLinks.create({
      line_items: [{ price: price.id, quantity: 1 }],
      after_completion: { type: "redirect", redirect: { url: "https://example.org/thanks" } },
      allow_promotion_codes: true,
      metadata: { campaign: "x" },
    });
    assert.deepEqual(
      [link.after_completion.redirect?.url, link.allow_promotion_codes, link.metadata],
      ["https://example.org/thanks", true, { campaign: "x" }],
    );
    await client.paymentLinks.update(link.id, { active: false });
    const { data } = await client.paymentLinks.list({ active: false, limit: 100 });
    holds(data.some(({ id }) => id === link.id) && data.every(({ active }) => !active));
  });
}

async function customers(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({
    name: "Flo",
    phone: "+390612345",
    preferred_locales: ["it", "en"],
    shipping: { name: "Flo", address: { line1: "1 Main St", city: "Rome" } },
    invoice_settings: { footer: "Thanks", custom_fields: [{ name: "VAT", value: "1" }] },
    tax_exempt: "reverse",
  });
  await step("a customer has lists and objects of objects", async () =>
    assert.deepEqual(
      [customer.preferred_locales, customer.shipping?.address?.city, customer.invoice_settings.custom_fields],
      [["it", "en"], "Rome", [{ name: "VAT", value: "1" }]],
    ),
  );
  await step("the transactions of a customer's balance", async () => {
    const one = await client.customers.createBalanceTransaction(customer.id, {
      amount: -200,
      currency: "usd",
      description: "Gift",
    });
    const changed = await client.customers.updateBalanceTransaction(customer.id, one.id, { description: "Prize" });
    assert.deepEqual([changed.description, changed.amount, changed.customer], ["Prize", -200, customer.id]);
    const { data } = await client.customers.listBalanceTransactions(customer.id);
    assert.deepEqual(
      data.map(({ id }) => id),
      [one.id],
    );
  });
  await step("clear one field of a customer", async () => {
    const changed = await client.customers.update(customer.id, { shipping: "" });
    assert.deepEqual([changed.shipping, changed.name], [null, "Flo"]);
  });
  await step("expand the subscriptions of a customer", async () => {
    const price = await client.prices.create({
      currency: "usd",
      unit_amount: 7,
      recurring: { interval: "week" },
      product_data: { name: "Weekly" },
    });
    const { id } = await client.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
    const found = await client.customers.retrieve(customer.id, { expand: ["subscriptions"] });
    holds(!found.deleted);
    assert.deepEqual(
      found.subscriptions?.data.map((one) => one.id),
      [id],
    );
  });
}

async function subscriptions(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ name: "Gus" });
  const price = await client.prices.create({
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month" },
    product_data: { name: "Plan" },
  });
  const other = await client.prices.create({
    currency: "usd",
    unit_amount: 1900,
    recurring: { interval: "month" },
    product_data: { name: "Pro" },
  });
  const subscription = await client.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }, { price: other.id, quantity: 3 }],
    description: "Two plans",
  });
  await step("a subscription has an item for each price", async () =>
    assert.deepEqual(
      subscription.items.data.map((one) => [one.price.id, one.quantity ?? 1]),
      [
        [price.id, 1],
        [other.id, 3],
      ],
    ),
  );
  await step("a schedule takes new phases", async () => {
    const schedule = await client.subscriptionSchedules.create({
      customer: customer.id,
      start_date: 1_900_000_000,
      phases: [{ items: [{ price: price.id, quantity: 2 }] }],
    });
    assert.equal(schedule.phases[0]?.items[0]?.quantity, 2);
    const changed = await client.subscriptionSchedules.update(schedule.id, {
      end_behavior: "cancel",
      metadata: { a: "b" },
    });
    assert.deepEqual([changed.end_behavior, changed.metadata, changed.customer], ["cancel", { a: "b" }, customer.id]);
  });
  await step("change the memo of a credit note and list its lines", async () => {
    const { id: invoice = "" } = await client.invoices.create({ customer: customer.id });
    const note = await client.creditNotes.create({ invoice, amount: 100 });
    const changed = await client.creditNotes.update(note.id, { memo: "Sorry", metadata: { a: "b" } });
    assert.deepEqual([changed.memo, changed.metadata, changed.status], ["Sorry", { a: "b" }, "issued"]);
    const lines = await collect(client.creditNotes.listLineItems(note.id));
    assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
    const { data } = await client.creditNotes.list({ customer: customer.id });
    holds(data.every((one) => one.customer === customer.id));
  });
}

async function quotes(client: Stripe, step: RunStep): Promise<void> {
  const customer = await client.customers.create({ name: "Hal" });
  const price = await client.prices.create({ currency: "usd", unit_amount: 5, product_data: { name: "Pin" } });
  const quote = await client.quotes.create({
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 4 }],
    expires_at: 1_950_000_000,
  });
  await step("the lines of a quote", async () => {
    assert.deepEqual([quote.expires_at, quote.customer], [1_950_000_000, customer.id]);
    const { data } = await client.quotes.listLineItems(quote.id);
    assert.deepEqual(
      data.map((one) => [one.price?.id, one.quantity]),
      [[price.id, 4]],
    );
  });
  await step("change and cancel a quote", async () => {
    assert.equal((await client.quotes.update(quote.id, { footer: "Soon" })).footer, "Soon");
    assert.equal((await client.quotes.cancel(quote.id)).status, "canceled");
  });
  await step("list quotes by customer and status", async () => {
    const { id } = await client.quotes.create({ customer: customer.id });
    const list = async (status: "draft" | "canceled") =>
      (await client.quotes.list({ customer: customer.id, status })).data.map((one) => one.id);
    assert.deepEqual([await list("draft"), await list("canceled")], [[id], [quote.id]]);
  });
}

async function catalogue(client: Stripe, step: RunStep): Promise<void> {
  const product = await client.products.create({ name: "Scarf", metadata: { kind: "wool" } });
  const price = await client.prices.create({ product: product.id, currency: "usd", unit_amount: 5000 });
  await step("expand the default price of a product", async () => {
    await client.products.update(product.id, { default_price: price.id });
    const found = await client.products.retrieve(product.id, { expand: ["default_price"] });
    assert.equal((found.default_price as Stripe.Price).unit_amount, 5000);
  });
  await step("a plan by its own id", async () => {
    const plan = await client.plans.create({
      id: "gold-year",
      amount: 1200,
      currency: "usd",
      interval: "year",
      product: product.id,
    });
    assert.deepEqual([plan.id, plan.amount, plan.interval, plan.product], ["gold-year", 1200, "year", product.id]);
    const { data } = await client.plans.list({ product: product.id });
    holds(data.every((one) => one.product === product.id) && data.some(({ id }) => id === "gold-year"));
    assert.equal((await client.plans.del("gold-year")).deleted, true);
    await isGone(() => client.plans.retrieve("gold-year"));
  });
  await step("search by a part of a name and by metadata", async () => {
    const query = async (text: string) => (await client.products.search({ query: text })).data.map(({ id }) => id);
    assert.deepEqual(await query("name~'carf'"), [product.id]);
    assert.deepEqual(await query("metadata['kind']:'wool' AND active:'true'"), [product.id]);
    assert.deepEqual(await query("metadata['kind']:'wool' AND -name:'Scarf'"), []);
  });
}

async function pages(client: Stripe, step: RunStep): Promise<void> {
  for (let count = 0; count < 5; count++) {
    await client.customers.create({ name: `Page ${count}`, email: "page@example.org", metadata: { set: "pages" } });
  }
  await step("page through a search", async () => {
    const all = await collect(client.customers.search({ query: "metadata['set']:'pages'", limit: 2 }));
    assert.deepEqual(new Set(all.map(({ name }) => name)).size, 5);
  });
  await step("walk back from a customer", async () => {
    const { data } = await client.customers.list({ email: "page@example.org" });
    const all = await client.customers
      .list({ email: "page@example.org", limit: 2, ending_before: data[4]?.id ?? "" })
      .autoPagingToArray({ limit: 50 });
    assert.deepEqual(
      all.map(({ id }) => id),
      data
        .slice(0, 4)
        .toReversed()
        .map(({ id }) => id),
    );
  });
  await step("the newest customer comes first", async () => {
    // Times are in seconds.
    const { created: second } = await client.customers.create({ name: "Late" });
    let latest = await client.customers.create({ name: "Latest" });
    while (latest.created === second) latest = await client.customers.create({ name: "Latest" });
    assert.equal((await client.customers.list({ limit: 1 })).data[0]?.id, latest.id);
  });
  await step("a search that cannot be read is refused", async () => {
    const thrown = await failureOf(async () => client.customers.search({ query: "email:'a" }));
    holds(thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.statusCode === 400, String(thrown));
  });
}

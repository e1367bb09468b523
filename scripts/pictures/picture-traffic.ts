/** A busy shop to take pictures of: sandboxes, faults, snapshots, and requests of all kinds. */

const IN_REDESIGN = { "X-Standin-Sandbox": "checkout-redesign" };
const IN_SANDBOX = { "X-Standin-Sandbox": "agent-7f3a" };
const BY_AGENT = { "X-Standin-Agent": "claude" };
const SALE = { price: 149, featured: true };
const STEP_MS = 450;
/** A chart of one moment would be empty. */
const FIRST_STEPS = 60;

/** Prepares the shop, then lets customers come until `stop` is called. Resolves when there is something to see. */
export async function keepShopBusy(url: string): Promise<{ stop: () => Promise<void> }> {
  const send = (
    path: string,
    method = "GET",
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  await send("/__snapshots__", "POST", { name: "fresh-data" });
  await send("/products/12", "PATCH", { price: 79.5, stock: 3 });
  await send("/products/31", "DELETE");
  await send("/products", "POST", {
    image: "/images/lamp-3.svg",
    name: "Paper Moon",
    category: "lamp",
    price: 64,
    stock: 12,
    company_id: 3,
  });
  await send("/__snapshots__", "POST", { name: "before-the-sale" });
  for (const name of ["checkout-redesign", "agent-7f3a", "e2e-worker-2"]) await send("/__sandboxes", "POST", { name });
  const inside = "/__sandbox/checkout-redesign";
  await send(`${inside}/products/142`, "PATCH", { price: 19.9, featured: true });
  await send(`${inside}/products/143`, "PATCH", { stock: 0 });
  await send(`${inside}/orders/2`, "DELETE");
  await send("/__faults", "POST", { fault: "status", status: 503, method: "POST", path: "/orders", probability: 0.3 });
  await send("/__faults", "POST", { fault: "latency", ms: 120, path: "/reviews" });
  let isOpen = true;
  let step = 0;
  const visit = async (): Promise<void> => {
    const id = 1 + ((step * 17) % 140);
    const requests = [send(`/products/${id}`)];
    if (step % 2 === 0) requests.push(send("/api/v1/products?category=lamp&_sort=-price&_limit=20"));
    requests.push(send(`/reviews?product_id=${id}&_expand=customer`));
    if (step % 5 === 1) requests.push(send("/orders", "POST", { customer_id: id % 80, product_id: id, quantity: 1 }));
    if (step % 7 === 2) requests.push(send("/products/7", "PATCH", { stock: step % 90 }));
    if (step % 8 === 3) requests.push(send(`/wishlists/${id}`));
    if (step % 9 === 4) requests.push(send("/products?name:contains=lamp", "GET", undefined, IN_SANDBOX));
    if (step % 11 === 5) requests.push(send("/products", "POST", { name: "X" }));
    if (step === 52) requests.push(send("/products?category=lamp&price:gte=150", "PATCH", SALE, BY_AGENT));
    if (step === 55) requests.push(send("/__sandboxes/checkout-redesign/promote", "POST", {}));
    // Work goes on in the sandbox, so that there is something to compare.
    if (step === 56) requests.push(send("/products/12", "PATCH", { price: 19.5, featured: true }, IN_REDESIGN));
    if (step === 57) requests.push(send("/reviews/4", "DELETE", undefined, IN_REDESIGN));
    // A page of a shop that loads all at once.
    if (step % 20 === 12) {
      for (let part = 1; part <= 12; part++) requests.push(send(`/products/${part}?_expand=company`));
    }
    await Promise.all(requests);
    await new Promise((done) => setTimeout(done, STEP_MS * (0.4 + 1.2 * Math.abs(Math.sin(step / 6)))));
    step++;
  };
  while (step < FIRST_STEPS) await visit();
  const rest = (async () => {
    while (isOpen) await visit();
  })();
  return {
    stop() {
      isOpen = false;
      return rest;
    },
  };
}

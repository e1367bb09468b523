import Stripe from "stripe";
import { failureOf, holds } from "./session.ts";

export function connectStripe(url: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe("sk_test_1", { host: hostname, port, protocol: "http", maxNetworkRetries: 0 });
}

export async function isGone(work: () => Promise<unknown>): Promise<void> {
  const thrown = await failureOf(work);
  holds(thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.statusCode === 404, String(thrown));
}

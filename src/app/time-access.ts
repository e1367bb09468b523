import { hooksFeature } from "../features/hooks/feature.ts";
import type { ClockControl, Delivery, DeliveryFilter, DueJob } from "../features/hooks/types.ts";
import type { Service } from "../http/contract.ts";

const DEFAULT_TIMEOUT_MS = 3000;

/** Time, and what happens in it, as programs move and see it. */
export interface TimeAccess {
  readonly clock: ClockControl;
  /** The latest webhooks, newest first. */
  deliveries(filter?: DeliveryFilter): Promise<Delivery[]>;
  /** Resolves to the first delivery that matches, past or future. Rejects after the timeout. */
  waitForDelivery(filter?: DeliveryFilter, options?: { readonly timeoutMs?: number }): Promise<Delivery>;
  /** What is due, and when. */
  jobs(): Promise<DueJob[]>;
}

/** @internal */
export function createTimeAccess(service: Service, sandbox: string | undefined): TimeAccess {
  const hooks = () => {
    const offered = service.offer(hooksFeature);
    if (offered) return offered;
    throw new Error("Examples have no clock, and no webhooks.");
  };
  return {
    clock: {
      now: () => new Date(service.clocks.of(sandbox).now()),
      async advance(duration) {
        return hooks().turn(sandbox, { advance: typeof duration === "number" ? `${duration}ms` : duration });
      },
      set: async (time) => hooks().turn(sandbox, { set: new Date(time).toISOString() }),
      rate: async (rate) => hooks().turn(sandbox, { rate }),
      real: async () => hooks().turn(sandbox, { real: true }),
    },
    deliveries: async (filter) => hooks().deliveries(sandbox, filter),
    async waitForDelivery(filter = {}, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}) {
      const found = await hooks().untilDelivery(sandbox, filter, timeoutMs);
      if (found) return found;
      throw new Error(`No delivery like ${JSON.stringify(filter)} came within ${timeoutMs} ms.`);
    },
    jobs: async () => hooks().due(sandbox),
  };
}

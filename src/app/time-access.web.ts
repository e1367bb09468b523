import { StandinError } from "../base/errors.ts";
import type { Service } from "../http/contract.ts";
import type { TimeAccess } from "./time-access.ts";

/** Webhooks and jobs need a server of Node. */
export function createTimeAccess(service: Service, sandbox: string | undefined): TimeAccess {
  const refuse = (): never => {
    throw new StandinError("OPTION_UNAVAILABLE", "The clock can be moved only where standin runs on Node.");
  };
  const refuseLater = async (): Promise<never> => refuse();
  return {
    clock: {
      now: () => new Date(service.clocks.of(sandbox).now()),
      advance: refuseLater,
      set: refuseLater,
      rate: refuseLater,
      real: refuseLater,
    },
    deliveries: async () => [],
    waitForDelivery: refuseLater,
    jobs: async () => [],
  };
}

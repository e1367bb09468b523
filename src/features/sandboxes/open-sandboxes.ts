import type { OpenFeature } from "../../http/contract.ts";
import { accessFeature } from "../access/feature.ts";
import { faultsFeature } from "../faults/feature.ts";
import type { FeatureContext } from "../feature.ts";
import { liveFeature } from "../live/feature.ts";
import { isInSandbox, isTrial, mustExist, sandboxEntrance } from "./requested-sandbox.ts";
import { sandboxRoutes } from "./sandbox-routes.ts";
import { Sandboxes } from "./sandboxes.ts";

interface SandboxOptions {
  readonly sandboxes: number;
  readonly sandboxExpiry: number;
  readonly sandboxMegabytes: number;
}

export async function openSandboxes({
  options,
  service,
  note,
}: FeatureContext<SandboxOptions>): Promise<OpenFeature & { offer: Sandboxes }> {
  const sandboxes = new Sandboxes(service.store, {
    count: options.sandboxes,
    expirySeconds: options.sandboxExpiry,
    megabytes: options.sandboxMegabytes,
  });
  const routes = sandboxRoutes(sandboxes);
  let arrival: Partial<OpenFeature> = {};
  const { kept, sandboxes: shared } = service.store;
  sandboxes.subscribe((event, { name, store }) => {
    const live = service.offer(liveFeature);
    live?.tell("sandboxes");
    if (event === "created") {
      // Other processes have the sandbox, but not its clock.
      if (!shared) service.clocks.begin(name);
      // Programs write without a request, and at the same time.
      const apply = store.apply.bind(store);
      store.apply = (write, given) => service.clocks.within(name, () => apply(write, given));
      live?.changesOf(store);
      return;
    }
    service.clocks.forget(name);
    service.offer(faultsFeature)?.clear(name);
    live?.forget(store);
  });
  if (shared) {
    const { SharedKeeper } = await import("./shared-keeper.ts");
    const keeper = new SharedKeeper(shared, sandboxes);
    sandboxes.keeper = keeper;
    arrival = keeper.arrival(routes);
  } else if (kept) {
    const { KeptSandboxes } = await import("./kept-sandboxes.ts");
    const keeper = new KeptSandboxes(kept, sandboxes, note);
    sandboxes.keeper = keeper;
    await keeper.restore();
  }
  return {
    name: "sandboxes",
    entrance: sandboxEntrance,
    storeFor(call) {
      const { sandbox: name } = call;
      if (name === undefined || !isInSandbox(call)) return undefined;
      // With rules of access, only admins create sandboxes, and by POST: here, it is not known yet who asks.
      const isGuarded = service.offer(accessFeature) !== undefined;
      if (isGuarded || mustExist(call)) return sandboxes.useExisting(name).store;
      return isTrial(call) ? sandboxes.preview(name) : sandboxes.use(name).store;
    },
    routes,
    describe: async (facts) => (await import("./openapi.ts")).sandboxPaths(facts),
    close: () => sandboxes.close(),
    offer: sandboxes,
    ...arrival,
  };
}

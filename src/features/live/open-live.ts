import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import { changesRoute } from "./changes-route.ts";
import { eventsRoute } from "./events-route.ts";
import { createLive, type Live } from "./live.ts";
import { requestsRoute } from "./requests-route.ts";

/** Without the console there are neither streams nor a traffic log; the list of changes stays. */
export function openLive({
  options,
  service,
}: FeatureContext<{ readonly traffic: number }>): OpenFeature & { offer: Live } {
  const { console: hasConsole, heartbeatMs } = service.settings;
  const live = createLive(service.store, { traffic: hasConsole ? options.traffic : 0, heartbeatMs, now: service.now });
  const { traffic } = live;
  const streams = hasConsole ? [eventsRoute(live), requestsRoute(live)] : [];
  return {
    name: "live",
    ...(traffic && { record: traffic.record }),
    routes: [changesRoute(live), ...streams],
    describe: async (facts) => (await import("./openapi.ts")).livePaths(facts, { hasTraffic: traffic !== undefined }),
    stop: () => live.endStreams(),
    close: () => live.close(),
    offer: live,
  };
}

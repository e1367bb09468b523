import type { OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import { HistoryControl } from "./history-control.ts";
import { historyRoutes } from "./history-routes.ts";
import { pastEntrance, visitPast } from "./visit.ts";

export function serveHistory(_context: FeatureContext<unknown>): OpenFeature & { offer: typeof HistoryControl } {
  return {
    name: "history",
    entrance: pastEntrance,
    visit: visitPast,
    routes: historyRoutes,
    describe: async (facts) => (await import("./openapi.ts")).historyPaths(facts),
    offer: HistoryControl,
  };
}

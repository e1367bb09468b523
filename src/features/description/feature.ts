import type { RouteRow, Service } from "../../http/contract.ts";
import { defineFeature } from "../feature.ts";
import { routesWithConsole } from "./console-routes.ts";
import { ownDocument, respondWithDocument } from "./openapi-route.ts";
import { overviewRoute } from "./overview-route.ts";

/** Of examples. */
const ROUTE_OF_EXAMPLES: RouteRow = { path: "/__openapi.json", isOpen: true, GET: respondWithDocument };

/** Tells clients and tools what is served: an overview, and with the console an OpenAPI document and a guide in words. */
export const descriptionFeature = defineFeature({
  name: "description",
  options: {},
  open: ({ service }) => ({
    name: "description",
    routes: [overviewRoute, ...(service.settings.console ? describingRoutes(service) : [])],
    /** The document of the data, even behind a document of the user's. */
    offer: { ownDocument },
    describe: async (facts) => (await import("./openapi/description-paths.ts")).descriptionPaths(facts),
  }),
});

function describingRoutes({ responder }: Service): readonly RouteRow[] {
  if (responder) return responder.describe ? [ROUTE_OF_EXAMPLES] : [];
  return routesWithConsole;
}

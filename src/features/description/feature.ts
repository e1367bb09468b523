import type { RouteRow, Service } from "../../http/contract.ts";
import { defineFeature } from "../feature.ts";
import type { ownDocument } from "./openapi-route.ts";

type OwnDocument = typeof ownDocument;

/** Of examples. They are described when someone asks: a hosted server starts without the code for it. */
const ROUTE_OF_EXAMPLES: RouteRow = {
  path: "/__openapi.json",
  isOpen: true,
  GET: async (call, service) => (await import("./openapi-route.ts")).respondWithDocument(call, service),
};

/** Tells clients and tools what is served: an overview, and with the console an OpenAPI document and a guide in words. */
export const descriptionFeature = defineFeature({
  name: "description",
  options: {},
  async open({ service }) {
    const { overviewRoute } = await import("./overview-route.ts");
    return {
      name: "description",
      routes: [overviewRoute, ...(service.settings.console ? await routesWithConsole(service) : [])],
      offer: {
        /** The document of the data, even behind a document of the user's. */
        ownDocument: async (...given: Parameters<OwnDocument>) =>
          (await import("./openapi-route.ts")).ownDocument(...given),
      },
      describe: async (facts) => (await import("./openapi/description-paths.ts")).descriptionPaths(facts),
    };
  },
});

async function routesWithConsole({ responder }: Service): Promise<readonly RouteRow[]> {
  if (responder) return responder.describe ? [ROUTE_OF_EXAMPLES] : [];
  return (await import("./console-routes.ts")).routesWithConsole;
}

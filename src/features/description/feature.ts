import { defineFeature } from "../feature.ts";
import type { ownDocument } from "./openapi-route.ts";

type OwnDocument = typeof ownDocument;

/** Tells clients and tools what is served: an overview, and with the console an OpenAPI document and a guide in words. */
export const descriptionFeature = defineFeature({
  name: "description",
  options: {},
  async open({ service }) {
    const { overviewRoute } = await import("./overview-route.ts");
    const { routesWithConsole } =
      !service.responder && service.settings.console ? await import("./console-routes.ts") : { routesWithConsole: [] };
    return {
      name: "description",
      routes: [overviewRoute, ...routesWithConsole],
      offer: {
        /** The document of the data, even behind a document of the user's. */
        ownDocument: async (...given: Parameters<OwnDocument>) =>
          (await import("./openapi-route.ts")).ownDocument(...given),
      },
      describe: async (facts) => (await import("./openapi/description-paths.ts")).descriptionPaths(facts),
    };
  },
});

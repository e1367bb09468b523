import { defineFeature } from "../feature.ts";

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
      describe: async (facts) => (await import("./openapi/description-paths.ts")).descriptionPaths(facts),
    };
  },
});

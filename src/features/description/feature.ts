import type { RouteRow } from "../../http/contract.ts";
import { defineFeature } from "../feature.ts";

/** Tells clients and tools what is served: an overview, and with the console an OpenAPI document and a guide in words. */
export const descriptionFeature = defineFeature({
  name: "description",
  options: {},
  async open({ service }) {
    const { overviewRoute } = await import("./overview-route.ts");
    return {
      name: "description",
      routes: service.settings.console ? [overviewRoute, ...(await detailedRoutes())] : [overviewRoute],
      describe: async (facts) => (await import("./openapi/description-paths.ts")).descriptionPaths(facts),
    };
  },
});

/** Beside the overview: the routes that come with the console. */
async function detailedRoutes(): Promise<RouteRow[]> {
  const { openApiRoute } = await import("./openapi-route.ts");
  const { llmsRoute } = await import("./llms-route.ts");
  const { typesRoute } = await import("./types-route.ts");
  return [openApiRoute, llmsRoute, typesRoute];
}

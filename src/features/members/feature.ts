import { defineFeature } from "../feature.ts";

/** Collections and singletons that are created, renamed and removed while the server runs. */
export const collectionsFeature = defineFeature({
  name: "collections",
  options: {},
  needsData: true,
  reserves: ["__collections"],
  async open({ seed }) {
    const { collectionRoutes } = await import("./collection-routes.ts");
    const { collectionControl } = await import("./collection-control.ts");
    return {
      name: "collections",
      routes: collectionRoutes(seed),
      offer: collectionControl,
      describe: async (facts) => (await import("./openapi.ts")).memberPaths(facts),
    };
  },
});

import { defineFeature } from "../feature.ts";
import { collectionControl } from "./collection-control.ts";
import { collectionRoutes } from "./collection-routes.ts";

/** Collections and singletons that are created, renamed and removed while the server runs. */
export const collectionsFeature = defineFeature({
  name: "collections",
  options: {},
  needsData: true,
  reserves: ["__collections"],
  open({ seed }) {
    return {
      name: "collections",
      routes: collectionRoutes(seed),
      offer: collectionControl,
      describe: async (facts) => (await import("./openapi.ts")).memberPaths(facts),
    };
  },
});

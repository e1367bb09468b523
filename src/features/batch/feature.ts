import type { Service } from "../../http/contract.ts";
import { defineFeature } from "../feature.ts";
import type { BatchRequest } from "./types.ts";

/** Several requests to the data that are one change: all of them happen, or none. */
export const batchFeature = defineFeature({
  name: "batch",
  options: {},
  needsData: true,
  reserves: ["__batch"],
  open() {
    return {
      name: "batch",
      routes: [
        {
          path: "/__batch",
          dryRuns: ["POST"],
          isOfData: true,
          admit: async (service) => (await import("./run-batch.ts")).refuseUnseen(service),
          // Loaded with the first batch.
          POST: async (call, service) => (await import("./run-batch.ts")).respondToBatch(call, service),
        },
      ],
      describe: async (facts) => (await import("./openapi.ts")).batchPaths(facts),
      offer: async (service: Service, url: string, requests: readonly BatchRequest[]) =>
        (await import("./batch-of-program.ts")).batchOf(service, url, requests),
    };
  },
});

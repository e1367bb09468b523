import { StartError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { FeatureStep, OpenFeature } from "../../http/contract.ts";
import type { FeatureContext } from "../feature.ts";
import { liveFeature } from "../live/feature.ts";
import { faultRoutes } from "./fault-routes.ts";
import { createFaultStep } from "./fault-step.ts";
import { Faults } from "./faults.ts";
import { FaultProblem, readFaults } from "./read-fault.ts";
import type { Fault } from "./types.ts";

interface FaultOptions {
  readonly faults: readonly JsonObject[] | undefined;
}

export function openFaults({
  options,
  place,
  seed,
  service,
}: FeatureContext<FaultOptions>): OpenFeature & { offer: Faults } {
  const faults = new Faults(seed);
  faults.add(readGivenFaults(options.faults ?? [], place), true);
  faults.watch(() => service.offer(liveFeature)?.tell("faults"));
  return {
    name: "faults",
    stage: "faults",
    step: createFaultStep(faults),
    routes: faultRoutes(faults),
    describe: async (facts) => (await import("./openapi.ts")).faultPaths(facts),
    offer: faults,
  };
}

export function preferredFaults(): FeatureStep {
  return createFaultStep(new Faults(undefined));
}

export function readGivenFaults(rules: readonly JsonObject[], place: string): Fault[] {
  try {
    return readFaults(rules);
  } catch (thrown) {
    throw thrown instanceof FaultProblem ? new StartError(`${place}: "faults${thrown.key}" ${thrown.message}`) : thrown;
  }
}

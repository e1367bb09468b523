import { StandinError, StartError } from "../../base/errors.ts";
import { type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import type { FeatureStep, OpenFeature, RouteRow } from "../../http/contract.ts";
import { jsonReply } from "../../http/response/reply.ts";
import { asObject } from "../../http/routes/carry-out.ts";
import type { FeatureContext } from "../feature.ts";
import { liveFeature } from "../live/feature.ts";
import { createFaultStep } from "./fault-step.ts";
import { type ActiveFault, Faults } from "./faults.ts";
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
  const { kept } = service.store;
  faults.restore((kept?.read("faults") as ActiveFault[] | undefined) ?? []);
  faults.watch(() => {
    service.offer(liveFeature)?.tell("faults");
    kept?.write("faults", () => faults.added);
  });
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

/** Within a sandbox, these routes concern the faults of that sandbox alone. */
function faultRoutes(faults: Faults): RouteRow[] {
  return [
    {
      path: "/__faults",
      isForAdmins: true,
      GET: async ({ sandbox }) => jsonReply(stringifyJson({ faults: faults.list(sandbox).map(describe) })),
      POST: async (call) => {
        const body = (await call.body()) ?? null;
        const added = faults.addGiven(body, call.sandbox).map(describe);
        return { status: 201, json: stringifyJson(Array.isArray(body) ? added : added[0]) };
      },
      PATCH: async (call) => {
        const turned = faults.turn(readOff(await call.body()), call.sandbox);
        return jsonReply(stringifyJson({ faults: turned.map(describe) }));
      },
      DELETE: async ({ sandbox }) => {
        faults.clear(sandbox);
        return jsonReply("{}");
      },
    },
    {
      path: "/__faults/:id",
      isForAdmins: true,
      PATCH: async (call, _service, { id = "" }) => {
        const [turned] = faults.turn(readOff(await call.body()), call.sandbox, id).map(describe);
        return jsonReply(stringifyJson(turned));
      },
      DELETE: async ({ sandbox }, _service, { id = "" }) => {
        faults.remove(id, sandbox);
        return jsonReply("{}");
      },
    },
  ];
}

function readOff(body: Json | undefined): boolean {
  const { off, ...others } = asObject(body);
  if (typeof off === "boolean" && Object.keys(others).length === 0) return off;
  throw new StandinError(
    "FAULT_INVALID",
    'Send { "off": true } to turn faults off, or { "off": false } to turn them on again.',
  );
}

function describe({ id, hits, isOff, fault }: ActiveFault): object {
  return { id, hits, ...(isOff && { off: true }), ...fault };
}

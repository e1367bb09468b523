import { StandinError } from "../base/errors.ts";
import { MAX_WAIT_MS } from "../base/wait.ts";
import { wholeNumber } from "../query/parse-query.ts";
import type { Call } from "./call.ts";
import { createStoreChooser, type FeatureStep, type Respond, type Service } from "./contract.ts";
import { harmlessRequests, refuseWrite } from "./read-only.ts";
import { createRouter } from "./router.ts";

/** Everything behind the layers: steps of features, delay, read-only mode, then the route. */
export function createResponder(service: Service): Respond {
  const { features } = service;
  const steps = features.flatMap(({ step }) => step ?? []);
  const chooseStore = createStoreChooser(service);
  const route = createRouter(service);
  const harmless = harmlessRequests(service);
  const atOnce: Respond = (call, given) => {
    if (given.settings.readOnly) refuseWrite(call, harmless);
    const store = call.sandbox === undefined ? undefined : chooseStore(call);
    return route(call, store ? { ...given, store } : given);
  };
  const carryOut: Respond = (call, given) => {
    const { settings, waits } = given;
    const delayMs = settings.delayMs + requestedDelay(call);
    if (delayMs === 0) return atOnce(call, given);
    return waits.wait(delayMs, call).then(() => (call.hasLeft ? undefined : atOnce(call, given)));
  };
  return around(steps, carryOut);
}

/** Runs the steps that apply to a request, the first one outermost. */
function around(steps: readonly FeatureStep[], inner: Respond): Respond {
  return steps.reduceRight<Respond>(
    (next, step) => (call, service) => {
      const applies = step.isActive || (step.header !== undefined && call.headers[step.header] !== undefined);
      return applies ? step.respond(call, service, next) : next(call, service);
    },
    inner,
  );
}

/** `_delay=500` in the query delays this one response. */
function requestedDelay(call: Call): number {
  if (call.target.search === "") return 0;
  const delayMs = wholeNumber(call.parameters, "_delay");
  if (delayMs === undefined) return 0;
  if (delayMs <= MAX_WAIT_MS) return Math.max(0, delayMs);
  throw new StandinError("QUERY_INVALID", `_delay=${delayMs}: the maximum is ${MAX_WAIT_MS} milliseconds.`);
}

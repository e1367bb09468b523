import { StandinError } from "../base/errors.ts";
import { andThen, type Eventually } from "../base/eventually.ts";
import type { LayerResponse } from "../layers/layer.ts";
import type { Call } from "./call.ts";
import { createChain } from "./chain.ts";
import type { Service } from "./contract.ts";
import type { LayerStep } from "./edge.ts";
import { demandCredentials, segmentsOf } from "./router.ts";

/** Throws, or rejects, where a layer would refuse the request if it came by itself. */
export type Judge = (call: Call) => Eventually<void>;

/** The layers that look at each of several requests that came as one. */
export function judgingLayers({ steps }: Pick<Service, "steps">): LayerStep[] {
  return steps.filter((step): step is LayerStep => step.kind === "layer" && !step.isAskedOnce);
}

export function createJudge(service: Service): Judge {
  const judging = judgingLayers(service);
  if (judging.length === 0) return () => undefined;
  const chain = createChain(judging);
  return (call) => {
    const expectPassed = (isPassed: boolean): void => {
      if (!isPassed) throw layerResponds();
      // The route runs with a copy of the request that no layer has seen.
      if (segmentsOf(call.target.path).length > 2) demandCredentials(call);
    };
    return andThen(chain(call, UNSEEN), expectPassed);
  };
}

function layerResponds(): StandinError {
  return new StandinError("BATCH_INVALID", "A layer responds to this request, so it cannot be in a batch.");
}

/** Layers have added their headers to the response of the batch already. */
const UNSEEN: LayerResponse = {
  setHeader: () => undefined,
  hasHeader: () => true,
  reply: () => undefined,
};

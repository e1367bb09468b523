import type { Eventually } from "../base/eventually.ts";
import type { LayerResponse } from "../layers/layer.ts";
import type { Call } from "./call.ts";
import type { LayerStep } from "./edge.ts";

/** Runs layers in order; resolves to whether all of them let the request pass. False means that one has responded. */
export type LayerChain = (call: Call, res: LayerResponse) => Eventually<boolean>;

/** Throws, or rejects with, the error of a layer. Returns a promise only when a layer does. */
export function createChain(steps: readonly LayerStep[]): LayerChain {
  const run = (call: Call, res: LayerResponse, from: number): Eventually<boolean> => {
    for (let at = from; at < steps.length; at++) {
      const { name, layer } = steps[at]!;
      let isPassed = false;
      call.answeredBy = name;
      const working = layer(call, res, () => {
        isPassed = true;
      });
      if (working) return working.then(() => isPassed && run(call, res, at + 1));
      if (!isPassed) return false;
    }
    call.answeredBy = "route";
    return true;
  };
  return (call, res) => run(call, res, 0);
}

import type { LayerRequest } from "../layers/layer.ts";
import type { Exchange } from "./exchange.ts";
import type { LayerAnswer } from "./layer-answer.ts";
import type { LayerStep } from "./service.ts";

/** Runs layers in order; resolves true when all of them let the request pass, false when one of them answered it. */
export type Chain = (exchange: Exchange, answer: LayerAnswer) => Promise<boolean>;

/** Rejects with whatever a layer throws. A layer that is done at once costs no turn of the event loop. */
export function createChain(steps: readonly LayerStep[]): Chain {
  return async (exchange, answer) => {
    const req = layerRequest(exchange);
    for (const { name, layer } of steps) {
      let isPassed = false;
      exchange.answeredBy = name;
      const working = layer(req, answer, () => {
        isPassed = true;
      });
      if (working) await working;
      if (!isPassed) return false;
    }
    exchange.answeredBy = "route";
    return true;
  };
}

/** The request as layers and interceptors see it: method and address are what they mean, not what was sent. */
export function layerRequest({ req, method, client, target }: Exchange): LayerRequest {
  const seen = req as LayerRequest;
  seen.method = method;
  const url = target.search === "" ? target.path : `${target.path}?${target.search}`;
  // No address may hold these as they are; Express would look for a host in one that does, and miss its path.
  seen.url = /[#\s]/.test(url) ? url.replace(/[#\s]/g, encodeURIComponent) : url;
  seen.clientPath = client.path;
  return seen;
}

import type { LayerRequest } from "../layers/layer.ts";
import type { Eventually } from "../store/store.ts";
import type { LayerStep } from "./edge.ts";
import { type Exchange, visibleUrl } from "./exchange.ts";
import type { LayerAnswer } from "./response/layer-response.ts";

/** Runs layers in order; gives true when all of them let the request pass, false when one of them answered it. */
export type Chain = (exchange: Exchange, answer: LayerAnswer) => Eventually<boolean>;

/** Throws, or rejects with, whatever a layer throws. Only for a layer that takes its time there is a promise. */
export function createChain(steps: readonly LayerStep[]): Chain {
  const run = (exchange: Exchange, req: LayerRequest, answer: LayerAnswer, from: number): Eventually<boolean> => {
    for (let at = from; at < steps.length; at++) {
      const { name, layer } = steps[at]!;
      let isPassed = false;
      exchange.answeredBy = name;
      const working = layer(req, answer, () => {
        isPassed = true;
      });
      if (working) return working.then(() => isPassed && run(exchange, req, answer, at + 1));
      if (!isPassed) return false;
    }
    exchange.answeredBy = "route";
    return true;
  };
  return (exchange, answer) => run(exchange, layerRequest(exchange), answer, 0);
}

/** The request as layers and interceptors see it: method and address are what they mean, not what was sent. */
export function layerRequest({ req, method, client, target }: Exchange): LayerRequest {
  const seen = req as LayerRequest;
  seen.method = method;
  const url = visibleUrl(target);
  // No address may hold these as they are; Express would look for a host in one that does, and miss its path.
  seen.url = /[#\s]/.test(url) ? url.replace(/[#\s]/g, encodeURIComponent) : url;
  seen.clientPath = client.path;
  seen.routeSearch = target.search;
  return seen;
}

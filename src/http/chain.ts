import type { LayerRequest, LayerResponse } from "../layers/layer.ts";
import type { Eventually } from "../store/store.ts";
import type { LayerStep } from "./edge.ts";
import { type Exchange, visibleUrl } from "./exchange.ts";

/** Runs layers in order; resolves to whether all of them let the request pass. False means that one has responded. */
export type Chain = (exchange: Exchange, res: LayerResponse) => Eventually<boolean>;

/** Throws, or rejects with, the error of a layer. Returns a promise only when a layer does. */
export function createChain(steps: readonly LayerStep[]): Chain {
  const run = (exchange: Exchange, res: LayerResponse, from: number): Eventually<boolean> => {
    const req = exchange.req as LayerRequest;
    for (let at = from; at < steps.length; at++) {
      const { name, layer } = steps[at]!;
      let isPassed = false;
      exchange.answeredBy = name;
      const working = layer(req, res, () => {
        isPassed = true;
      });
      if (working) return working.then(() => isPassed && run(exchange, res, at + 1));
      if (!isPassed) return false;
    }
    exchange.answeredBy = "route";
    return true;
  };
  return (exchange, res) => {
    layerRequest(exchange);
    return run(exchange, res, 0);
  };
}

/** The request as layers and interceptors see it: method and address after override and rewrite. */
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

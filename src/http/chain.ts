import type { ServerResponse } from "node:http";
import type { Layer, LayerRequest } from "../layers/layer.ts";
import type { Exchange } from "./exchange.ts";

/** Runs layers in order; resolves true when all of them let the request pass, false when one of them answered it. */
export type Chain = (req: LayerRequest, res: ServerResponse) => Promise<boolean>;

/** Rejects with whatever a layer throws. A layer that is done at once costs no turn of the event loop. */
export function createChain(layers: readonly Layer[]): Chain {
  return (req, res) =>
    new Promise((resolve, reject) => {
      // An answer given by a layer ends the chain: nobody calls next any more.
      res.once("close", () => resolve(false));
      const run = (position: number): void => {
        const layer = layers[position];
        if (!layer) {
          resolve(true);
          return;
        }
        let isPassed = false;
        const next = (error?: unknown): void => {
          if (isPassed) return;
          isPassed = true;
          if (error === undefined || error === null) run(position + 1);
          else reject(error);
        };
        try {
          layer(req, res, next)?.catch(reject);
        } catch (thrown) {
          reject(thrown);
        }
      };
      run(0);
    });
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

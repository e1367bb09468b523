import type { Edge } from "../http/edge.ts";
import { createEdge, type RequestHandler } from "../http/handler.ts";
import { ExchangeRequest } from "./exchange-request.ts";
import type { Hosted } from "./hosted.ts";
import { createPreflightTest } from "./preflight.ts";

/** The pipeline of a request to an example. */
export function createHostedHandler(edge: Edge, hosted: Hosted): Promise<RequestHandler> {
  const { delayMs, maxBodyBytes } = edge.settings;
  return createEdge(
    edge,
    async (exchange) => {
      if (delayMs > 0) await edge.waits.wait(delayMs, exchange.res);
      if (exchange.hasLeft) return undefined;
      return hosted.respond(new ExchangeRequest(exchange, maxBodyBytes));
    },
    { isPreflight: createPreflightTest(edge, (path) => ({ routes: hosted.routes, path })) },
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Hosted } from "../hosted/hosted.ts";
import { readBodyText } from "./body.ts";
import { createEdge, type RequestHandler } from "./handler.ts";
import type { Edge } from "./service.ts";

/** The way of a request to an example. */
export function createHostedHandler(edge: Edge, hosted: Hosted): Promise<RequestHandler> {
  const { delayMs, maxBodyBytes } = edge.settings;
  return createEdge(edge, async (exchange) => {
    if (delayMs > 0) await sleep(delayMs);
    const { req, method, target, parameters } = exchange;
    return hosted.answer({
      method,
      path: target.path,
      search: target.search,
      parameters,
      headers: req.headers,
      readBodyText: () => readBodyText(req, maxBodyBytes),
    });
  });
}

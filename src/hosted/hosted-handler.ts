import { readBodyText } from "../http/body/body.ts";
import type { Edge } from "../http/edge.ts";
import type { Exchange } from "../http/exchange.ts";
import { createEdge, type RequestHandler } from "../http/handler.ts";
import type { Parameters } from "../query/parameters.ts";
import type { Hosted, HostedRequest } from "./hosted.ts";

/** The pipeline of a request to an example. */
export function createHostedHandler(edge: Edge, hosted: Hosted): Promise<RequestHandler> {
  const { delayMs, maxBodyBytes } = edge.settings;
  return createEdge(edge, async (exchange) => {
    if (delayMs > 0) await edge.waits.wait(delayMs, exchange.res);
    if (exchange.hasLeft) return undefined;
    return hosted.respond(new ExchangeRequest(exchange, maxBodyBytes));
  });
}

/** An exchange as hosted mode sees it. Rarely used parts cost nothing until they are read. */
class ExchangeRequest implements HostedRequest {
  readonly #exchange: Exchange;
  readonly #maxBodyBytes: number;
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: HostedRequest["headers"];

  constructor(exchange: Exchange, maxBodyBytes: number) {
    this.#exchange = exchange;
    this.#maxBodyBytes = maxBodyBytes;
    this.method = exchange.method;
    this.path = exchange.target.path;
    this.search = exchange.target.search;
    this.headers = exchange.req.headers;
  }

  get parameters(): Parameters {
    return this.#exchange.parameters;
  }

  readBodyText(): Promise<string> {
    return readBodyText(this.#exchange.req, this.#maxBodyBytes);
  }
}

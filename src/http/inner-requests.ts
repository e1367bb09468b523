import type { LayerRequest } from "../layers/layer.ts";
import type { Service } from "./contract.ts";
import { Exchange } from "./exchange.ts";

/** Headers of the batch that say nothing about its requests. */
const OF_THE_BATCH = [
  "content-encoding",
  "content-length",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "prefer",
  "transfer-encoding",
  "x-http-method-override",
];

/** The head of a request that is a part of another one. */
export interface InnerHead {
  readonly method: string;
  /** Its own headers by their names in lower case; undefined for none. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

type InnerMessage = Pick<LayerRequest, "method" | "url" | "headers" | "socket" | "countGuess" | "isWriteOnly">;

/** Makes a request of a batch look like one that came by itself, with the credentials of the batch. */
export type CreateInner = (head: InnerHead, path: string) => Exchange;

export function createInnerRequests(outer: Exchange, { rewriter, settings }: Service): CreateInner {
  const common = { ...outer.req.headers };
  for (const name of OF_THE_BATCH) delete common[name];
  const { socket, countGuess, isWriteOnly } = outer.req as LayerRequest;
  return ({ method, headers }, path) => {
    // Everything that routes and layers look at: a real message would take as long as the request itself.
    const req: InnerMessage = { method, url: path, headers: headers ? { ...common, ...headers } : common, socket };
    if (countGuess) req.countGuess = countGuess;
    if (isWriteOnly) req.isWriteOnly = isWriteOnly;
    const exchange = new Exchange(req as LayerRequest, outer.res, settings.trustProxy, outer.account);
    exchange.sandbox = outer.sandbox;
    exchange.prefix = outer.prefix;
    exchange.target = rewriter.rewrite(exchange.client);
    return exchange;
  };
}

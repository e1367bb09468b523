import { StandinError } from "../base/errors.ts";
import { keepBody, readBodyText } from "../http/body/body.ts";
import type { Edge } from "../http/edge.ts";
import type { Exchange } from "../http/exchange.ts";
import { createEdge, type RequestHandler } from "../http/handler.ts";
import { refuseForeignHost, refuseOtherReaders } from "../http/own-routes.ts";
import type { Reply } from "../http/response/reply.ts";
import { ExchangeRequest } from "./exchange-request.ts";
import { keyOf, respondWithIndex } from "./mock-index.ts";
import type { FoundMock, Mocks } from "./mocks.ts";
import { hasOwnRoot } from "./page/index-of-mocks.ts";
import { createPreflightTest } from "./preflight.ts";
import { expectKey } from "./private.ts";
import type { RequestLog } from "./request-log.ts";

const REQUESTS = "/__requests";
/** Bodies that the traffic log shows: texts. */
const TEXT_TYPE = /json|xml|text|x-www-form-urlencoded|graphql|yaml/i;

export interface HostedParts {
  readonly mocks: Mocks;
  /** Undefined where requests are not kept. */
  readonly log?: RequestLog | undefined;
  /** Whether the root responds with an index. */
  readonly hasIndex?: boolean;
  readonly allowedHosts?: readonly string[];
}

/** The pipeline of a request to an example. */
export function createHostedHandler(edge: Edge, parts: HostedParts): Promise<RequestHandler> {
  const { mocks, log, hasIndex = false, allowedHosts = [] } = parts;
  const { delayMs, maxBodyBytes } = edge.settings;
  const respond = (exchange: Exchange): Reply | Promise<Reply> => {
    const { path } = exchange.target;
    const { only } = mocks;
    if (only && path !== "/" && path !== REQUESTS) return respondFrom({ mock: only, path }, exchange);
    const found = mocks.find(path);
    if (log && path === REQUESTS && !isExample(found)) return respondWithRequests(exchange, log);
    if (hasIndex && exchange.isRead) {
      const index = { mocks, log, allowedHosts };
      if (path === "/" && !only) return respondWithIndex(exchange, index);
      if (found?.path === "/" && !found.mock.problem && !hasOwnRoot(found.mock)) {
        return respondWithIndex(exchange, index, found.mock);
      }
    }
    if (!found) throw mockNotFound(path);
    // An interceptor may have sent the request on to this mock.
    if (found.mock.keys && !only) expectKey(found.mock.keys, exchange.req.headers["x-api-key"]);
    return respondFrom(found, exchange);
  };
  return createEdge(
    edge,
    (exchange) => {
      if (delayMs === 0) return respond(exchange);
      return edge.waits.wait(delayMs, exchange.res).then(() => (exchange.hasLeft ? undefined : respond(exchange)));
    },
    {
      record: log?.record,
      isPreflight: createPreflightTest(edge, (path) => {
        const found = mocks.find(path);
        return found && { routes: found.mock.hosted.routes, path: found.path };
      }),
    },
  );

  // Hot path: no promise beside that of the example.
  function respondFrom({ mock, path }: FoundMock, exchange: Exchange): Promise<Reply> {
    if (mock.problem !== undefined) throw new StandinError("MOCK_UNAVAILABLE", mock.problem);
    const request = new ExchangeRequest(exchange, maxBodyBytes, path);
    return hasBody(exchange)
      ? takeBody(exchange).then(() => mock.hosted.respond(request))
      : mock.hosted.respond(request);
  }

  function isExample(found: FoundMock | undefined): boolean {
    return found !== undefined && !found.mock.hosted.routes.find("GET", found.path).next().done;
  }

  function respondWithRequests(exchange: Exchange, kept: RequestLog): Reply | Promise<Reply> {
    refuseForeignHost(exchange, allowedHosts);
    refuseOtherReaders(exchange);
    const key = keyOf(exchange);
    return kept.respond(exchange, (path) => mocks.isOpen(path, key));
  }

  function mockNotFound(path: string): StandinError {
    const names = mocks.list.map(({ name }) => `/${name}`);
    const known = names.length === 0 ? "The folder has none." : `There are ${names.slice(0, 20).join(", ")}.`;
    return new StandinError(
      "EXAMPLE_NOT_FOUND",
      `No mock is served at ${path.slice(0, 100)}. ${known}`,
      {},
      { nearest: [] },
    );
  }

  /** Reads the body, so that none is larger than allowed and the log can show it. */
  async function takeBody({ req }: Exchange): Promise<void> {
    await keepBody(req, maxBodyBytes);
    if (log && TEXT_TYPE.test(req.headers["content-type"] ?? "text")) {
      // An example is sent whatever the body is: one that cannot be decompressed is not shown.
      await readBodyText(req, maxBodyBytes).catch(() => "");
    }
  }
}

function hasBody({ req: { headers } }: Exchange): boolean {
  const { "content-length": length } = headers;
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}

import { StandinError } from "../base/errors.ts";
import { hasBody } from "../http/body/body.ts";
import type { Call } from "../http/call.ts";
import type { Edge } from "../http/edge.ts";
import { createNodeHandler, type RequestHandler } from "../http/node/handler.ts";
import { refuseForeignHost, refuseOtherReaders } from "../http/own-routes.ts";
import { Pipeline } from "../http/pipeline.ts";
import type { Reply } from "../http/response/reply.ts";
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
  const { delayMs } = edge.settings;
  const respond = (call: Call): Reply | Promise<Reply> => {
    const { path } = call.target;
    const { only } = mocks;
    if (only && path !== "/" && path !== REQUESTS) return respondFrom({ mock: only, path }, call);
    const found = mocks.find(path);
    if (log && path === REQUESTS && !isExample(found)) return respondWithRequests(call, log);
    if (hasIndex && call.isRead) {
      const index = { mocks, log, allowedHosts };
      if (path === "/" && !only) return respondWithIndex(call, index);
      if (found?.path === "/" && !found.mock.problem && !hasOwnRoot(found.mock)) {
        return respondWithIndex(call, index, found.mock);
      }
    }
    if (!found) throw mockNotFound(path);
    // An interceptor may have sent the request on to this mock.
    if (found.mock.keys && !only) expectKey(found.mock.keys, call.headers["x-api-key"]);
    return respondFrom(found, call);
  };
  const pipeline = new Pipeline(
    edge,
    (call) => {
      if (delayMs === 0) return respond(call);
      return edge.waits.wait(delayMs, call).then(() => (call.hasLeft ? undefined : respond(call)));
    },
    {
      record: log?.record,
      isPreflight: createPreflightTest(edge, (path) => {
        const found = mocks.find(path);
        return found && { routes: found.mock.hosted.routes, path: found.path };
      }),
    },
  );
  return createNodeHandler(pipeline);

  // Hot path: no promise beside that of the example.
  function respondFrom({ mock, path }: FoundMock, call: Call): Promise<Reply> {
    if (mock.problem !== undefined) throw new StandinError("MOCK_UNAVAILABLE", mock.problem);
    if (!hasBody(call.headers)) return mock.hosted.respond(call, path);
    return takeBody(call).then(() => mock.hosted.respond(call, path));
  }

  function isExample(found: FoundMock | undefined): boolean {
    return found !== undefined && !found.mock.hosted.routes.find("GET", found.path).next().done;
  }

  function respondWithRequests(call: Call, kept: RequestLog): Reply | Promise<Reply> {
    refuseForeignHost(call, allowedHosts);
    refuseOtherReaders(call);
    const key = keyOf(call);
    return kept.respond(call, (path) => mocks.isOpen(path, key));
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
  async function takeBody(call: Call): Promise<void> {
    await call.keepBody();
    if (log && TEXT_TYPE.test(call.headers["content-type"] ?? "text")) {
      // An example is sent whatever the body is: one that cannot be decompressed is not shown.
      await call.bodyText().catch(() => "");
    }
  }
}

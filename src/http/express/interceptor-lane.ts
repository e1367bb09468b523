import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import type { LayerRequest } from "../../layers/layer.ts";
import { layerRequest } from "../chain.ts";
import type { Edge, EdgeRespond, Lane, LayerStep } from "../edge.ts";
import type { Exchange } from "../exchange.ts";
import type { Reply } from "../response/reply.ts";
import type { Sender } from "../response/send.ts";
import { adoptChanges, type ParsedRequest } from "./adopt-changes.ts";
import { ExpressLayerResponse } from "./express-layer-response.ts";
import {
  beginResponse,
  type Functions,
  functionsOf,
  isPlain,
  isWrapped,
  sendBare,
  sendByExpress,
} from "./express-reply.ts";
import { observeResponse } from "./express-traffic.ts";
import { leaveUnfilledBody, parseBody } from "./interceptor-body.ts";
import type { InterceptorDatabases } from "./interceptor-databases.ts";
import { describeInterceptor, failureReply } from "./interceptor-failure.ts";
import { createLane, type ExpressLane, type LaneEntry, setDatabase } from "./run-steps.ts";

/** The state of a request in the lane: parameters and functions as they were before the first interceptor. */
interface Passage {
  readonly exchange: Exchange;
  query: string;
  functions: Functions;
}

interface InterceptorLaneParts {
  readonly edge: Edge;
  readonly respond: EdgeRespond;
  readonly sender: Sender;
  readonly databases: InterceptorDatabases | undefined;
}

const PASSAGE = Symbol("passage");

/** The lane through Express, where interceptors are listed. Responses leave by `res.jsonp(object)`, as in 0.17. */
export function createInterceptorLane(parts: InterceptorLaneParts): Lane {
  const { edge, databases } = parts;
  const { settings, reporter } = edge;
  const refuse = createRefuse(parts);
  const lane: ExpressLane = createLane({
    entries: [observingEntry(parts), ...entriesOf(parts, refuse)],
    pretty: settings.pretty,
    jsonp: settings.jsonp,
    compression: settings.compression,
    trustProxy: settings.trustProxy,
    db: databases && (() => databases.of()),
    respond: (req, res, next) => respondThrough(parts, lane, { req, res }).catch(next),
    fail: (thrown, res, file) => {
      if (!res.headersSent) return refuse(failureReply(thrown, file, reporter), res);
      reporter.fault(`${describeInterceptor(file)} failed after the response had begun.`, thrown);
      if (!res.writableEnded) res.destroy();
    },
    note: (thrown, file) =>
      reporter.fault(`${describeInterceptor(file)} failed after it had passed the request on.`, thrown),
  });

  return async (exchange) => {
    const { req, res } = exchange;
    Object.assign(req, { [PASSAGE]: { exchange, query: "", functions: [] } satisfies Passage });
    beginResponse(exchange, settings);
    // Express parses the query from the address, which a rewrite rule may have taken it out of.
    if (exchange.target.isQuerySpent) Object.assign(req, { query: lane.queryOf(exchange.target.search) });
    lane.run(layerRequest(exchange), res);
  };
}

type Refuse = (reply: Reply, res: ServerResponse) => void;

/** Sends a reply even where an interceptor that wraps `res` fails on it. */
function createRefuse({ edge: { reporter } }: InterceptorLaneParts): Refuse {
  return (reply, res) => {
    const { exchange } = passageOf(res.req);
    sendByExpress(exchange, reply, res).catch((thrown) => {
      reporter.fault("An interceptor failed on the response to an error.", thrown);
      if (res.headersSent) res.destroy();
      else sendBare(exchange, reply, res);
    });
  };
}

/** The first entry, where nothing wraps the response yet. */
function observingEntry({ edge, sender, databases }: InterceptorLaneParts): LaneEntry {
  const observers = { log: edge.reporter.request, record: sender.record };
  return {
    kind: "step",
    run: (req, res, next) => {
      const passage = passageOf(req);
      const { exchange } = passage;
      observeResponse(exchange, res, observers);
      if (databases && exchange.sandbox !== undefined) setDatabase(req, () => databases.of(exchange));
      passage.query = JSON.stringify(req.query);
      passage.functions = functionsOf(res);
      next();
    },
  };
}

function entriesOf({ edge: { steps, settings }, sender }: InterceptorLaneParts, refuse: Refuse): LaneEntry[] {
  const layerEntry = ({ name, layer }: LayerStep): LaneEntry => ({
    kind: "step",
    run: (req, res, next) => {
      passageOf(req).exchange.answeredBy = name;
      // A refusal is final: an error handler of the user's must not let the request pass.
      const stop = (thrown: unknown): void => refuse(sender.errorReply(passageOf(req).exchange, thrown), res);
      const seen = new ExpressLayerResponse(res, (reply) => refuse(reply, res));
      try {
        layer(req as unknown as LayerRequest, seen, next)?.catch(stop);
      } catch (thrown) {
        stop(thrown);
      }
    },
  });
  const entries = steps.flatMap((step) =>
    step.kind === "layer" ? [layerEntry(step)] : [namingEntry(step.file), step satisfies LaneEntry],
  );
  // A guard in front of the first interceptor refuses before a body is read.
  const first = entries.findIndex((entry) => entry.kind === "interceptor");
  if (settings.bodyParser) entries.splice(first, 0, { kind: "step", run: parseBody(settings.maxBodyBytes) });
  return entries;
}

/** The last one that got the request, and did not pass it on, is the one that responds. */
function namingEntry(name: string): LaneEntry {
  return {
    kind: "step",
    run: (req, _res, next) => {
      passageOf(req).exchange.answeredBy = name;
      next();
    },
  };
}

interface Messages {
  readonly req: Parameters<RequestHandler>[0];
  readonly res: Parameters<RequestHandler>[1];
}

/** Responds to a request that every interceptor has passed on. Rejects where an interceptor fails on the response. */
async function respondThrough(parts: InterceptorLaneParts, lane: ExpressLane, { req, res }: Messages): Promise<void> {
  // An interceptor responded and passed the request on all the same, or the client has left.
  if (res.headersSent || res.destroyed) return;
  const { respond, sender, databases } = parts;
  const { exchange, query, functions } = passageOf(req);
  exchange.answeredBy = "route";
  adoptChanges(exchange, req as ParsedRequest, query);
  leaveUnfilledBody(req);
  let reply: Reply | undefined;
  try {
    const adopting = databases?.adopt(exchange);
    if (adopting) await adopting;
    reply = await respond(exchange);
  } catch (thrown) {
    reply = sender.errorReply(exchange, thrown);
  }
  if (!reply) return;
  if (reply.connection) return sender.send(exchange, reply);
  if (isWrapped(res, functions) || !isPlain(exchange, reply, res)) return sendByExpress(exchange, reply, res);
  sendBare(exchange, { ...reply, etag: lane.tagOf(reply.json as string, "utf8") }, res);
}

function passageOf(req: IncomingMessage): Passage {
  return (req as IncomingMessage & { [PASSAGE]: Passage })[PASSAGE];
}

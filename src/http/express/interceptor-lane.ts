import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { ERRORS, type ErrorCode, messageOf, StandinError } from "../../errors.ts";
import type { LayerRequest } from "../../layers/layer.ts";
import type { Parameters } from "../../query/parameters.ts";
import { layerRequest } from "../chain.ts";
import type { Edge, Lane } from "../edge.ts";
import { type Exchange, parseTarget } from "../exchange.ts";
import type { EdgeRespond } from "../handler.ts";
import { commonHeaders, errorReply, type Reply } from "../response/reply.ts";
import { type Functions, functionsOf, isPlain, isWrapped, sendBare, sendByExpress } from "./express-reply.ts";
import { recordWhenDone } from "./express-traffic.ts";
import { leaveUnfilledBody, parseBody } from "./interceptor-body.ts";
import type { InterceptorDatabases } from "./interceptor-databases.ts";
import { createLane, type LaneEntry, setDatabase } from "./run-steps.ts";

type Query = Record<string, unknown>;
type ParsedRequest = IncomingMessage & { body?: unknown; query?: Query };

/** What the lane knows of a request on its way: parameters and functions as they were before the first interceptor. */
interface Passage {
  readonly exchange: Exchange;
  query: string;
  functions: Functions;
}

const PASSAGE = Symbol("passage");

/** The lane through Express, for when interceptors are listed. Answers leave by `res.jsonp(object)`, as in 0.17. */
export function createInterceptorLane(edge: Edge, respond: EdgeRespond, databases?: InterceptorDatabases): Lane {
  const { settings, reporter, steps } = edge;

  /** Sends a refusal, even where what an interceptor put around `res` fails on it. */
  const refuse = (reply: Reply, req: IncomingMessage, res: ServerResponse): void => {
    const { exchange } = passageOf(req);
    sendByExpress(exchange, reply, res).catch((thrown) => {
      reporter.fault("An interceptor failed on the answer to an error.", thrown);
      if (res.headersSent) res.destroy();
      else sendBare(exchange, reply, res);
    });
  };

  const lookAround: RequestHandler = (req, res, next) => {
    const passage = passageOf(req);
    // Here, where nothing is compressed yet.
    recordWhenDone(passage.exchange, res);
    if (databases && passage.exchange.sandbox !== undefined) setDatabase(req, () => databases.of(passage.exchange));
    passage.query = JSON.stringify(req.query);
    passage.functions = functionsOf(res);
    next();
  };
  /** Whoever got the request last, and did not pass it on, is who answers it. */
  const enter = (name: string): LaneEntry => ({
    kind: "step",
    run: (req, _res, next) => {
      passageOf(req).exchange.answeredBy = name;
      next();
    },
  });
  const entries = steps.flatMap((step): LaneEntry[] => {
    if (step.kind === "interceptor") return [enter(step.file), step];
    const run: RequestHandler = (req, res, next) => {
      passageOf(req).exchange.answeredBy = step.name;
      // A refusal is final: an error handler of the user's must not make a pass of it.
      const stop = (thrown: unknown): void => refuse(errorReply(thrown, reporter), req, res);
      try {
        step.layer(req as unknown as LayerRequest, res, next)?.catch(stop);
      } catch (thrown) {
        stop(thrown);
      }
    };
    return [{ kind: "step", run }];
  });
  // A guard in front of the first interceptor refuses before a body is read.
  const first = entries.findIndex((entry) => entry.kind === "interceptor");
  if (settings.bodyParser) entries.splice(first, 0, { kind: "step", run: parseBody(settings.maxBodyBytes) });

  const lane = createLane({
    entries: [{ kind: "step", run: lookAround }, ...entries],
    pretty: settings.pretty,
    jsonp: settings.jsonp,
    compression: settings.compression,
    trustProxy: settings.trustProxy,
    db: databases && (() => databases.of()),
    answer: (req, res, next) => {
      // Answered and passed on all the same, or the client has left: nothing may be done any more.
      if (res.headersSent || res.destroyed) return;
      const { exchange, query, functions } = passageOf(req);
      exchange.answeredBy = "route";
      adoptChanges(exchange, req, query);
      leaveUnfilledBody(req);
      // Whatever is thrown at once is a rejection, too.
      new Promise<Reply | undefined>((resolve) => {
        const adopting = databases?.adopt(exchange);
        resolve(adopting ? adopting.then(() => respond(exchange)) : respond(exchange));
      })
        .catch((thrown) => errorReply(thrown, reporter))
        .then((reply) => {
          if (!reply) return;
          if (isWrapped(res, functions) || !isPlain(exchange, reply, res, settings)) {
            return sendByExpress(exchange, reply, res);
          }
          sendBare(exchange, { ...reply, etag: lane.tagOf(reply.json as string, "utf8") }, res);
        })
        .catch(next);
    },
    fail: (thrown, req, res, file) => {
      if (!res.headersSent) return refuse(failureReply(thrown, file, edge), req, res);
      reporter.fault(`${nameOf(file)} failed after the answer had begun.`, thrown);
      if (!res.writableEnded) res.destroy();
    },
    note: (thrown, file) => reporter.fault(`${nameOf(file)} failed after it had passed the request on.`, thrown),
  });

  return async (exchange) => {
    const { req, res } = exchange;
    Object.assign(req, { [PASSAGE]: { exchange, query: "", functions: [] } satisfies Passage });
    const list = commonHeaders(exchange, settings);
    for (let i = 0; i < list.length; i += 2) res.setHeader(list[i]!, list[i + 1]!);
    // Express reads the query from an address that does not have it any more.
    if (exchange.target.isQuerySpent) Object.assign(req, { query: lane.queryOf(exchange.target.search) });
    lane.run(layerRequest(exchange), res);
  };
}

function passageOf(req: IncomingMessage): Passage {
  return (req as IncomingMessage & { [PASSAGE]: Passage })[PASSAGE];
}

/** Interceptors may have changed method, address and parameters; only what they changed is taken from `req`. */
export function adoptChanges(exchange: Exchange, req: ParsedRequest, queryBefore: string): void {
  const target = parseTarget(req.url ?? "/");
  const isSameQuery = JSON.stringify(req.query) === queryBefore;
  // 0.17.4: a query string put into req.url is not parsed again; req.query is what counts.
  const parameters = isSameQuery ? exchange.parameters : parametersFrom(req.query ?? {});
  exchange.adopt(req.method ?? exchange.method, { path: target.path, search: exchange.target.search }, parameters);
}

function parametersFrom(query: Query): Parameters {
  const parameters = new Map<string, string[]>();
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const element of value) add(name, element);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
    } else if (value !== undefined && value !== null) {
      parameters.set(name, [...(parameters.get(name) ?? []), String(value)]);
    }
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return parameters;
}

/** An error that says it is the client's (`status` 4xx, as http-errors have it) stays one; any other is a failure. */
function failureReply(thrown: unknown, file: string | undefined, { reporter }: Edge): Reply {
  if (thrown instanceof StandinError) return errorReply(thrown, reporter);
  const status = (thrown as { status?: unknown } | null)?.status;
  const code: ErrorCode = "INTERCEPTOR_FAILED";
  if (typeof status === "number" && status >= 400 && status < 500) {
    return { status, json: JSON.stringify({ error: "Request refused", message: messageOf(thrown), code }) };
  }
  reporter.fault(`${nameOf(file)} failed.`, thrown);
  const message = `${nameOf(file)} failed; the terminal says where.`;
  return { status: ERRORS[code].status, json: JSON.stringify(new StandinError(code, message)) };
}

function nameOf(file: string | undefined): string {
  return file === undefined ? "An interceptor" : `The interceptor ${file}`;
}

import { type IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import { ERRORS, type ErrorCode, messageOf, StandinError } from "../errors.ts";
import { createLane, type LaneEntry } from "../interceptors/lane.ts";
import type { LayerRequest } from "../layers/layer.ts";
import type { Parameters } from "../query/parameters.ts";
import { layerRequest } from "./chain.ts";
import { type Exchange, parseTarget } from "./exchange.ts";
import { leaveUnfilledBody, parseBody } from "./interceptor-body.ts";
import { addReplyHeaders, commonHeaders, errorReply, type Reply } from "./reply.ts";
import type { Lane, Service } from "./service.ts";

type Query = Record<string, unknown>;
type ParsedRequest = IncomingMessage & { body?: unknown; query?: Query };

/** The lane through Express, for when interceptors are listed. Answers leave by `res.jsonp(object)`, as in 0.17. */
export function createInterceptorLane(
  service: Service,
  answer: (exchange: Exchange, service: Service) => Promise<Reply>,
): Lane {
  const { settings, reporter, steps } = service;
  const exchanges = new WeakMap<IncomingMessage, { exchange: Exchange; query: string }>();
  const known = (req: IncomingMessage) => exchanges.get(req) as { exchange: Exchange; query: string };

  /** Sends a refusal, even where what an interceptor put around `res` fails on it. */
  const refuse = (reply: Reply, req: IncomingMessage, res: ServerResponse): void => {
    sendByExpress(known(req).exchange, reply, res as Response).catch((thrown) => {
      reporter.fault("An interceptor failed on the answer to an error.", thrown);
      sendBare(reply, res);
    });
  };

  const rememberQuery: LaneEntry = {
    kind: "step",
    run: (req, _res, next) => {
      exchanges.set(req, { ...known(req), query: JSON.stringify(req.query) });
      next();
    },
  };
  const entries = steps.map(
    (step): LaneEntry =>
      step.kind === "interceptor"
        ? step
        : {
            kind: "step",
            run: (req, res, next) => {
              // A refusal is final: an error handler of the user's must not make a pass of it.
              const stop = (thrown: unknown): void => refuse(errorReply(thrown, reporter), req, res);
              try {
                step.layer(req as unknown as LayerRequest, res, next)?.catch(stop);
              } catch (thrown) {
                stop(thrown);
              }
            },
          },
  );
  // A guard in front of the first interceptor refuses before a body is read.
  const first = steps.findIndex((step) => step.kind === "interceptor");
  if (settings.bodyParser) entries.splice(first, 0, { kind: "step", run: parseBody(settings.maxBodyBytes) });

  const run = createLane({
    entries: [rememberQuery, ...entries],
    pretty: settings.pretty,
    compression: settings.compression,
    trustProxy: settings.trustProxy,
    answer: (req, res, next) => {
      // Answered and passed on all the same: the client has its answer, so nothing may be done any more.
      if (res.headersSent) return;
      const { exchange, query } = known(req);
      adoptChanges(exchange, req, query);
      leaveUnfilledBody(req);
      answer(exchange, service)
        .catch((thrown) => errorReply(thrown, reporter))
        .then((reply) => sendByExpress(exchange, reply, res))
        .catch(next);
    },
    fail: (thrown, req, res, file) => {
      if (!res.headersSent) return refuse(failureReply(thrown, file, service), req, res);
      reporter.fault(`${nameOf(file)} failed after the answer had begun.`, thrown);
      if (!res.writableEnded) res.destroy();
    },
    note: (thrown, file) => reporter.fault(`${nameOf(file)} failed after it had passed the request on.`, thrown),
  });

  return async (exchange) => {
    exchanges.set(exchange.req, { exchange, query: "" });
    setHeaders(exchange.res, commonHeaders(exchange, settings));
    run(layerRequest(exchange), exchange.res);
  };
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

/**
 * Puts a reply into an Express response: status and headers now, data into `res.locals.data`. Tells whether the data are
 * still to be sent. The ETag is made by Express, from the body that interceptors leave.
 */
export function prepareReply(exchange: Exchange, reply: Reply, res: Response): boolean {
  const { etag: _etag, ...rest } = reply;
  setHeaders(res, addReplyHeaders([], exchange, rest));
  res.status(reply.status);
  if (reply.html !== undefined) res.type("html").send(reply.html);
  else if (reply.json === undefined) res.end();
  else {
    res.locals.data = JSON.parse(reply.json);
    return true;
  }
  return false;
}

/** Waits for an interceptor that answers in its own time, so that its rejection is heard. */
async function sendByExpress(exchange: Exchange, reply: Reply, res: Response): Promise<void> {
  if (prepareReply(exchange, reply, res)) await res.jsonp(res.locals.data);
}

/** Sends past everything that interceptors and Express have put around the response. */
function sendBare({ status, json = "" }: Reply, res: ServerResponse): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const headers = { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(json) };
  ServerResponse.prototype.writeHead.call(res, status, headers);
  ServerResponse.prototype.end.call(res, json, "utf8");
}

function setHeaders(res: ServerResponse, list: readonly string[]): void {
  for (let i = 0; i < list.length; i += 2) res.setHeader(list[i]!, list[i + 1]!);
}

/** An error that says it is the client's (`status` 4xx, as http-errors have it) stays one; any other is a failure. */
function failureReply(thrown: unknown, file: string | undefined, { reporter }: Service): Reply {
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

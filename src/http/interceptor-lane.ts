import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import { ERRORS, type ErrorCode, messageOf, StandinError } from "../errors.ts";
import { createLane, type LaneEntry } from "../interceptors/lane.ts";
import type { LayerRequest } from "../layers/layer.ts";
import type { Parameters } from "../query/parameters.ts";
import { readBody } from "./body.ts";
import { layerRequest } from "./chain.ts";
import { type Exchange, parseTarget } from "./exchange.ts";
import { errorReply, headersOf, type Reply } from "./reply.ts";
import type { Lane, Service, ServiceSettings } from "./service.ts";

type Query = Record<string, unknown>;
type ParsedRequest = IncomingMessage & { body?: unknown; query?: Query };

/** The lane through Express, for when interceptors are listed. Answers leave by `res.jsonp(object)`, as in 0.17. */
export function createInterceptorLane(
  service: Service,
  answer: (exchange: Exchange, service: Service) => Promise<Reply>,
): Lane {
  const { settings, reporter, steps } = service;
  const exchanges = new WeakMap<IncomingMessage, { exchange: Exchange; query: string }>();

  const parseBody: LaneEntry = {
    kind: "step",
    run: (req, _res, next) => {
      const body =
        req.method === "GET" || req.method === "HEAD" ? Promise.resolve({}) : readBody(req, settings.maxBodyBytes);
      body.then((parsed) => {
        req.body = parsed ?? {};
        next();
      }, next);
    },
  };
  const entries = steps.map(
    (step): LaneEntry =>
      step.kind === "interceptor"
        ? step
        : { kind: "step", run: (req, res, next) => step.layer(req as unknown as LayerRequest, res, next)?.catch(next) },
  );
  // A guard in front of the first interceptor refuses before a body is read.
  if (settings.bodyParser)
    entries.splice(
      steps.findIndex((step) => step.kind === "interceptor"),
      0,
      parseBody,
    );
  entries.unshift({
    kind: "step",
    run: (req, res, next) => {
      const { exchange } = known(req);
      exchanges.set(req, { exchange, query: JSON.stringify(req.query) });
      setHeaders(res, headersOf(exchange, { status: 200 }, settings));
      next();
    },
  });

  const app = createLane({
    entries,
    pretty: settings.pretty,
    compression: settings.compression,
    answer: (req, res, next) => {
      const { exchange, query } = known(req);
      adoptChanges(exchange, req, query);
      answer(exchange, service)
        .catch((thrown) => errorReply(thrown, reporter))
        .then((reply) => sendByExpress(exchange, reply, res, settings))
        .catch(next);
    },
    fail: (thrown, req, res, file) => {
      if (res.headersSent) {
        reporter.fault(`${nameOf(file)} failed after the answer had begun.`, thrown);
        res.destroy();
        return;
      }
      const { exchange } = known(req);
      sendByExpress(exchange, failureReply(thrown, file, service), res as Response, settings);
    },
  });

  function known(req: IncomingMessage): { exchange: Exchange; query: string } {
    return exchanges.get(req) as { exchange: Exchange; query: string };
  }

  return async (exchange) => {
    exchanges.set(exchange.req, { exchange, query: "" });
    app(layerRequest(exchange) as never, exchange.res as never);
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
export function prepareReply(exchange: Exchange, reply: Reply, res: Response, settings: ServiceSettings): boolean {
  const { etag: _etag, ...rest } = reply;
  setHeaders(res, headersOf(exchange, rest, settings));
  res.status(reply.status);
  if (reply.html !== undefined) res.type("html").send(reply.html);
  else if (reply.json === undefined) res.end();
  else {
    res.locals.data = JSON.parse(reply.json);
    return true;
  }
  return false;
}

function sendByExpress(exchange: Exchange, reply: Reply, res: Response, settings: ServiceSettings): void {
  if (prepareReply(exchange, reply, res, settings)) res.jsonp(res.locals.data);
}

function setHeaders(res: ServerResponse, list: readonly string[]): void {
  for (let i = 0; i < list.length; i += 2) {
    // What an interceptor or a layer says of caching stands; the rest is ours to say.
    if (list[i] === "Cache-Control" && res.hasHeader("Cache-Control")) continue;
    res.setHeader(list[i] as string, list[i + 1] as string);
  }
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

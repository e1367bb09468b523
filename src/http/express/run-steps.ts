import { IncomingMessage, ServerResponse } from "node:http";
import { inspect } from "node:util";
import compression from "compression";
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from "express";
import { StandinError } from "../../base/errors.ts";
import type { Interceptor } from "./load-interceptors.ts";

/** One entry of the list: a step of ours, or functions from a file of the user's. */
export type LaneEntry =
  | { readonly kind: "step"; readonly run: RequestHandler }
  | { readonly kind: "interceptor"; readonly file: string; readonly functions: readonly Interceptor[] };

export interface LaneOptions {
  readonly entries: readonly LaneEntry[];
  readonly pretty: boolean;
  /** Whether the parameter `callback` turns a response into a script. */
  readonly jsonp: boolean;
  readonly compression: boolean;
  readonly trustProxy: boolean;
  /** Responds to requests that every interceptor has passed on. */
  readonly respond: RequestHandler;
  /** The value of `req.app.db`, made on first use; undefined where there is no data. */
  readonly db?: (() => unknown) | undefined;
  /** Responds to an error; `file` is the interceptor it came from, if any. Must not throw itself. */
  readonly fail: (thrown: unknown, res: ServerResponse, file: string | undefined) => void;
  /** Reports an error that an interceptor threw after it had passed the request on. */
  readonly note: (thrown: unknown, file: string) => void;
}

/** Lets one request find another database in `req.app.db` than the rest. */
export function setDatabase(req: Request, db: () => unknown): void {
  const app: unknown = Object.create(req.app, { db: { get: db, enumerable: true, configurable: true } });
  Object.defineProperty(req, "app", { value: app, configurable: true, enumerable: true, writable: true });
}

export interface ExpressLane {
  run(req: IncomingMessage, res: ServerResponse): void;
  /** The ETag that Express gives a body. */
  tagOf(body: string, encoding: "utf8"): string;
  /** A query string as Express parses it. */
  queryOf(search: string): Record<string, unknown>;
}

type Next = (error?: unknown) => void;
type Handle = (req: IncomingMessage, res: ServerResponse, done: Next) => void;

/** Errors by the interceptor that caused them. */
const origins = new WeakMap<object, string>();

/**
 * The lane for requests when interceptors are listed: a real Express 4 app, so that files written for json-server find
 * `req.query`, `res.jsonp` and everything else where they expect it. Our own steps run in it at their place in the list.
 */
export function createLane(options: LaneOptions): ExpressLane {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", options.trustProxy);
  if (options.pretty) app.set("json spaces", 2);
  // A name that no parameter has.
  if (!options.jsonp) app.set("jsonp callback name", "");
  if (options.db) Object.defineProperty(app, "db", { get: options.db, enumerable: true, configurable: true });
  if (options.compression) app.use(whereAccepted(compression()));
  for (const entry of options.entries) {
    if (entry.kind === "step") app.use(entry.run);
    else for (const run of entry.functions) app.use(guarded(run, entry.file, options.note) as RequestHandler);
  }
  app.use(options.respond);
  let hasPrototypes = false;
  const run: ExpressLane["run"] = (req, res) => {
    if (!hasPrototypes) adoptPrototypes(app, req, res);
    hasPrototypes = true;
    // In place of Express's own error page, which shows a stack. Without an error the request never reached `respond`.
    const done = (thrown: unknown): void => {
      const error = thrown ?? new StandinError("ROUTE_NOT_FOUND", `Nothing is served at ${req.url}.`);
      options.fail(error, res, typeof error === "object" ? origins.get(error) : undefined);
    };
    (app as Handle)(req, res, done);
  };
  return { run, tagOf: app.get("etag fn"), queryOf: app.get("query parser fn") } as ExpressLane;
}

/**
 * Where the server uses the classes of message-classes.ts, Express takes their prototypes for its own: it need not change
 * the prototype of any request then, which makes them twice as fast.
 */
function adoptPrototypes(app: Express, req: IncomingMessage, res: ServerResponse): void {
  const [request, response] = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)];
  if (request === IncomingMessage.prototype || response === ServerResponse.prototype) return;
  app.request = Object.setPrototypeOf(request, app.request);
  app.response = Object.setPrototypeOf(response, app.response);
}

/** Wraps `res` only for clients that accept compression. */
function whereAccepted(compress: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.headers["accept-encoding"] === undefined) next();
    else compress(req, res, next);
  };
}

/** Express 4 ignores promises: a rejection is handled like a throw. The number of parameters marks error handlers. */
function guarded(run: Interceptor, file: string, note: LaneOptions["note"]): RequestHandler | ErrorRequestHandler {
  const call = (parameters: unknown[], next: Next): void => {
    let isPassed = false;
    const pass: Next = (error) => {
      // A second call would reach the end of Express's list ahead of the response to the first one.
      if (isPassed) return;
      isPassed = true;
      if (typeof error === "object" && error !== null && !origins.has(error)) origins.set(error, file);
      next(error);
    };
    const caught = (thrown: unknown): void => {
      // Not by String, which itself throws on some values.
      const error = thrown instanceof Error ? thrown : new Error(inspect(thrown));
      if (isPassed) note(error, file);
      else pass(error);
    };
    try {
      const result = (run as (...given: unknown[]) => unknown)(...parameters, pass);
      if (result instanceof Promise) result.catch(caught);
    } catch (thrown) {
      caught(thrown);
    }
  };
  if (run.length === 4) {
    const onError: ErrorRequestHandler = (error, req, res, next) => call([error, req, res], next);
    return onError;
  }
  const middleware: RequestHandler = (req, res, next) => call([req, res], next);
  return middleware;
}

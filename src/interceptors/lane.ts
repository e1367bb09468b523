import type { IncomingMessage, ServerResponse } from "node:http";
import compression from "compression";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { Interceptor } from "./load.ts";

/** One entry of the list: a step of ours, or functions from a file of the user's. */
export type LaneEntry =
  | { readonly kind: "step"; readonly run: RequestHandler }
  | { readonly kind: "interceptor"; readonly file: string; readonly functions: readonly Interceptor[] };

export interface LaneOptions {
  readonly entries: readonly LaneEntry[];
  readonly pretty: boolean;
  readonly compression: boolean;
  /** Answers what no interceptor has answered. */
  readonly answer: RequestHandler;
  /** Answers what was thrown; `file` is the interceptor it came from, if any. */
  readonly fail: (thrown: unknown, req: IncomingMessage, res: ServerResponse, file: string | undefined) => void;
}

/** Errors by the interceptor that caused them. */
const origins = new WeakMap<object, string>();

/**
 * The lane for requests when interceptors are listed: a real Express 4 app, so that files written for json-server find
 * `req.query`, `res.jsonp` and everything else where they expect it. Our own steps run in it at their place in the list.
 */
export function createLane(options: LaneOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  if (options.pretty) app.set("json spaces", 2);
  if (options.compression) app.use(compression());
  for (const entry of options.entries) {
    if (entry.kind === "step") app.use(entry.run);
    else for (const run of entry.functions) app.use(guarded(run, entry.file) as RequestHandler);
  }
  app.use(options.answer);
  const fail: ErrorRequestHandler = (thrown, req, res, _next) => {
    const file = typeof thrown === "object" && thrown !== null ? origins.get(thrown) : undefined;
    options.fail(thrown, req, res, file);
  };
  app.use(fail);
  return app;
}

/** Express 4 knows nothing of promises: a rejection goes the way of a throw. The number of parameters tells error handlers. */
function guarded(run: Interceptor, file: string): RequestHandler | ErrorRequestHandler {
  const call = (parameters: unknown[], next: (error?: unknown) => void): void => {
    const pass = (thrown: unknown): void => {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (!origins.has(error)) origins.set(error, file);
      next(error);
    };
    try {
      const result = (run as (...given: unknown[]) => unknown)(...parameters);
      if (result instanceof Promise) result.catch(pass);
    } catch (thrown) {
      pass(thrown);
    }
  };
  if (run.length === 4) {
    const onError: ErrorRequestHandler = (error, req, res, next) => call([error, req, res, next], next);
    return onError;
  }
  const middleware: RequestHandler = (req, res, next) => call([req, res, naming(next, file)], next);
  return middleware;
}

/** `next(error)` from an interceptor is remembered as its own. */
function naming(next: (error?: unknown) => void, file: string): (error?: unknown) => void {
  return (error) => {
    if (typeof error === "object" && error !== null && !origins.has(error)) origins.set(error, file);
    next(error);
  };
}

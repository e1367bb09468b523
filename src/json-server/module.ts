/**
 * json-server's module API for custom servers, over standin's store and routes. For Express 4 apps that used to
 * `require("json-server")`.
 *
 * @example
 * const server = jsonServer.create();
 * server.use(jsonServer.defaults());
 * server.use(jsonServer.router({ products: [] }));
 */
import express, { type Express, type RequestHandler, Router } from "express";
import { silentReporter } from "../base/reporter.ts";
import { parseTarget, visibleUrl } from "../http/call.ts";
import { sendByExpress } from "../http/express/express-reply.ts";
import { NodeCall } from "../http/node/node-call.ts";
import { readAllowedHosts, refuseForeignHost } from "../http/own-routes.ts";
import { errorReply, jsonReply } from "../http/response/reply.ts";
import { createRewriter } from "../http/rewrite/rewriter.ts";
import { DEFAULT_SETTINGS } from "../http/settings.ts";
import { parseParameters } from "../query/parse-query.ts";
import type { DefaultsOptions, JsonServerRouter, RouterOptions } from "./api.ts";
import * as middlewares from "./defaults.ts";
import { keepRewritten } from "./rewritten-query.ts";
import * as routing from "./router.ts";

export type {
  Chain,
  ChainParameter,
  DefaultsOptions,
  JsonServerRouter,
  LodashFunctions,
  RouterDatabase,
  RouterOptions,
} from "./api.ts";

/** Parses JSON and form bodies into `req.body`. */
export const bodyParser: RequestHandler[] = middlewares.bodyParser;

/** The middlewares a custom server starts with. */
export function defaults(options?: DefaultsOptions): RequestHandler[] {
  return middlewares.defaults(options);
}

/** Routes for every collection of an object (in memory), of a lowdb instance or of a data file (written back to it). */
export function router(source: object | string, options?: RouterOptions): JsonServerRouter {
  return routing.router(source, options);
}

/** An Express app whose JSON is indented. */
export function create(): Express {
  return express().set("json spaces", 2);
}

/** Rewrites addresses by rules, and shows the rules at `/__rules`, for the same hosts as the routes of a router. */
export function rewriter(
  rules: Readonly<Record<string, string>>,
  options: Pick<RouterOptions, "allowedHosts"> = {},
): Router {
  const { rewrite } = createRewriter(rules, (text) => console.warn(`standin: ${text}`));
  const allowedHosts = readAllowedHosts("localhost", options.allowedHosts);
  const api = Router();
  api.get("/__rules", (req, res, next) => {
    const call = new NodeCall(req, res, DEFAULT_SETTINGS);
    let reply = jsonReply(JSON.stringify(rules));
    try {
      refuseForeignHost(call, { ...DEFAULT_SETTINGS, allowedHosts });
    } catch (thrown) {
      reply = errorReply(thrown, silentReporter);
    }
    sendByExpress(call, reply, res).catch(next);
  });
  api.use((req, _res, next) => {
    const client = parseTarget(req.url);
    const target = rewrite(client);
    if (target === client) return next();
    req.url = visibleUrl(target);
    req.originalUrl = req.url;
    keepRewritten(req, target);
    // 0.17.4: without a query in the new address, what is there stays as it was parsed, or changed, before.
    if (target.search === client.search && !req.url.includes("?")) return next();
    req.query = Object.fromEntries(
      [...parseParameters(target.search)].map(([name, [first = "", ...others]]) => [
        name,
        others.length === 0 ? first : [first, ...others],
      ]),
    );
    next();
  });
  return api;
}

/** All of it under one name: `import jsonServer from "standin/json-server"`. */
const jsonServer: {
  readonly bodyParser: typeof bodyParser;
  readonly create: typeof create;
  readonly defaults: typeof defaults;
  readonly rewriter: typeof rewriter;
  readonly router: typeof router;
} = { bodyParser, create, defaults, rewriter, router };
export default jsonServer;

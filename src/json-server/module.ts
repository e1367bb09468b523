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
import { parseTarget } from "../http/exchange.ts";
import { createRewriter } from "../http/rewrite.ts";
import type { Rules } from "../http/service.ts";
import { parseParameters } from "../query/parameters.ts";
import * as middlewares from "./defaults.ts";
import * as routing from "./router.ts";

export const bodyParser: RequestHandler[] = middlewares.bodyParser;
export const defaults = middlewares.defaults;
export const router = routing.router;

/** An Express app whose JSON is indented. */
export function create(): Express {
  return express().set("json spaces", 2);
}

/** Rewrites addresses by rules, and shows the rules at `/__rules`. */
export function rewriter(rules: Rules): Router {
  const { rewrite } = createRewriter(rules);
  const api = Router();
  api.get("/__rules", (_req, res) => {
    res.json(rules);
  });
  api.use((req, _res, next) => {
    const client = parseTarget(req.url);
    const target = rewrite(client);
    if (target === client) return next();
    req.url = target.search === "" ? target.path : `${target.path}?${target.search}`;
    req.originalUrl = req.url;
    req.query = Object.fromEntries(
      [...parseParameters(target.search)].map(([name, values]) => [
        name,
        values.length === 1 ? values[0]! : [...values],
      ]),
    );
    next();
  });
  return api;
}

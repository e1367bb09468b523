import { existsSync } from "node:fs";
import { resolve } from "node:path";
import compression from "compression";
import express, { type RequestHandler } from "express";
import { crossOriginHeaders, preflightHeaders } from "../base/cross-origin.ts";
import { StandinError } from "../base/errors.ts";
import { silentReporter } from "../base/reporter.ts";
import { maskAddress } from "../base/secrets/mask-text.ts";
import { sendByExpress } from "../http/express/express-reply.ts";
import { NodeCall } from "../http/node/node-call.ts";
import { errorReply } from "../http/response/reply.ts";
import { DEFAULT_SETTINGS } from "../http/settings.ts";
import type { DefaultsOptions } from "./api.ts";
import { keepText } from "./exact-body.ts";
import { homePage } from "./home-page.ts";

const BODY_LIMIT = "10mb";

/** Parses JSON and form bodies into `req.body`. */
export const bodyParser: RequestHandler[] = [
  express.json({ limit: BODY_LIMIT, verify: keepText }),
  express.urlencoded({ extended: false }),
];

/** The middlewares a custom server starts with: compression, cross-origin headers, static files, log lines, no caching, read-only. */
export function defaults(options: DefaultsOptions = {}): RequestHandler[] {
  const publicFolder = resolve("public");
  const folder = options.static ?? (existsSync(publicFolder) ? publicFolder : undefined);
  const list: RequestHandler[] = [];
  if (!options.noGzip) list.push(compression());
  if (!options.noCors) list.push(crossOrigin);
  list.push(folder === undefined ? homePage : express.static(folder));
  if (options.logger !== false) list.push(logLine);
  list.push(noCache);
  if (options.readOnly) list.push(readOnly);
  if (options.bodyParser) list.push(...bodyParser);
  return list;
}

const crossOrigin: RequestHandler = (req, res, next) => {
  const isPreflight = req.method === "OPTIONS";
  const [, vary, ...list] = isPreflight ? preflightHeaders(req.headers) : crossOriginHeaders(req.headers.origin);
  res.vary(vary!);
  for (let at = 0; at < list.length; at += 2) res.set(list[at]!, list[at + 1]!);
  if (isPreflight) res.status(204).set("Content-Length", "0").end();
  else next();
};

const logLine: RequestHandler = (req, res, next) => {
  const startedAt = performance.now();
  res.once("finish", () => {
    const durationMs = (performance.now() - startedAt).toFixed(3);
    const url = maskAddress(req.originalUrl).replace(/[^\x21-\x7e]/g, encodeURIComponent);
    console.log(`${req.method} ${url} ${res.statusCode} ${durationMs} ms`);
  });
  next();
};

const noCache: RequestHandler = (_req, res, next) => {
  res.set("Cache-Control", "no-cache");
  next();
};

const readOnly: RequestHandler = (req, res, next) => {
  if (req.method === "GET" || req.method === "HEAD" || req.method === "OPTIONS") return next();
  const refusal = new StandinError("READ_ONLY", `${req.method} is refused: read-only.`);
  sendByExpress(new NodeCall(req, res, DEFAULT_SETTINGS), errorReply(refusal, silentReporter), res).catch(next);
};

import { inspect } from "node:util";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from "express";
import { openService } from "../app/open-service.ts";
import { StartError } from "../base/errors.ts";
import { type Reporter, terminalSafe } from "../base/reporter.ts";
import { maskText } from "../base/secrets/mask-text.ts";
import { withDefaults } from "../config/defaults.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { descriptionFeature } from "../features/description/feature.ts";
import { preferredFaultsFeature } from "../features/faults/feature.ts";
import { isUnparsed } from "../http/body/body.ts";
import { type Call, parseTarget } from "../http/call.ts";
import type { Respond, Service } from "../http/contract.ts";
import { adoptChanges } from "../http/express/adopt-changes.ts";
import { prepareReply, sendByExpress } from "../http/express/express-reply.ts";
import { leaveUnfilledBody, parseBody } from "../http/express/interceptor-body.ts";
import type { Lowdb } from "../http/express/lowdb/lowdb.ts";
import { NodeCall } from "../http/node/node-call.ts";
import { Pipeline } from "../http/pipeline.ts";
import { errorReply, type Reply } from "../http/response/reply.ts";
import { routeNotFound } from "../http/router.ts";
import { DEFAULT_SETTINGS } from "../http/settings.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import type { JsonServerRouter, RouterOptions } from "./api.ts";
import { showAsRouted } from "./as-routed.ts";
import { restoreExact } from "./exact-body.ts";
import { applyMixedIn, expandMixedIn } from "./mixed-in.ts";
import { type Data, openData } from "./open-data.ts";
import { withRewritten } from "./rewritten-query.ts";

const toConsole: Reporter = {
  note: (text) => console.log(`standin: ${terminalSafe(maskText(text))}`),
  done: (text) => console.log(`standin: ${terminalSafe(maskText(text))}`),
  warn: (text) => console.warn(`standin: ${terminalSafe(maskText(text))}`),
  fault: (text, thrown) => console.error(terminalSafe(`standin: ${maskText(text)} ${maskText(inspect(thrown), true)}`)),
  request: undefined,
};

/** Routes for every collection of an object (in memory) or of a data file (written back to it). */
export function router(source: object | string, options: RouterOptions = {}): JsonServerRouter {
  const opened = openData(source, options.id ?? "id", toConsole);
  let data = opened instanceof Promise ? undefined : opened;
  const api = express.Router() as JsonServerRouter;
  const opening = Promise.resolve(opened).then(async (ready) => {
    data = ready;
    const service = await openRouterService(ready, options);
    return { data: ready, service, carryOut: new Pipeline(service).respond };
  });
  api.use(((req, res, next) => {
    opening.then((open) => respond({ ...open, api, options }, req, res)).catch(next);
  }) satisfies RequestHandler);
  // 0.17.4: the last layer handles errors; some projects put a handler of their own in its place, by `router.stack`.
  api.use(handleError);
  api.ready = opening.then(() => undefined);
  // Code that never awaits it meets the problem at the first request.
  api.ready.catch(() => undefined);
  api.render = sendData;
  api.close = async () => {
    const { data, service } = await opening;
    service.waits.stop();
    await data.close();
  };
  defineDatabase(api, () => {
    if (data) return data.db();
    throw new StartError("The data is not loaded yet: await router.ready first.");
  });
  return api;
}

const sendData: JsonServerRouter["render"] = (_req, res) => {
  res.jsonp(res.locals.data);
};

/** Responds where the data could not be loaded. */
const handleError: ErrorRequestHandler = (thrown, req, res, next) => {
  if (res.headersSent) return next(thrown);
  sendByExpress(new NodeCall(req, res, DEFAULT_SETTINGS), errorReply(thrown, toConsole), res).catch(next);
};

/** Made when it is first touched; another may be put in its place. */
function defineDatabase(api: JsonServerRouter, db: () => Lowdb): void {
  Object.defineProperty(api, "db", {
    enumerable: true,
    configurable: true,
    get: db,
    set: (value: unknown) => Object.defineProperty(api, "db", { value, writable: true }),
  });
}

/** A router that is ready, as its requests see it. */
interface Open {
  readonly api: JsonServerRouter;
  readonly data: Data;
  readonly service: Service;
  readonly carryOut: Respond;
  readonly options: RouterOptions;
}

async function respond({ api, data, service, carryOut, options }: Open, req: Request, res: Response): Promise<void> {
  const call = exchangeOf(req, res, service);
  const mixedIn = data.mixedIn();
  const replyTo = async (): Promise<Reply | undefined> => {
    await parsed(call);
    // Scripts may change the data while a body comes in.
    await data.adopt();
    if (res.headersSent) return undefined;
    // 0.17.4: the page at `/` comes from the folder of static files, not from the router.
    if (call.target.path === "/") throw routeNotFound(call, data.store);
    if (mixedIn) applyMixedIn(call, req, { data, mixedIn });
    if (options._isFake !== true || call.isRead) return carryOut(call, service);
    // Written to a copy, and forgotten with it.
    return carryOut(call, { ...service, store: new MemoryStore(data.store.branch()) });
  };
  const reply = await replyTo().catch((thrown) => errorReply(thrown, service.reporter));
  // 0.17.4: `render` finds a body, even where none was sent.
  req.body ??= {};
  // A handler responded and passed the request on all the same.
  if (!reply || res.headersSent) return;
  if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "no-cache");
  if (!prepareReply(call, reply, res)) return;
  if (!isRendered(call, reply)) return sendData(req, res);
  const suffix = options.foreignKeySuffix ?? "Id";
  const expanded = call.parameters.get("_expand");
  if (mixedIn?.getById && call.isRead && expanded) {
    const names = expanded.flatMap((list) => list.split(","));
    expandMixedIn(res.locals.data, names, { db: data.db, suffix, getById: mixedIn.getById });
  }
  if (api.render !== sendData) {
    // 0.17.4: `render` tells what was not found by data without keys.
    if (reply.status >= 400) res.locals.data = {};
    // 0.17.4: the new record is the body itself.
    if (reply.status === 201 && !Array.isArray(req.body)) Object.assign(req.body, res.locals.data);
    await showAsRouted(req, { call, store: data.store, suffix });
  }
  api.render(req, res);
}

function exchangeOf(req: Request, res: Response, { settings }: Service): NodeCall {
  const call = new NodeCall(req, res, { ...settings, trustProxy: false });
  call.client = withRewritten(req, parseTarget(req.originalUrl));
  call.target = withRewritten(req, parseTarget(req.url));
  call.scheme = req.protocol === "https" ? "https" : "http";
  // 0.17.4: the method as it was sent is there for `render`.
  const overridden = req as Request & { originalMethod?: string };
  overridden.originalMethod ??= req.method;
  req.method = call.method;
  enterMount(call);
  adoptChanges(call, req, "");
  return call;
}

/** A router may be mounted below a path, or behind a middleware that takes one off: the client sees it, the routes do not. */
function enterMount(call: Call): void {
  const { client, target } = call;
  if (client.path === target.path || !client.path.endsWith(target.path)) return;
  call.prefix = client.path.slice(0, -target.path.length);
  call.client = { ...client, path: target.path };
}

/** Leaves the parsed body in `req.body`, where `render` looks for it. */
async function parsed(call: NodeCall): Promise<void> {
  const given = call.givenBody();
  if (given === undefined || isUnparsed(given)) {
    await new Promise<void>((resolve, reject) => parseBody(call, (error) => (error ? reject(error) : resolve())));
  }
  leaveUnfilledBody(call.req);
  restoreExact(call.req);
}

/** 0.17.4: everything that was found, and what was not; neither the whole database nor what went wrong before that. */
function isRendered({ target }: Call, { status }: Reply): boolean {
  if (/^\/db\/?$/.test(target.path)) return false;
  return status < 400 || status === 404 || status === 405;
}

/** Cross-origin headers, compression and all else that is shown are the app's own, by `defaults`. */
function openRouterService({ store }: Data, { foreignKeySuffix, allowedHosts }: RouterOptions): Promise<Service> {
  const options = { foreignKeySuffix, allowedHosts, noCors: true, noGzip: true, noConsole: true };
  return openService(withDefaults(SERVE_OPTIONS, options), {
    reporter: toConsole,
    place: "router",
    openData: () => store,
    features: [descriptionFeature, preferredFaultsFeature],
  });
}

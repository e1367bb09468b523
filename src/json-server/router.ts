import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import { StartError } from "../errors.ts";
import { Exchange, parseTarget } from "../http/exchange.ts";
import { prepareReply } from "../http/express-reply.ts";
import { answer } from "../http/handler.ts";
import { adoptChanges } from "../http/interceptor-lane.ts";
import { readAllowedHosts } from "../http/own-routes.ts";
import { errorReply, type Reply } from "../http/reply.ts";
import { DEFAULT_SETTINGS, noRewriting, type Service } from "../http/service.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Reporter } from "../reporter.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { databaseProblem, State } from "../store/memory/state.ts";
import { openStore } from "../store/open.ts";
import { sourceKind } from "../store/source.ts";
import { contentOf, type Store } from "../store/store.ts";
import { Waits } from "../wait.ts";

export interface RouterOptions {
  /** The name of the primary key field. */
  id?: string;
  /** Each collection's records decide when it is not given. */
  foreignKeySuffix?: string;
  /** Host names that routes beginning with `/__` are served for, beside localhost and IP addresses. */
  allowedHosts?: readonly string[];
}

/** The state behind a router, for scripts that do not go through HTTP. What is read is a copy. */
export interface RouterDatabase {
  getState(): JsonObject;
  setState(state: JsonObject): Promise<void>;
  get(name: string): { value(): Json | undefined };
}

export interface JsonServerRouter extends Router {
  db: RouterDatabase;
  /** Sends `res.locals.data`; put your own in its place to wrap answers. */
  render(req: Request, res: Response): void;
  /** Settles when a file has been loaded; requests wait for it by themselves. */
  ready: Promise<void>;
  /** Saves and lets go of the data file. */
  close(): Promise<void>;
}

const toConsole: Reporter = {
  warn: (text) => console.warn(`standin: ${text}`),
  fault: (text, thrown) => console.error(`standin: ${text}`, thrown),
  request: undefined,
};

/** Routes for every collection of an object (in memory) or of a data file (written back to it). */
export function router(source: string | JsonObject, options: RouterOptions = {}): JsonServerRouter {
  // An object is there at once, as in 0.17; a file must be locked and read first.
  let service = typeof source === "string" ? undefined : openObject(source, options);
  const opening = service ? Promise.resolve(service) : openFile(source as string, options);
  const opened = (): Service => {
    if (service) return service;
    throw new StartError("The data are not loaded yet: await router.ready first.");
  };
  const api = express.Router() as JsonServerRouter;
  const handler: RequestHandler = (req, res, next) => {
    opening.then((ready) => respond(api, { ...ready, rewriter: unmounting(req) }, req, res)).catch(next);
  };
  api.use(handler);
  api.ready = opening.then((opened) => {
    service = opened;
  });
  // Whoever never awaits it meets the problem at the first request.
  api.ready.catch(() => undefined);
  api.render = (_req, res) => {
    res.jsonp(res.locals.data);
  };
  api.close = async () => {
    const { waits, store } = await opening;
    waits.stop();
    await store.close();
  };
  api.db = {
    getState: () => stateOf(opened().store),
    setState: (state) => opened().store.swap(structuredClone(state)),
    get: (name) => ({ value: () => stateOf(opened().store)[name] }),
  };
  return api;
}

async function respond(api: JsonServerRouter, service: Service, req: Request, res: Response): Promise<void> {
  const exchange = new Exchange(req, res, false, req.originalUrl);
  exchange.target = parseTarget(req.url);
  // The method may be an overridden one.
  req.method = exchange.method;
  adoptChanges(exchange, req, "");
  const answered = new Promise<Reply | undefined>((resolve) => resolve(answer(exchange, service)));
  const reply = await answered.catch((thrown) => errorReply(thrown, service.reporter));
  if (!reply) return;
  if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "no-cache");
  if (prepareReply(exchange, reply, res)) api.render(req, res);
}

/** A router may be mounted below a path: what the client sees has it, what the routes see does not. */
function unmounting({ baseUrl }: Request): Service["rewriter"] {
  return {
    ...noRewriting,
    rewrite: (client) =>
      client.path.startsWith(`${baseUrl}/`) ? { ...client, path: client.path.slice(baseUrl.length) } : client,
  };
}

function openObject(data: JsonObject, options: RouterOptions): Service {
  const problem = databaseProblem(data);
  if (problem) throw new StartError(problem);
  const store = new MemoryStore(State.load(structuredClone(data), options.id ?? "id"));
  return createService(store, options);
}

async function openFile(source: string, options: RouterOptions): Promise<Service> {
  if (sourceKind(source) === "postgres") {
    throw new StartError(
      "A router serves an object or a data file; a database is served by the command: standin postgres://...",
    );
  }
  const store = await openStore(source, {
    idKey: options.id ?? "id",
    durability: "process",
    followsOutside: false,
    memory: false,
    warn: toConsole.warn,
  });
  return createService(store, options);
}

function createService(store: Store, options: RouterOptions): Service {
  return {
    store,
    rewriter: noRewriting,
    snapshots: undefined,
    live: undefined,
    steps: [],
    reporter: toConsole,
    waits: new Waits(),
    startedAt: Date.now(),
    // Cross-origin headers and compression are the app's own, by `defaults`; so is what else it shows.
    settings: {
      ...DEFAULT_SETTINGS,
      foreignKeySuffix: options.foreignKeySuffix,
      allowedHosts: readAllowedHosts("localhost", options.allowedHosts),
      cors: false,
      compression: false,
      console: false,
    },
  };
}

function stateOf(store: Store): JsonObject {
  const members = (store as MemoryStore).export();
  return structuredClone(Object.fromEntries(members.map((member) => [member.name, contentOf(member)])));
}

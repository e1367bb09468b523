import type { IncomingMessage, ServerResponse } from "node:http";
import { StandinError } from "../base/errors.ts";
import { MAX_WAIT_MS } from "../base/wait.ts";
import { wholeNumber } from "../query/parse-query.ts";
import type { Eventually } from "../store/store.ts";
import { createChain } from "./chain.ts";
import { createStoreChooser, type FeatureStep, type Pages, type Respond, type Service } from "./contract.ts";
import { segmentsOf } from "./data-routes.ts";
import { type Edge, type EdgeRespond, type Lane, type LayerStep, noRewriting } from "./edge.ts";
import { Exchange } from "./exchange.ts";
import { isOwnPath, refuseForeignHost } from "./own-routes.ts";
import { harmlessRequests, refuseWrite } from "./read-only.ts";
import { CollectingResponse } from "./response/layer-response.ts";
import type { Reply } from "./response/reply.ts";
import { type RecordTraffic, type RenderError, Sender } from "./response/send.ts";
import { createRouter } from "./router.ts";

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => Eventually<void>;

/** The pipeline of a request to the routes of a store. */
export function createHandler(service: Service): Promise<RequestHandler> {
  const { features, settings } = service;
  const respond = createResponder(service);
  const ofData = new Set(
    features.flatMap(({ routes = [] }) => routes.flatMap((row) => (row.isOfData ? row.path : []))),
  );
  const entering = features.flatMap(({ enter }) => enter ?? []);
  return createEdge(service, (exchange) => respond(exchange, service), {
    enter: (exchange) => {
      for (const enter of entering) enter(exchange);
    },
    admitToOwnRoute: (exchange) => {
      if (!ofData.has(exchange.client.path.replace(/\/$/, ""))) refuseForeignHost(exchange, settings.allowedHosts);
    },
    isPreflight: createPreflightTest(service),
    pages: features.find(({ pages }) => pages)?.pages,
    folders: features.flatMap(({ folders = [] }) => folders),
    record: features.find(({ record }) => record)?.record,
    renderError: features.find(({ renderError }) => renderError)?.renderError,
    service,
  });
}

/** A feature may claim `OPTIONS` for a route of its own, but never the preflights of browsers. */
function createPreflightTest(service: Service): (exchange: Exchange) => boolean {
  const claim = service.features.find((feature) => feature.claim)?.claim;
  return (exchange) => {
    if (!claim || exchange.req.headers["access-control-request-method"] !== undefined) return true;
    return !claim(segmentsOf(service.rewriter.rewrite(exchange.client).path), exchange)?.respond;
  };
}

/** Everything behind the layers: steps of features, delay, read-only mode, then the route. */
export function createResponder(service: Service): Respond {
  const { features } = service;
  const steps = features.flatMap(({ step }) => step ?? []);
  const chooseStore = createStoreChooser(service);
  const route = createRouter(service);
  const harmless = harmlessRequests(service);
  const atOnce: Respond = (exchange, given) => {
    if (given.settings.readOnly) refuseWrite(exchange, harmless);
    const store = exchange.sandbox === undefined ? undefined : chooseStore(exchange);
    return route(exchange, store ? { ...given, store } : given);
  };
  const carryOut: Respond = (exchange, given) => {
    const { settings, waits } = given;
    const delayMs = settings.delayMs + requestedDelay(exchange);
    if (delayMs === 0) return atOnce(exchange, given);
    return waits.wait(delayMs, exchange.res).then(() => (exchange.hasLeft ? undefined : atOnce(exchange, given)));
  };
  return around(steps, carryOut);
}

/** Runs the steps that apply to a request, the first one outermost. */
function around(steps: readonly FeatureStep[], inner: Respond): Respond {
  return steps.reduceRight<Respond>(
    (next, step) => (exchange, service) => {
      const applies = step.isActive || (step.header !== undefined && exchange.req.headers[step.header] !== undefined);
      return applies ? step.respond(exchange, service, next) : next(exchange, service);
    },
    inner,
  );
}

/** The hooks of one kind of server into the pipeline. */
interface Entrance {
  enter?(exchange: Exchange): void;
  /** Throws to refuse a request to a path that begins with `/__`. */
  admitToOwnRoute?(exchange: Exchange): void;
  /** Which of the requests with `OPTIONS` are preflights, where cross-origin requests are allowed; all, otherwise. */
  isPreflight?(exchange: Exchange): boolean;
  readonly pages?: Pages | undefined;
  readonly folders?: readonly string[];
  readonly record?: RecordTraffic | undefined;
  readonly renderError?: RenderError | undefined;
  /** The service whose data interceptors find in `req.app.db`. */
  readonly service?: Service;
}

/** The pipeline of any request: method override, cross-origin preflight, static files, rewrite, then its lane. */
export async function createEdge(
  edge: Edge,
  respond: EdgeRespond,
  { enter, admitToOwnRoute, isPreflight, pages, folders = [], record, renderError, service }: Entrance = {},
): Promise<RequestHandler> {
  const { settings, reporter } = edge;
  const fileFolders = settings.staticFolder === undefined ? folders : [...folders, settings.staticFolder];
  const sender = new Sender({ settings, reporter, record, renderError });
  const lane = await createLane({ edge, respond, sender, service });

  const onwards: Lane = (exchange) => {
    if (edge.rewriter !== noRewriting) exchange.target = edge.rewriter.rewrite(exchange.client);
    return lane(exchange);
  };
  const byFile = async (exchange: Exchange): Promise<void> => {
    const { isRead, client } = exchange;
    for (const folder of isRead ? fileFolders : []) {
      const file = { folder, path: client.path, isCrossOrigin: true, answeredBy: "static" };
      if (await sender.sendFile(exchange, file)) return;
    }
    const page = isRead && isPagePath(client.path) ? pages?.pageFor(exchange) : undefined;
    if (page && (await sender.sendFile(exchange, page))) return;
    await onwards(exchange);
  };

  // Synchronous where possible: a promise per request costs as much as finding the record.
  return function handle(req, res) {
    const exchange = new Exchange(req, res, settings.trustProxy, settings.queryBudgetMs);
    enter?.(exchange);
    const { path } = exchange.client;
    try {
      if (req.headers.host === undefined) expectHost(req);
      if (isOwnPath(path)) admitToOwnRoute?.(exchange);
      if (exchange.method === "OPTIONS" && settings.cors && (isPreflight?.(exchange) ?? true)) {
        return sender.sendPreflight(exchange);
      }
    } catch (thrown) {
      return sender.sendError(exchange, thrown);
    }
    if (fileFolders.length > 0 || (pages && isPagePath(path))) return byFile(exchange);
    return onwards(exchange);
  };
}

function isPagePath(path: string): boolean {
  return path === "/" || isOwnPath(path);
}

/** HTTP/1.1 requests must name the host (RFC 9112, 3.2). */
function expectHost({ httpVersion }: IncomingMessage): void {
  if (httpVersion !== "1.1") return;
  throw new StandinError("REQUEST_MALFORMED", "An HTTP/1.1 request must have a Host header.", { Connection: "close" });
}

interface LaneParts {
  readonly edge: Edge;
  readonly respond: EdgeRespond;
  readonly sender: Sender;
  readonly service: Service | undefined;
}

/** The shortest lane for what is listed: straight to the response, through layers, or through Express. */
async function createLane({ edge, respond, sender, service }: LaneParts): Promise<Lane> {
  const { steps } = edge;
  const straight = straightLane(respond, sender);
  if (steps.length === 0) return straight;
  if (steps.every((step): step is LayerStep => step.kind === "layer")) return layeredLane(steps, sender, straight);
  // Express is loaded only where there is something to run on it.
  const { createInterceptorLane } = await import("./express/interceptor-lane.ts");
  const { createDatabases } = await import("./express/interceptor-databases.ts");
  return createInterceptorLane({ edge, respond, sender, databases: service && createDatabases(service) });
}

function straightLane(respond: EdgeRespond, sender: Sender): Lane {
  return (exchange) => {
    let made: Eventually<Reply | undefined>;
    try {
      made = respond(exchange);
    } catch (thrown) {
      return sender.sendError(exchange, thrown);
    }
    if (!(made instanceof Promise)) return made && sender.send(exchange, made);
    return made.then(
      (reply) => reply && sender.send(exchange, reply),
      (thrown) => sender.sendError(exchange, thrown),
    );
  };
}

function layeredLane(steps: readonly LayerStep[], sender: Sender, straight: Lane): Lane {
  const chain = createChain(steps);
  return (exchange) => {
    const refuse = (thrown: unknown): Eventually<void> => sender.sendError(exchange, thrown);
    const pass = (isPassed: boolean): Eventually<void> => {
      // The client may have left while a layer was at work.
      if (isPassed && !exchange.hasLeft) return straight(exchange);
    };
    try {
      const passing = chain(exchange, new CollectingResponse(exchange, sender));
      return passing instanceof Promise ? passing.then(pass, refuse) : pass(passing);
    } catch (thrown) {
      return refuse(thrown);
    }
  };
}

/** `_delay=500` in the query delays this one response. */
function requestedDelay(exchange: Exchange): number {
  if (exchange.target.search === "") return 0;
  const delayMs = wholeNumber(exchange.parameters, "_delay");
  if (delayMs === undefined) return 0;
  if (delayMs <= MAX_WAIT_MS) return Math.max(0, delayMs);
  throw new StandinError("QUERY_INVALID", `_delay=${delayMs}: the maximum is ${MAX_WAIT_MS} milliseconds.`);
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { StandinError } from "../errors.ts";
import { wholeNumber } from "../query/parse.ts";
import { maskAddress } from "../secrets/mask-text.ts";
import type { Eventually } from "../store/store.ts";
import { MAX_WAIT_MS } from "../wait.ts";
import { createChain } from "./chain.ts";
import { answerPreflight } from "./cors/preflight.ts";
import type { Edge, Lane, LayerStep } from "./edge.ts";
import { Exchange } from "./exchange.ts";
import { refuseForeignHost } from "./own-routes.ts";
import { harmlessRequests, refuseWrite } from "./read-only.ts";
import { LayerAnswer } from "./response/layer-response.ts";
import { errorReply, type Reply, send } from "./response/reply.ts";
import { createStaticFiles } from "./response/static-files.ts";
import { createRouter } from "./router.ts";
import type { FeatureStep, Pages, Respond } from "./service.ts";
import { createStoreChooser, type Service } from "./service.ts";

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => Eventually<void>;

/** The pipeline of a request to the routes of a store. */
export function createHandler(service: Service): Promise<RequestHandler> {
  const respond = createResponder(service);
  const entering = service.features.filter(({ enter }) => enter);
  return createEdge(service, (exchange) => respond(exchange, service), {
    enter: (exchange) => {
      for (const feature of entering) feature.enter!(exchange);
    },
    admit: (exchange) => {
      if (exchange.client.path.startsWith("/__")) refuseForeignHost(exchange, service.settings.allowedHosts);
    },
    pages: service.features.find(({ pages }) => pages)?.pages,
    service,
  });
}

/** Everything behind the layers: steps of features, delay, read-only mode, then the route. */
export function createResponder(service: Service): Respond {
  const steps = service.features.flatMap(({ step }) => step ?? []);
  const chooseStore = createStoreChooser(service);
  const route = createRouter(service);
  const harmless = harmlessRequests(service);
  const carryOut: Respond = (exchange, given) => {
    const { settings, waits } = given;
    const delayMs = settings.delayMs + requestedDelay(exchange);
    const now = (): Eventually<Reply | undefined> => {
      if (settings.readOnly) refuseWrite(exchange, harmless);
      const store = chooseStore(exchange);
      return route(exchange, store ? { ...given, store } : given);
    };
    if (delayMs === 0) return now();
    return waits.wait(delayMs, exchange.res).then(() => (exchange.hasLeft ? undefined : now()));
  };
  return around(steps, carryOut);
}

/** Runs the steps that apply to a request, the first one outermost. */
function around(steps: readonly FeatureStep[], inner: Respond): Respond {
  return steps.reduceRight<Respond>(
    (next, step) => (exchange, service) =>
      step.appliesTo(exchange) ? step.respond(exchange, service, next) : next(exchange, service),
    inner,
  );
}

/** The hooks of one kind of server into the pipeline. */
interface Entrance {
  enter?(exchange: Exchange): void;
  /** Throws to refuse a request before anything looks at it. */
  admit?(exchange: Exchange): void;
  readonly pages?: Pages | undefined;
  /** Whose data interceptors find in `req.app.db`. */
  readonly service?: Service;
}

/** The pipeline of any request: method override, cross-origin preflight, static files, rewrite, then its lane. */
export async function createEdge(
  edge: Edge,
  respond: EdgeRespond,
  { enter, admit, pages, service }: Entrance = {},
): Promise<RequestHandler> {
  const { settings, reporter } = edge;
  const staticFiles = settings.staticFolder ? await createStaticFiles(settings.staticFolder, settings.cors) : undefined;
  const reply = createReplier(edge);
  const lane = await createLane(edge, respond, reply, service);

  const onwards: Lane = (exchange) => {
    // 0.17.4: preflights and static files are not logged.
    if (reporter.request) logWhenDone(exchange, reporter.request);
    exchange.target = edge.rewriter.rewrite(exchange.client);
    return lane(exchange);
  };
  const byFile = async (exchange: Exchange): Promise<void> => {
    if (staticFiles && (await staticFiles(exchange))) return;
    if (pages && (await pages.answer(exchange))) return;
    await onwards(exchange);
  };

  // Synchronous where possible: a promise per request costs as much as finding the record.
  return function handle(req, res) {
    const exchange = new Exchange(req, res, settings.trustProxy);
    enter?.(exchange);
    try {
      admit?.(exchange);
    } catch (thrown) {
      if (reporter.request) logWhenDone(exchange, reporter.request);
      return reply(exchange, errorReply(thrown, reporter));
    }
    if (exchange.method === "OPTIONS" && settings.cors) return answerPreflight(exchange);
    if (staticFiles || pages?.mayAnswer(exchange)) return byFile(exchange);
    return onwards(exchange);
  };
}

/** Makes the response behind an edge, whatever is served. */
export type EdgeRespond = (exchange: Exchange) => Eventually<Reply | undefined>;

type Replier = (exchange: Exchange, made: Reply) => Eventually<void>;

/** Sends replies; one that cannot be sent ends its connection. */
function createReplier({ reporter, settings }: Edge): Replier {
  const failed = (exchange: Exchange, thrown: unknown): void => {
    reporter.fault("An answer could not be sent.", thrown);
    exchange.res.destroy();
  };
  return (exchange, made) => {
    try {
      return send(exchange, made, settings)?.catch((thrown) => failed(exchange, thrown));
    } catch (thrown) {
      failed(exchange, thrown);
    }
  };
}

/** The shortest lane that does what is listed: straight to the answer, through layers, or through Express. */
async function createLane(
  edge: Edge,
  respond: EdgeRespond,
  reply: Replier,
  service: Service | undefined,
): Promise<Lane> {
  const { steps, reporter, settings } = edge;
  const straight: Lane = (exchange) => {
    let made: Eventually<Reply | undefined>;
    try {
      made = respond(exchange);
    } catch (thrown) {
      made = errorReply(thrown, reporter);
    }
    if (!(made instanceof Promise)) return made && reply(exchange, made);
    return made.then(
      (one) => one && reply(exchange, one),
      (thrown) => reply(exchange, errorReply(thrown, reporter)),
    );
  };
  if (steps.length === 0) return straight;
  if (steps.some((step) => step.kind === "interceptor")) {
    // Express is loaded only for those who bring something to run on it.
    const { createInterceptorLane } = await import("./express/interceptor-lane.ts");
    const { createDatabases } = await import("./express/interceptor-databases.ts");
    return createInterceptorLane(edge, respond, service && createDatabases(service));
  }
  const chain = createChain(steps as readonly LayerStep[]);
  return (exchange) => {
    const refuse = (thrown: unknown): Eventually<void> => reply(exchange, errorReply(thrown, reporter));
    const pass = (isPassed: boolean): Eventually<void> => {
      // Whoever left while a layer took its time wants nothing any more.
      if (isPassed && !exchange.hasLeft) return straight(exchange);
    };
    try {
      const passing = chain(exchange, new LayerAnswer(exchange, settings));
      return passing instanceof Promise ? passing.then(pass, refuse) : pass(passing);
    } catch (thrown) {
      return refuse(thrown);
    }
  };
}

/** `_delay=500` in the query: this one answer comes later. */
function requestedDelay(exchange: Exchange): number {
  if (exchange.target.search === "") return 0;
  const delayMs = wholeNumber(exchange.parameters, "_delay") ?? 0;
  if (delayMs <= MAX_WAIT_MS) return Math.max(0, delayMs);
  throw new StandinError("QUERY_INVALID", `_delay=${delayMs}: at most ${MAX_WAIT_MS} milliseconds can be waited.`);
}

/** Whoever answers in the end, the line says what the client asked and what it got. */
function logWhenDone(exchange: Exchange, log: NonNullable<Edge["reporter"]["request"]>): void {
  const { method, req, res, startedAt } = exchange;
  // Layers and interceptors may change it.
  const { url = "" } = req;
  res.once("finish", () => {
    const durationMs = performance.now() - startedAt;
    const bytes = exchange.bodyBytes ?? Number(res.getHeader("Content-Length") ?? 0);
    log({ method, url: maskAddress(url), status: res.statusCode, durationMs, bytes });
  });
}

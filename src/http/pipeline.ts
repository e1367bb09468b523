import { StandinError } from "../base/errors.ts";
import { andThen, type Eventually } from "../base/eventually.ts";
import type { JsonObject } from "../base/json/json.ts";
import { MAX_WAIT_MS } from "../base/wait.ts";
import { AT } from "../query/parameters.ts";
import { wholeNumber } from "../query/window.ts";
import { enterBase } from "./base-path.ts";
import { type Call, isOwnPath } from "./call.ts";
import { createChain } from "./chain.ts";
import { eachOf, firstOf } from "./compose-hooks.ts";
import { createStoreChooser, type Entrance, type OpenFeature, type Respond, type Service } from "./contract.ts";
import { type LayerStep, noRewriting, type RecordTraffic } from "./edge.ts";
import { refuseForeignHost } from "./own-routes.ts";
import { createPreflightTest, preflightReply } from "./preflight.ts";
import { createErrorRenderer } from "./response/error-renderer.ts";
import { CollectingResponse } from "./response/layer-response.ts";
import type { Reply } from "./response/reply.ts";
import { CORE_ROUTES, createRouter } from "./router.ts";

/** One stage on the way of a request. */
export interface Stage {
  readonly name: string;
  /** Its entries in the overview; none where it has no effect on this server. */
  describe(): readonly JsonObject[];
  /** Puts the stage in front of what follows; returns that alone where the stage has nothing to do. */
  around(next: Respond): Respond;
}

/** The pipeline: every stage between the admission of a request and its response, in their order. */
export function stagesOf(service: Service): readonly Stage[] {
  return [
    filesStage(service),
    rewriteStage(service),
    layersStage(service),
    ...service.features.flatMap(featureStage),
    delayStage(service),
    readOnlyStage(service),
    responderStage(service),
  ];
}

/** The adapters serve files: only they have a place to send them to. */
function filesStage({ settings: { staticFolder } }: Service): Stage {
  const entries = staticFolder === undefined ? [] : [{ stage: "static", folder: staticFolder }];
  return { name: "static", describe: () => entries, around: (next) => next };
}

function rewriteStage(service: Service): Stage {
  return {
    name: "rewrite",
    describe: () => [{ stage: "rewrite", rules: Object.keys(service.rewriter.rewrites).length }],
    around: (next) => (call, given) => {
      rewrite(call, service);
      return next(call, given);
    },
  };
}

export function rewrite(call: Call, { rewriter }: Service): void {
  if (rewriter !== noRewriting) call.target = rewriter.rewrite(call.client);
}

/** Where one of the steps is an interceptor, Express runs them all, and this stage is passed by. */
function layersStage({ steps }: Service): Stage {
  const layers = steps.filter((step): step is LayerStep => step.kind === "layer");
  return {
    name: "layers",
    describe: () =>
      steps.map((step) =>
        step.kind === "layer" ? { stage: "layer", name: step.name } : { stage: "interceptor", name: step.file },
      ),
    around: (next) => (layers.length === 0 ? next : behindLayers(layers, next)),
  };
}

function behindLayers(layers: readonly LayerStep[], next: Respond): Respond {
  const chain = createChain(layers);
  return (call, service) => {
    const response = new CollectingResponse(call);
    const pass = (isPassed: boolean): Eventually<Reply | undefined> => {
      if (!isPassed) return response.made;
      // The client may have left while a layer was at work.
      return call.hasLeft ? undefined : next(call, service);
    };
    return andThen(chain(call, response), pass);
  };
}

function featureStage({ name, stage, step }: OpenFeature): Stage[] {
  if (!step) return [];
  return [
    {
      name: stage ?? name,
      describe: () => (stage === undefined ? [] : [{ stage }]),
      around: (next) => (call, service) => {
        const { prefer } = call.headers;
        const applies = step.isActive || (prefer !== undefined && step.preference?.test(String(prefer)));
        return applies ? step.respond(call, service, next) : next(call, service);
      },
    },
  ];
}

function delayStage({ settings: { delayMs }, waits, responder }: Service): Stage {
  return {
    name: "delay",
    describe: () => (delayMs > 0 ? [{ stage: "delay", ms: delayMs }] : []),
    around: (next) => (call, service) => {
      // The parameters of examples are theirs alone.
      const ms = responder ? delayMs : delayMs + requestedDelay(call);
      if (ms === 0) return next(call, service);
      return waits.wait(ms, call).then(() => (call.hasLeft ? undefined : next(call, service)));
    },
  };
}

/** `_delay=500` in the query delays this one response. */
function requestedDelay(call: Call): number {
  if (call.target.search === "") return 0;
  const delayMs = wholeNumber(call.parameters, "_delay");
  if (delayMs === undefined) return 0;
  if (delayMs <= MAX_WAIT_MS) return Math.max(0, delayMs);
  throw new StandinError("QUERY_INVALID", `_delay=${delayMs}: the maximum is ${MAX_WAIT_MS} milliseconds.`);
}

function readOnlyStage(service: Service): Stage {
  const { readOnly } = service.settings;
  return {
    name: "read-only",
    describe: () => (readOnly ? [{ stage: "read-only" }] : []),
    around: (next) => {
      if (!readOnly) return next;
      const harmless = harmlessRequests(service);
      return (call, given) => {
        refuseWrite(call, harmless);
        return next(call, given);
      };
    },
  };
}

/** The last stage: examples, or the data, with an OpenAPI document in front of it or without. */
function responderStage(service: Service): Stage {
  const { features, responder } = service;
  const claiming = features.flatMap(({ claim, stage }) => (claim && stage !== undefined ? { stage } : []));
  const name = responder?.name ?? "data";
  return {
    name,
    describe: () => [...claiming, { stage: name }],
    around: () => responder?.respond ?? dataResponder(service),
  };
}

/** Finds the data of a request: that of its sandbox, as its user may see it. */
export function createViewer(service: Service): (call: Call, given: Service) => Service {
  const chooseStore = createStoreChooser(service);
  const views = service.features.flatMap((feature) => feature.viewFor ?? []);
  return (call, given) => {
    const store = call.sandbox === undefined ? undefined : chooseStore(call);
    const whole = store ? { ...given, store } : given;
    return views.length === 0 ? whole : views.reduce((seen, viewFor) => viewFor(call, seen), whole);
  };
}

function dataResponder(service: Service): Respond {
  const view = createViewer(service);
  const route = createRouter(service);
  const visit = service.features
    .flatMap((feature) => feature.visit ?? [])
    .reduceRight<Respond>((next, visitBy) => (call, given) => visitBy(call, given, next), route);
  return (call, given) => {
    const served = view(call, given);
    return namesMoment(call) ? visit(call, served) : route(call, served);
  };
}

/** Hot path: a request without a query looks for no parameter. */
function namesMoment(call: Call): boolean {
  return call.moment !== undefined || (call.target.search !== "" && call.parameters.has(AT));
}

/**
 * The way of a call to its reply, in two parts: adapters serve files between them. Neither part knows where the call comes
 * from. Synchronous where possible: a promise per request costs as much as finding the record.
 */
export class Pipeline {
  readonly service: Service;
  readonly record: RecordTraffic | undefined;
  /** The stages behind the layers. */
  readonly respond: Respond;
  readonly #run: Respond;
  readonly #ofData: ReadonlySet<string>;
  readonly #entrances: readonly Entrance[];
  readonly #outerEntrances: readonly Entrance[];
  /** Whether only headers and paths of our own lead to an entrance, as on most servers. */
  readonly #hasOwnEntrances: boolean;
  /** The headers that do. */
  readonly #entranceHeaders: readonly string[];
  /** The response to anything thrown, in the form that is wanted here. */
  readonly errorReply: (call: Call, thrown: unknown) => Reply;
  readonly #arrive: OpenFeature["arrive"];
  readonly #isPreflight: (call: Call) => boolean;
  readonly #isMounted: boolean;

  constructor(service: Service) {
    const { features } = service;
    this.service = service;
    this.record = eachOf(features.flatMap(({ record }) => record ?? []));
    this.errorReply = createErrorRenderer(service);
    this.#arrive = firstOf(features.flatMap(({ arrive }) => arrive ?? []));
    this.#isPreflight = createPreflightTest(service);
    this.#isMounted = service.settings.base !== "" || service.settings.trustProxy;
    const entrances = features.flatMap(({ entrance }) => entrance ?? []);
    this.#entrances = entrances.filter(({ isOutside }) => !isOutside);
    this.#outerEntrances = entrances.filter(({ isOutside }) => isOutside);
    this.#hasOwnEntrances = !this.#isMounted && entrances.every(({ prefix }) => isOwnPath(prefix));
    this.#entranceHeaders = entrances.flatMap(({ headers }) => headers);
    this.#ofData = new Set(
      features.flatMap(({ routes = [] }) =>
        routes.flatMap((row) => (row.isOfData || row.isForAnyPage ? literalStart(row.path) : [])),
      ),
    );
    const stages = stagesOf(service);
    const behind = stages.findIndex(({ name }) => name === "layers") + 1;
    this.respond = inOrder(stages.slice(behind), noResponse);
    this.#run = inOrder(stages.slice(0, behind), this.respond);
  }

  /** Base, host check, admission to our own routes, preflight. Throws a refusal; returns a reply to a preflight. */
  admit(call: Call): Reply | undefined {
    // Hot path: most requests are for the data, and name no sandbox and no moment.
    const isPlain = this.#hasOwnEntrances && !isOwnPath(call.client.path) && !hasOneOf(call, this.#entranceHeaders);
    if (!isPlain) this.#enter(call);
    const { cors } = this.service.settings;
    return call.method === "OPTIONS" && cors && this.#isPreflight(call) ? preflightReply(call) : undefined;
  }

  #enter(call: Call): void {
    for (const entrance of this.#outerEntrances) if (isFor(entrance, call)) entrance.enter(call);
    // A call on behalf of another has the base of that one.
    if (this.#isMounted && call.base === "") enterBase(call, this.service.settings);
    for (const entrance of this.#entrances) if (isFor(entrance, call)) entrance.enter(call);
    if (isOwnPath(call.client.path)) this.#admitToOwnRoute(call);
  }

  #admitToOwnRoute(call: Call): void {
    const { path } = call.client;
    const isOfData = this.#ofData.has(path.replace(/\/$/, "")) || this.#ofData.has(`${path.split("/", 2).join("/")}/`);
    if (isOfData || this.service.responder?.has(path, call.method)) return;
    refuseForeignHost(call, this.service.settings);
  }

  /** Rewrite rules, layers, and everything behind them. Throws, or rejects with, a refusal. */
  run(call: Call): Eventually<Reply | undefined> {
    const { clocks } = this.service;
    if (call.sandbox === undefined) return this.#run(call, this.service);
    const arriving = this.#arrive?.(call);
    if (arriving) return arriving.then(() => this.#run(call, this.service));
    if (!clocks.areApart) return this.#run(call, this.service);
    return clocks.within(call.sandbox, () => this.#run(call, this.service));
  }

  /** The whole way, without files. Never throws or rejects; undefined when no response is to be sent. */
  reply(call: Call): Eventually<Reply | undefined> {
    try {
      const made = this.admit(call) ?? this.run(call);
      return made instanceof Promise ? made.catch((thrown) => this.errorReply(call, thrown)) : made;
    } catch (thrown) {
      return this.errorReply(call, thrown);
    }
  }
}

/** A path with variable parts counts up to the first of them, with its last slash. */
function literalStart(path: string): string {
  return path.split(":", 1)[0] ?? path;
}

function isFor({ prefix, headers }: Entrance, call: Call): boolean {
  return call.client.path.startsWith(prefix) || hasOneOf(call, headers);
}

function hasOneOf({ headers }: Call, names: readonly string[]): boolean {
  for (const name of names) if (headers[name] !== undefined) return true;
  return false;
}

function inOrder(stages: readonly Stage[], end: Respond): Respond {
  return stages.reduceRight((next, stage) => stage.around(next), end);
}

function noResponse(): undefined {
  return undefined;
}

/** Requests that change no data although their method writes, such as `POST /__snapshots__`. */
function harmlessRequests({ features }: Service): ReadonlySet<string> {
  const rows = [...CORE_ROUTES, ...features.flatMap(({ routes = [] }) => routes)];
  return new Set(rows.flatMap(({ path, harmless = [] }) => harmless.map((method) => `${method} ${path}`)));
}

/** Refuses requests that would change data. */
function refuseWrite({ method, isSafe, target }: Call, harmless: ReadonlySet<string>): void {
  if (isSafe) return;
  if (harmless.has(`${method} ${target.path.replace(/\/$/, "")}`)) return;
  throw new StandinError(
    "READ_ONLY",
    `${method} is refused: this server is read-only. Start it without --read-only to write.`,
  );
}

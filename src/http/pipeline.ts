import { preflightHeaders } from "../base/cross-origin.ts";
import { StandinError } from "../base/errors.ts";
import type { Eventually } from "../base/eventually.ts";
import { type Call, isOwnPath } from "./call.ts";
import { createChain } from "./chain.ts";
import { eachOf, firstOf } from "./compose-hooks.ts";
import type { OpenFeature, Service } from "./contract.ts";
import { type Edge, type EdgeRespond, type LayerStep, noRewriting, type RecordTraffic } from "./edge.ts";
import { refuseForeignHost } from "./own-routes.ts";
import { createResponder } from "./responder.ts";
import { CollectingResponse } from "./response/layer-response.ts";
import { errorReply, type Reply } from "./response/reply.ts";
import { segmentsOf } from "./router.ts";

export type RenderError = (call: Call, error: StandinError) => Reply | undefined;

/** The hooks of one kind of server into the pipeline. */
export interface Entrance {
  readonly enter?: OpenFeature["enter"];
  /** Throws to refuse a request to a path that begins with `/__`. */
  admitToOwnRoute?(call: Call): void;
  /** Which of the requests with `OPTIONS` are preflights, where cross-origin requests are allowed; all, otherwise. */
  isPreflight?(call: Call): boolean;
  readonly pageFor?: OpenFeature["pageFor"];
  readonly folders?: readonly string[];
  readonly record?: RecordTraffic | undefined;
  readonly renderError?: RenderError | undefined;
  /** The service whose data interceptors find in `req.app.db`. */
  readonly service?: Service;
}

/**
 * The way of a call to its reply, in two parts: adapters serve files between them. Neither part knows where the call comes
 * from. Synchronous where possible: a promise per request costs as much as finding the record.
 */
export class Pipeline {
  readonly edge: Edge;
  readonly entrance: Entrance;
  /** Behind the layers: steps of features, delay, read-only mode, then the route. */
  readonly respond: EdgeRespond;
  readonly #throughLayers: EdgeRespond;

  constructor(edge: Edge, respond: EdgeRespond, entrance: Entrance = {}) {
    this.edge = edge;
    this.entrance = entrance;
    this.respond = respond;
    // Express runs the steps where one of them is an interceptor.
    const layers = edge.steps.filter((step): step is LayerStep => step.kind === "layer");
    this.#throughLayers = layers.length === 0 ? respond : behindLayers(layers, respond);
  }

  /** Host check, admission to our own routes, preflight. Throws a refusal; returns a reply to a preflight. */
  admit(call: Call): Reply | undefined {
    const { enter, admitToOwnRoute, isPreflight } = this.entrance;
    enter?.(call);
    if (isOwnPath(call.client.path)) admitToOwnRoute?.(call);
    if (call.method === "OPTIONS" && this.edge.settings.cors && (isPreflight?.(call) ?? true)) return preflight(call);
    return undefined;
  }

  /** Rewrite rules, layers, and everything behind them. Throws, or rejects with, a refusal. */
  run(call: Call): Eventually<Reply | undefined> {
    this.rewrite(call);
    return this.#throughLayers(call);
  }

  rewrite(call: Call): void {
    const { rewriter } = this.edge;
    if (rewriter !== noRewriting) call.target = rewriter.rewrite(call.client);
  }

  /** The response to anything thrown, in the form that is wanted here. */
  errorReply(call: Call, thrown: unknown): Reply {
    const rendered = thrown instanceof StandinError ? this.entrance.renderError?.(call, thrown) : undefined;
    return rendered ?? errorReply(thrown, this.edge.reporter);
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

/** The pipeline of a request to the routes of a store. */
export function createPipeline(service: Service): Pipeline {
  const { features, settings } = service;
  const respond = createResponder(service);
  const ofData = new Set(
    features.flatMap(({ routes = [] }) => routes.flatMap((row) => (row.isOfData ? row.path : []))),
  );
  return new Pipeline(service, (call) => respond(call, service), {
    enter: eachOf(features.flatMap(({ enter }) => enter ?? [])),
    admitToOwnRoute: (call) => {
      if (!ofData.has(call.client.path.replace(/\/$/, ""))) refuseForeignHost(call, settings.allowedHosts);
    },
    isPreflight: createPreflightTest(service),
    pageFor: firstOf(features.flatMap(({ pageFor }) => pageFor ?? [])),
    folders: features.flatMap(({ folders = [] }) => folders),
    record: eachOf(features.flatMap(({ record }) => record ?? [])),
    renderError: firstOf(features.flatMap(({ renderError }) => renderError ?? [])),
    service,
  });
}

/** A feature may claim `OPTIONS` for a route of its own, but never the preflights of browsers. */
function createPreflightTest(service: Service): (call: Call) => boolean {
  const claim = firstOf(service.features.flatMap((feature) => feature.claim ?? []));
  return (call) => {
    if (!claim || call.headers["access-control-request-method"] !== undefined) return true;
    return !claim(segmentsOf(service.rewriter.rewrite(call.client).path), call)?.respond;
  };
}

/** Allows any cross-origin request. 0.17.4: preflights are not logged. */
function preflight(call: Call): Reply {
  const list = preflightHeaders(call.headers);
  const headers: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) headers[list[at]!] = list[at + 1]!;
  call.answeredBy = "cors";
  return { status: 204, headers, isPreflight: true };
}

function behindLayers(layers: readonly LayerStep[], respond: EdgeRespond): EdgeRespond {
  const chain = createChain(layers);
  return (call) => {
    const response = new CollectingResponse(call);
    const pass = (isPassed: boolean): Eventually<Reply | undefined> => {
      if (!isPassed) return response.made;
      // The client may have left while a layer was at work.
      return call.hasLeft ? undefined : respond(call);
    };
    const passing = chain(call, response);
    return passing instanceof Promise ? passing.then(pass) : pass(passing);
  };
}

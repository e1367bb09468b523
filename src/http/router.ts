import type { Eventually } from "../store/store.ts";
import type { FoundRoute, OpenFeature, Respond, RouteRow, Service } from "./contract.ts";
import { demandCredentials, handlerFor, memberName, respondFromData, segmentsOf } from "./data-routes.ts";
import { refuseDryRun } from "./dry-run.ts";
import type { Exchange } from "./exchange.ts";
import type { RespondOnce } from "./idempotency/respond-once.ts";
import { refuseForeignHost, refuseOtherOrigin, refuseOtherReaders } from "./own-routes.ts";
import type { Reply } from "./response/reply.ts";
import { RouteTable } from "./route-table.ts";
import { healthCheckRoute } from "./routes/health-check.ts";
import { indexRoute } from "./routes/index-page.ts";
import { resetRoute } from "./routes/reset.ts";
import { rewriteRoute } from "./routes/rewrite.ts";
import { rewriteRulesRoute } from "./routes/rewrite-rules.ts";
import { statsRoute } from "./routes/stats.ts";
import { wholeDatabaseRoute } from "./routes/whole-database.ts";

/** The built-in routes that belong to no feature. */
export const CORE_ROUTES: readonly RouteRow[] = [
  { path: "/db", ...wholeDatabaseRoute },
  { path: "/__rules", isOpen: true, ...rewriteRulesRoute },
  { path: "/__reset", ...resetRoute },
  { path: "/health-check", yields: true, ...healthCheckRoute },
  { path: "/stats", yields: true, ...statsRoute },
  { path: "/__rewrite", yields: true, harmless: ["POST"], dryRuns: ["POST"], ...rewriteRoute },
];

/** Finds the route of a path, built-in or of the data, and lets it respond. */
export function createRouter(service: Service): Respond {
  return new Router(service).route;
}

class Router {
  readonly #winningNames: ReadonlySet<string | undefined>;
  readonly #winning: RouteTable;
  readonly #yielding: RouteTable;
  readonly #findCustom: OpenFeature["findRoute"];
  readonly #claim: OpenFeature["claim"];
  readonly #refusals: Service["refusals"];
  /** Loaded by the first request with an `Idempotency-Key`. */
  #once: Promise<RespondOnce> | undefined;

  constructor({ features, refusals }: Service) {
    const rows = [...CORE_ROUTES, ...features.flatMap(({ routes = [] }) => routes)];
    const winners = rows.filter((row) => !row.yields);
    this.#winningNames = new Set(winners.map(({ path }) => path.split("/", 2)[1]));
    this.#winning = new RouteTable(winners);
    this.#yielding = new RouteTable(rows.filter((row) => row.yields));
    this.#findCustom = features.find(({ findRoute }) => findRoute)?.findRoute;
    this.#claim = features.find(({ claim }) => claim)?.claim;
    this.#refusals = refusals;
  }

  readonly route: Respond = (exchange, service) => {
    const segments = segmentsOf(exchange.target.path);
    const [first] = segments;
    const claimed = this.#claim && !first?.startsWith("__") ? this.#claim(segments, exchange) : undefined;
    if (claimed) return this.#routeTo(exchange, service, segments, claimed);
    if (first === undefined) return handlerFor(indexRoute, exchange)(exchange, service, {});
    const found =
      (this.#winningNames.has(first) ? this.#winning.find(segments) : undefined) ??
      this.#findCustom?.(segments, exchange.method);
    if (first.startsWith("__") && !found?.row.isOfData) {
      refuseOutsiders(exchange, service, found ?? this.#yielding.find(segments));
    }
    return this.#routeTo(exchange, service, segments, found);
  };

  #routeTo(
    exchange: Exchange,
    service: Service,
    segments: readonly string[],
    found: FoundRoute | undefined,
  ): Eventually<Reply> {
    if (found?.isNested) demandCredentials(exchange);
    const isData = !found || found.row.isOfData;
    if (isData && exchange.req.headers["idempotency-key"] !== undefined && isRepeatable(exchange)) {
      return this.#respondOnce(exchange, service, segments, found);
    }
    return this.#respond(exchange, service, segments, found);
  }

  async #respondOnce(
    exchange: Exchange,
    service: Service,
    segments: readonly string[],
    found: FoundRoute | undefined,
  ): Promise<Reply> {
    this.#once ??= import("./idempotency/respond-once.ts").then(({ createRespondOnce }) => createRespondOnce());
    await found?.row.admit?.(service);
    if (!found && segments.length > 2) demandCredentials(exchange);
    return (await this.#once)(exchange, service, (given) => this.#respond(exchange, given, segments, found));
  }

  #respond(
    exchange: Exchange,
    service: Service,
    segments: readonly string[],
    found: FoundRoute | undefined,
  ): Eventually<Reply> {
    if (found) return respondBy(found, exchange, service);
    const refusal = this.#refusals.get(segments[0]!);
    if (refusal) throw refusal();
    return this.#routeToData(exchange, service, segments);
  }

  #routeToData(exchange: Exchange, service: Service, segments: readonly string[]): Eventually<Reply> {
    const { store } = service;
    const [first, , child] = segments as [string, string?, string?];
    const isKnown = memberName(store, first) !== undefined && (child === undefined || memberName(store, child));
    if (isKnown) return respondFromData(exchange, service, segments);
    if (!store.shared) return this.#routeToMember(exchange, service, segments);
    // Another process may have put other data in place a moment ago.
    return Promise.resolve(store.refresh()).then(() => this.#routeToMember(exchange, service, segments));
  }

  #routeToMember(exchange: Exchange, service: Service, segments: readonly string[]): Eventually<Reply> {
    if (memberName(service.store, segments[0]!) === undefined) {
      const found = this.#findCustom?.(segments, undefined) ?? this.#yielding.find(segments);
      if (found) return respondBy(found, exchange, service);
    }
    return respondFromData(exchange, service, segments);
  }
}

function respondBy({ row, parts, respond }: FoundRoute, exchange: Exchange, service: Service): Eventually<Reply> {
  const handler = respond ?? handlerFor(row, exchange);
  refuseDryRun(row, exchange);
  return handler(exchange, service, parts);
}

/** Other methods have the same effect when they are repeated. */
function isRepeatable({ method }: Exchange): boolean {
  return method === "POST" || method === "PATCH";
}

function refuseOutsiders(exchange: Exchange, { settings }: Service, found: FoundRoute | undefined): void {
  refuseForeignHost(exchange, settings.allowedHosts);
  refuseOtherOrigin(exchange);
  if (found && !found.row.isOpen && exchange.method !== "OPTIONS") refuseOtherReaders(exchange);
}

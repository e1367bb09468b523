import type { Eventually } from "../store/store.ts";
import type { Call } from "./call.ts";
import { firstOf } from "./compose-hooks.ts";
import type { FoundRoute, OpenFeature, Respond, RouteRow, Service } from "./contract.ts";
import { demandCredentials, handlerFor, memberName, respondFromData, segmentsOf } from "./data-routes.ts";
import { refuseDryRun } from "./dry-run.ts";
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
    this.#findCustom = firstOf(features.flatMap(({ findRoute }) => findRoute ?? []));
    this.#claim = firstOf(features.flatMap(({ claim }) => claim ?? []));
    this.#refusals = refusals;
  }

  readonly route: Respond = (call, service) => {
    const segments = segmentsOf(call.target.path);
    const [first] = segments;
    const claimed = this.#claim && !first?.startsWith("__") ? this.#claim(segments, call) : undefined;
    if (claimed) return this.#routeTo(call, service, segments, claimed);
    if (first === undefined) return handlerFor(indexRoute, call)(call, service, {});
    const found =
      (this.#winningNames.has(first) ? this.#winning.find(segments) : undefined) ??
      this.#findCustom?.(segments, call.method);
    if (first.startsWith("__") && !found?.row.isOfData) {
      refuseOutsiders(call, service, found ?? this.#yielding.find(segments));
    }
    return this.#routeTo(call, service, segments, found);
  };

  #routeTo(
    call: Call,
    service: Service,
    segments: readonly string[],
    found: FoundRoute | undefined,
  ): Eventually<Reply> {
    if (found?.isNested) demandCredentials(call);
    const isData = !found || found.row.isOfData;
    if (isData && call.headers["idempotency-key"] !== undefined && isRepeatable(call)) {
      return this.#respondOnce(call, service, segments, found);
    }
    return this.#respond(call, service, segments, found);
  }

  async #respondOnce(
    call: Call,
    service: Service,
    segments: readonly string[],
    found: FoundRoute | undefined,
  ): Promise<Reply> {
    this.#once ??= import("./idempotency/respond-once.ts").then(({ createRespondOnce }) => createRespondOnce());
    await found?.row.admit?.(service);
    if (!found && segments.length > 2) demandCredentials(call);
    return (await this.#once)(call, service, (given) => this.#respond(call, given, segments, found));
  }

  #respond(
    call: Call,
    service: Service,
    segments: readonly string[],
    found: FoundRoute | undefined,
  ): Eventually<Reply> {
    if (found) return respondBy(found, call, service);
    const refusal = this.#refusals.get(segments[0]!);
    if (refusal) throw refusal();
    return this.#routeToData(call, service, segments);
  }

  #routeToData(call: Call, service: Service, segments: readonly string[]): Eventually<Reply> {
    const { store } = service;
    const [first, , child] = segments as [string, string?, string?];
    const isKnown = memberName(store, first) !== undefined && (child === undefined || memberName(store, child));
    if (isKnown) return respondFromData(call, service, segments);
    if (!store.shared) return this.#routeToMember(call, service, segments);
    // Another process may have put other data in place a moment ago.
    return Promise.resolve(store.refresh()).then(() => this.#routeToMember(call, service, segments));
  }

  #routeToMember(call: Call, service: Service, segments: readonly string[]): Eventually<Reply> {
    if (memberName(service.store, segments[0]!) === undefined) {
      const found = this.#findCustom?.(segments, undefined) ?? this.#yielding.find(segments);
      if (found) return respondBy(found, call, service);
    }
    return respondFromData(call, service, segments);
  }
}

function respondBy({ row, parts, respond }: FoundRoute, call: Call, service: Service): Eventually<Reply> {
  const handler = respond ?? handlerFor(row, call);
  refuseDryRun(row, call);
  return handler(call, service, parts);
}

/** Other methods have the same effect when they are repeated. */
function isRepeatable({ method }: Call): boolean {
  return method === "POST" || method === "PATCH";
}

function refuseOutsiders(call: Call, { settings }: Service, found: FoundRoute | undefined): void {
  refuseForeignHost(call, settings.allowedHosts);
  refuseOtherOrigin(call);
  if (found && !found.row.isOpen && call.method !== "OPTIONS") refuseOtherReaders(call);
}

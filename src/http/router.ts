import { StandinError } from "../base/errors.ts";
import { andThen, type Eventually } from "../base/eventually.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Reads } from "../store/store.ts";
import { type Call, isOwnPath } from "./call.ts";
import { firstOf } from "./compose-hooks.ts";
import type {
  DataService,
  FoundRoute,
  Handler,
  Method,
  OpenFeature,
  Respond,
  Route,
  RouteRow,
  Service,
} from "./contract.ts";
import { refuseDryRun } from "./dry-run.ts";
import type { RespondOnce } from "./idempotency/respond-once.ts";
import { refuseForeignHost, refuseOtherOrigin, refuseOtherReaders } from "./own-routes.ts";
import { RouteTable } from "./path-pattern.ts";
import type { Reply } from "./response/reply.ts";
import { collectionRoute } from "./routes/collection.ts";
import { healthCheckRoute } from "./routes/health-check.ts";
import { indexRoute } from "./routes/index-page.ts";
import { nestedRoute } from "./routes/nested.ts";
import { ACCEPT_QUERY } from "./routes/query-body.ts";
import { recordRoute } from "./routes/record.ts";
import { resetRoute } from "./routes/reset.ts";
import { rewriteRoute } from "./routes/rewrite.ts";
import { rewriteRulesRoute } from "./routes/rewrite-rules.ts";
import { singletonRoute } from "./routes/singleton.ts";
import { statsRoute } from "./routes/stats.ts";
import { judgeAccept } from "./routes/tell-mistakes.ts";
import { wholeDatabaseRoute } from "./routes/whole-database.ts";

/** Those that are there whatever is served. */
export const REWRITE_ROUTES: readonly RouteRow[] = [
  { path: "/__rules", isOpen: true, ...rewriteRulesRoute },
  { path: "/__rewrite", yields: true, harmless: ["POST"], dryRuns: ["POST"], ...rewriteRoute },
];

/** The built-in routes that belong to no feature. */
export const CORE_ROUTES: readonly RouteRow[] = [
  { path: "/db", isOfPast: true, ...wholeDatabaseRoute },
  { path: "/__reset", isForAdmins: true, ...resetRoute },
  { path: "/health-check", yields: true, ...healthCheckRoute },
  { path: "/stats", yields: true, isOfPast: true, ...statsRoute },
  ...REWRITE_ROUTES,
];

/** Finds the route of a path, built-in or of the data, and lets it respond. */
export function createRouter(service: Service): Respond {
  return new Router(service).route;
}

class Router {
  readonly #winningNames: ReadonlySet<string | undefined>;
  readonly #winning: RouteTable;
  /** The first segments of all our routes, and the reserved ones. */
  readonly #ownNames: ReadonlySet<string | undefined>;
  /** Those of the winning ones that have no parameters, by their paths. */
  readonly #fixed: ReadonlyMap<string, FoundRoute | undefined>;
  readonly #yielding: RouteTable;
  readonly #findCustom: OpenFeature["findRoute"];
  readonly #claim: OpenFeature["claim"];
  readonly #refusals: Service["refusals"];
  /** Loaded by the first request with an `Idempotency-Key`. */
  #once: Promise<RespondOnce> | undefined;

  constructor({ features, refusals, reservedNames }: Service) {
    const rows = [...CORE_ROUTES, ...features.flatMap(({ routes = [] }) => routes)];
    this.#ownNames = new Set([...reservedNames, ...rows.map(({ path }) => path.split("/", 2)[1])]);
    const winners = rows.filter((row) => !row.yields);
    this.#winningNames = new Set(winners.map(({ path }) => path.split("/", 2)[1]));
    this.#winning = new RouteTable(winners);
    const fixed = winners.flatMap(({ path }) => (path.includes(":") ? [] : path));
    this.#fixed = new Map(fixed.map((path) => [path, this.#winning.find(segmentsOf(path))]));
    this.#yielding = new RouteTable(rows.filter((row) => row.yields));
    this.#findCustom = firstOf(features.flatMap(({ findRoute }) => findRoute ?? []));
    this.#claim = firstOf(features.flatMap(({ claim }) => claim ?? []));
    this.#refusals = refusals;
  }

  readonly route: Respond = (call, service) => {
    const segments = segmentsOf(call.target.path);
    const [first] = segments;
    // A document may have paths such as `/__admin`, as long as they are none of ours.
    const isOwn = first?.startsWith("__") === true && this.#ownNames.has(first);
    const claimed = this.#claim && !isOwn ? this.#claim(segments, call) : undefined;
    if (claimed) return this.#routeTo(call, service, segments, claimed);
    if (first === undefined) return respondBy(INDEX, call, service);
    const found =
      (this.#winningNames.has(first)
        ? (this.#fixed.get(call.target.path) ?? this.#winning.find(segments))
        : undefined) ?? this.#findCustom?.(segments, call.method);
    if (first.startsWith("__") && !(found?.row.isOfData || found?.row.isForAnyPage)) {
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
    if (isKnown(store, segments)) return this.#routeToMember(call, service, segments);
    // Another process may have put other data in place a moment ago.
    return andThen(store.refresh(), () => this.#routeToMember(call, service, segments));
  }

  #routeToMember(call: Call, service: Service, segments: readonly string[]): Eventually<Reply> {
    const name = memberName(service.store, segments[0]!);
    if (name === undefined) {
      const found = this.#findCustom?.(segments, undefined) ?? this.#yielding.find(segments);
      if (found) return respondBy(found, call, service);
    }
    return respondFromData(call, service, segments, name);
  }
}

/** Responds by a route that is not one of the data; one of our own is for people at this server. */
export function respondByOwn(found: FoundRoute, call: Call, service: Service): Eventually<Reply> {
  if (isOwnPath(call.target.path)) refuseOutsiders(call, service, found);
  return respondBy(found, call, service);
}

const INDEX: FoundRoute = { row: { path: "/", ...indexRoute }, parts: {} };

function respondBy({ row, parts, respond }: FoundRoute, call: Call, service: Service): Eventually<Reply> {
  if (call.moment !== undefined && !row.isOfData && !row.isOfPast) throw withoutPast(call);
  const handler = respond ?? handlerFor(row, call);
  if (call.headers.prefer !== undefined) refuseDryRun(row, call);
  return handler(
    call,
    service.access && isForAdmins(row, call) ? service.access.whole(call.client.path) : service,
    parts,
  );
}

function isForAdmins({ isForAdmins: methods = [] }: RouteRow, { method }: Call): boolean {
  if (methods === true) return method !== "OPTIONS";
  return methods.some((name) => name === method || (name === "GET" && method === "HEAD"));
}

/** Other methods have the same effect when they are repeated. */
function isRepeatable({ method }: Call): boolean {
  return method === "POST" || method === "PATCH";
}

function refuseOutsiders(call: Call, { settings }: Service, found: FoundRoute | undefined): void {
  refuseForeignHost(call, settings);
  refuseOtherOrigin(call);
  if (found && !found.row.isOpen && call.method !== "OPTIONS") refuseOtherReaders(call);
}

/** Responds to a request to a collection, a record, the children of a record or a singleton; throws for any other path. */
export function respondFromData(
  call: Call,
  service: DataService,
  segments: readonly string[],
  name = memberName(service.store, segments[0]!),
): Eventually<Reply> {
  const { store } = service;
  judgeAccept(call, service);
  const [first, id, child] = segments as [string, string?, string?];
  if (segments.length > 3) throw routeNotFound(call, store);
  if (name === undefined) {
    throw first.startsWith("__")
      ? routeNotFound(call, store, service.reservedNames)
      : collectionNotFound(first, call, store);
  }
  if (store.kindOf(name) === "singleton") {
    if (id !== undefined) throw routeNotFound(call, store);
    return handlerFor(singletonRoute, call)(call, service, { name });
  }
  if (id === undefined) return handlerFor(collectionRoute, call)(call, service, { collection: name });
  if (child === undefined) return handlerFor(recordRoute, call)(call, service, { collection: name, id });
  const childName = memberName(store, child);
  if (childName === undefined || store.kindOf(childName) !== "collection") {
    const notFound = (): Error => collectionNotFound(child, call, store);
    const respond = firstOf(service.features.flatMap(({ respondByField }) => respondByField ?? []));
    const reply =
      childName === undefined ? respond?.(call, service, { collection: name, id, field: child, notFound }) : undefined;
    if (reply) return reply;
    throw notFound();
  }
  demandCredentials(call);
  return handlerFor(nestedRoute, call)(call, service, { parent: name, id, collection: childName });
}

/** Throws where a public route let the request in, which opens its own collection only, and the credentials are missing. */
export function demandCredentials(call: Call): void {
  call.demandCredentials?.();
}

/** The handler of a route for the method of a request; throws where it has none. */
export function handlerFor<Parts, S>(route: Route<Parts, S>, call: Call): Handler<Parts, S> {
  const method = call.method === "HEAD" ? "GET" : call.method;
  const handler = METHODS.has(method) ? route[method as Method] : undefined;
  if (handler) return handler;
  const offered = Object.keys(route)
    .filter((name) => METHODS.has(name))
    .flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
  const allow = [...offered, "OPTIONS"].join(", ");
  const headers = { Allow: allow, ...(route.QUERY && { "Accept-Query": ACCEPT_QUERY }) };
  if (method === "OPTIONS") return () => ({ status: 204, headers });
  throw new StandinError(
    "METHOD_NOT_ALLOWED",
    `${call.client.path} does not support ${call.method}. Use one of ${allow}.`,
    headers,
  );
}

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"]);

/** The decoded parts of a path; one trailing slash is tolerated. */
export function segmentsOf(path: string): string[] {
  const length = path.length > 1 && path.endsWith("/") ? path.length - 1 : path.length;
  const segments: string[] = [];
  if (length === 1) return segments;
  try {
    // Every request comes by here: a walk along the slashes costs a third of a split.
    for (let start = 1; start <= length; ) {
      const slash = path.indexOf("/", start);
      const end = slash === -1 || slash > length ? length : slash;
      const segment = path.slice(start, end);
      segments.push(segment.includes("%") ? decodeURIComponent(segment) : segment);
      start = end + 1;
    }
    return segments;
  } catch {
    throw new StandinError(
      "PATH_MALFORMED",
      `The path ${path} contains an invalid percent-escape; write a bare % as %25.`,
    );
  }
}

/** Names match exactly, else ignoring case. */
export function memberName(store: Reads, given: string): string | undefined {
  if (store.kindOf(given) !== undefined) return given;
  const wanted = given.toLowerCase();
  return store.members().find((member) => member.name.toLowerCase() === wanted)?.name;
}

function isKnown(store: Reads, [first = "", , child]: readonly string[]): boolean {
  return memberName(store, first) !== undefined && (child === undefined || memberName(store, child) !== undefined);
}

const HOW_TO_BEGIN = `There are none yet. Create one with POST /__collections { "name": "products" }, or data with standin generate.`;

function collectionNotFound(given: string, call: Call, store: Reads): StandinError {
  const names = store.members().map((member) => encodeURIComponent(member.name));
  const served = names.length > 0 ? `Available: ${names.map((name) => `/${name}`).join(", ")}.` : HOW_TO_BEGIN;
  const create =
    call.method === "POST" && names.length > 0 ? ` POST /__collections { "name": "${given}" } creates it.` : "";
  const hint = slashHint(call, store) || didYouMean(encodeURIComponent(given), names) || create;
  return new StandinError("COLLECTION_NOT_FOUND", `There is no collection "${given}".${hint} ${served}`);
}

/** `own` are the names of built-in routes, one of which may have been meant. */
export function routeNotFound(call: Call, store: Reads, own: readonly string[] = []): StandinError {
  const names = store.members().map((member) => `/${encodeURIComponent(member.name)}`);
  const [first = ""] = segmentsOf(call.target.path);
  const hint =
    slashHint(call, store) ||
    didYouMean(
      `/${first}`,
      own.map((name) => `/${name}`),
    );
  return new StandinError(
    "ROUTE_NOT_FOUND",
    `Nothing is served at ${call.client.path}.${hint} Available: ${[...names, "/db"].join(", ")}.`,
  );
}

function withoutPast({ client }: Call): StandinError {
  return new StandinError(
    "ROUTE_NOT_FOUND",
    `${client.path} has no past. Routes of the data have one, and /db, /stats, /__overview and /__openapi.json.`,
  );
}

/** Where a key with a slash is really served, when the path has it as it stands in the file. */
function slashHint({ target }: Call, store: Reads): string {
  const path = `${segmentsOf(target.path).join("/")}/`;
  const meant = store.members().find(({ name }) => name.includes("/") && path.startsWith(`${name}/`));
  if (!meant) return "";
  return ` The slash in "${meant.name}" belongs to its name: the address is /${encodeURIComponent(meant.name)}.`;
}

import { StandinError } from "../errors.ts";
import { openApiRoute } from "../features/description/openapi-route.ts";
import { overviewRoute } from "../features/description/overview-route.ts";
import { faultRoute, faultsRoute } from "../features/faults/fault-routes.ts";
import { changesRoute } from "../features/live/changes-route.ts";
import { eventsRoute } from "../features/live/events-route.ts";
import { requestsRoute } from "../features/live/requests-route.ts";
import { sandboxesRoute, sandboxResetRoute, sandboxRoute } from "../features/sandboxes/sandbox-routes.ts";
import { comparisonRoute } from "../features/snapshots/comparison-route.ts";
import { snapshotRoute, snapshotsRoute } from "../features/snapshots/snapshot-routes.ts";
import { didYouMean } from "../nearest.ts";
import type { Eventually, Store } from "../store/store.ts";
import type { Exchange } from "./exchange.ts";
import { refuseForeignHost, refuseOtherOrigin } from "./own-routes.ts";
import type { Reply } from "./response/reply.ts";
import type { Handler, Route } from "./route.ts";
import { collectionRoute } from "./routes/collection.ts";
import { healthCheckRoute } from "./routes/health-check.ts";
import { indexRoute } from "./routes/index-page.ts";
import { nestedRoute } from "./routes/nested.ts";
import { recordRoute } from "./routes/record.ts";
import { resetRoute } from "./routes/reset.ts";
import { rewriteRoute } from "./routes/rewrite.ts";
import { rulesRoute } from "./routes/rewrite-rules.ts";
import { singletonRoute } from "./routes/singleton.ts";
import { statsRoute } from "./routes/stats.ts";
import { databaseRoute } from "./routes/whole-database.ts";
import type { Service } from "./service.ts";

/** Built-in routes that win over a collection of their name, and those that give way to one. */
const WINNING: Readonly<Record<string, Route<undefined>>> = {
  db: databaseRoute,
  __rules: rulesRoute,
  __snapshots__: snapshotsRoute,
  __reset: resetRoute,
  __sandboxes: sandboxesRoute,
  __faults: faultsRoute,
};
/** Built-in routes for one of many, by its id. */
const WINNING_BY_ID: Readonly<Record<string, Route<{ id: string }>>> = {
  __snapshots__: snapshotRoute,
  __sandboxes: sandboxRoute,
  __faults: faultRoute,
};
/** And for what belongs to one of them: `/__sandboxes/<id>/reset`. */
const WINNING_OF_ONE: Readonly<Record<string, Route<{ id: string }>>> = {
  "__snapshots__/comparison": comparisonRoute,
  "__sandboxes/reset": sandboxResetRoute,
};
const YIELDING: Readonly<Record<string, Route<undefined>>> = {
  "health-check": healthCheckRoute,
  stats: statsRoute,
  __overview: overviewRoute,
  __rewrite: rewriteRoute,
  __changes: changesRoute,
};
/** Yield, too, and are not there without the console. */
const OF_CONSOLE: Readonly<Record<string, Route<undefined>>> = {
  // Where the console was not built, a plain page has to do.
  __console: indexRoute,
  "__openapi.json": openApiRoute,
  __events: eventsRoute,
  __requests: requestsRoute,
};

/** Names that a collection cannot be reached by. */
export const WINNING_NAMES: readonly string[] = [...Object.keys(WINNING), "__sandbox"];

/** Finds what the path stands for and lets it answer. */
export function route(exchange: Exchange, service: Service): Eventually<Reply> {
  const { store } = service;
  const segments = segmentsOf(exchange.target.path);
  const [first] = segments;
  if (first === undefined) return dispatch(indexRoute, exchange, service, undefined);
  if (segments.length > 3) throw routeNotFound(exchange, store);
  const winning = routeOfOurs(exchange, service, first, segments[1], segments[2]);
  if (winning) return winning;
  const [, , child] = segments;
  const isOutdated =
    store.kind === "postgres" &&
    (memberName(store, first) === undefined || (child !== undefined && memberName(store, child) === undefined));
  if (!isOutdated) return routeToData(exchange, service, first, segments[1], child);
  // Another process may have put other data in place a moment ago.
  return Promise.resolve(store.refresh()).then(() => routeToData(exchange, service, first, segments[1], child));
}

/** The built-in routes that win over data; all but the database have names that begin alike. */
function routeOfOurs(
  exchange: Exchange,
  service: Service,
  first: string,
  id: string | undefined,
  child: string | undefined,
): Eventually<Reply> | undefined {
  const isOurs = first.startsWith("__");
  if (!isOurs && first !== "db") return undefined;
  if (isOurs) {
    refuseForeignHost(exchange, service.settings.allowedHosts);
    refuseOtherOrigin(exchange);
  }
  if (id === undefined) {
    const winning = ownValue(WINNING, first);
    return winning && dispatch(winning, exchange, service, undefined);
  }
  const found = child === undefined ? ownValue(WINNING_BY_ID, first) : ownValue(WINNING_OF_ONE, `${first}/${child}`);
  return found && dispatch(found, exchange, service, { id });
}

function routeToData(
  exchange: Exchange,
  service: Service,
  first: string,
  id: string | undefined,
  child: string | undefined,
): Eventually<Reply> {
  const { store } = service;
  const name = memberName(store, first);
  if (name === undefined) {
    const yielding = id === undefined ? yieldingRoute(first, service) : undefined;
    if (yielding) return dispatch(yielding, exchange, service, undefined);
    throw first.startsWith("__") ? routeNotFound(exchange, store) : collectionNotFound(first, exchange, store);
  }
  if (store.kindOf(name) === "singleton") {
    if (id !== undefined) throw routeNotFound(exchange, store);
    return dispatch(singletonRoute, exchange, service, { name });
  }
  if (id === undefined) return dispatch(collectionRoute, exchange, service, { collection: name });
  if (child === undefined) return dispatch(recordRoute, exchange, service, { collection: name, id });
  const childName = memberName(store, child);
  if (childName === undefined || store.kindOf(childName) !== "collection")
    throw collectionNotFound(child, exchange, store);
  return dispatch(nestedRoute, exchange, service, { parent: name, id, collection: childName });
}

function yieldingRoute(name: string, { settings }: Service): Route<undefined> | undefined {
  return ownValue(YIELDING, name) ?? (settings.console ? ownValue(OF_CONSOLE, name) : undefined);
}

function dispatch<Parts>(route: Route<Parts>, exchange: Exchange, service: Service, parts: Parts): Eventually<Reply> {
  const method = exchange.method === "HEAD" ? "GET" : exchange.method;
  const handler = ownValue(route, method) as Handler<Parts> | undefined;
  if (handler) return handler(exchange, service, parts);
  const offered = Object.keys(route).flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
  const allow = [...offered, "OPTIONS"].join(", ");
  if (method === "OPTIONS") return { status: 204, headers: { Allow: allow } };
  throw new StandinError(
    "METHOD_NOT_ALLOWED",
    `${exchange.method} is not offered on ${exchange.client.path}. Use one of ${allow}.`,
    { Allow: allow },
  );
}

/** The decoded parts of a path; one trailing slash is tolerated. */
function segmentsOf(path: string): string[] {
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
      `The path ${path} holds a broken percent-escape; a bare % is written %25.`,
    );
  }
}

/** Names match exactly, else ignoring case. */
function memberName(store: Store, given: string): string | undefined {
  if (store.kindOf(given) !== undefined) return given;
  const wanted = given.toLowerCase();
  return store.members().find((member) => member.name.toLowerCase() === wanted)?.name;
}

function collectionNotFound(given: string, exchange: Exchange, store: Store): StandinError {
  const names = store.members().map((member) => encodeURIComponent(member.name));
  const served = names.length > 0 ? `Served are ${names.map((name) => `/${name}`).join(", ")}.` : "Nothing is served.";
  const hint = slashHint(exchange, store) || didYouMean(encodeURIComponent(given), names);
  return new StandinError("COLLECTION_NOT_FOUND", `There is no collection "${given}".${hint} ${served}`);
}

function routeNotFound(exchange: Exchange, store: Store): StandinError {
  const names = store.members().map((member) => `/${encodeURIComponent(member.name)}`);
  return new StandinError(
    "ROUTE_NOT_FOUND",
    `Nothing is served at ${exchange.client.path}.${slashHint(exchange, store)} Served are ${[...names, "/db"].join(", ")}.`,
  );
}

/** Where a key with a slash is really served, when the path has it as it stands in the file. */
function slashHint({ target }: Exchange, store: Store): string {
  const path = `${segmentsOf(target.path).join("/")}/`;
  const meant = store.members().find(({ name }) => name.includes("/") && path.startsWith(`${name}/`));
  if (!meant) return "";
  return ` The slash in "${meant.name}" belongs to its name: the address is /${encodeURIComponent(meant.name)}.`;
}

function ownValue<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

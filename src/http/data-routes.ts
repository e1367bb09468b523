import { StandinError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { Eventually, Store } from "../store/store.ts";
import type { Call } from "./call.ts";
import type { Handler, Route, Service } from "./contract.ts";
import type { Reply } from "./response/reply.ts";
import { collectionRoute } from "./routes/collection.ts";
import { nestedRoute } from "./routes/nested.ts";
import { ACCEPT_QUERY } from "./routes/query-body.ts";
import { recordRoute } from "./routes/record.ts";
import { singletonRoute } from "./routes/singleton.ts";

/** Responds to a request to a collection, a record, the children of a record or a singleton; throws for any other path. */
export function respondFromData(call: Call, service: Service, segments: readonly string[]): Eventually<Reply> {
  const { store } = service;
  const [first, id, child] = segments as [string, string?, string?];
  const name = memberName(store, first);
  if (segments.length > 3) throw routeNotFound(call, store);
  if (name === undefined) {
    throw first.startsWith("__") ? routeNotFound(call, store) : collectionNotFound(first, call, store);
  }
  if (store.kindOf(name) === "singleton") {
    if (id !== undefined) throw routeNotFound(call, store);
    return handlerFor(singletonRoute, call)(call, service, { name });
  }
  if (id === undefined) return handlerFor(collectionRoute, call)(call, service, { collection: name });
  if (child === undefined) return handlerFor(recordRoute, call)(call, service, { collection: name, id });
  const childName = memberName(store, child);
  if (childName === undefined || store.kindOf(childName) !== "collection") throw collectionNotFound(child, call, store);
  demandCredentials(call);
  return handlerFor(nestedRoute, call)(call, service, { parent: name, id, collection: childName });
}

/** Throws where a public route let the request in, which opens its own collection only, and the credentials are missing. */
export function demandCredentials(call: Call): void {
  call.demandCredentials?.();
}

/** The handler of a route for the method of a request; throws where it has none. */
export function handlerFor<Parts>(route: Route<Parts>, call: Call): Handler<Parts> {
  const method = call.method === "HEAD" ? "GET" : call.method;
  const handler = (METHODS.has(method) ? route[method as keyof Route<Parts>] : undefined) as Handler<Parts> | undefined;
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
export function memberName(store: Store, given: string): string | undefined {
  if (store.kindOf(given) !== undefined) return given;
  const wanted = given.toLowerCase();
  return store.members().find((member) => member.name.toLowerCase() === wanted)?.name;
}

function collectionNotFound(given: string, call: Call, store: Store): StandinError {
  const names = store.members().map((member) => encodeURIComponent(member.name));
  const served = names.length > 0 ? `Available: ${names.map((name) => `/${name}`).join(", ")}.` : "Nothing is served.";
  const hint = slashHint(call, store) || didYouMean(encodeURIComponent(given), names);
  return new StandinError("COLLECTION_NOT_FOUND", `There is no collection "${given}".${hint} ${served}`);
}

export function routeNotFound(call: Call, store: Store): StandinError {
  const names = store.members().map((member) => `/${encodeURIComponent(member.name)}`);
  return new StandinError(
    "ROUTE_NOT_FOUND",
    `Nothing is served at ${call.client.path}.${slashHint(call, store)} Available: ${[...names, "/db"].join(", ")}.`,
  );
}

/** Where a key with a slash is really served, when the path has it as it stands in the file. */
function slashHint({ target }: Call, store: Store): string {
  const path = `${segmentsOf(target.path).join("/")}/`;
  const meant = store.members().find(({ name }) => name.includes("/") && path.startsWith(`${name}/`));
  if (!meant) return "";
  return ` The slash in "${meant.name}" belongs to its name: the address is /${encodeURIComponent(meant.name)}.`;
}

import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { Description } from "../../../schema/description/description.ts";
import type { Store } from "../../../store/store.ts";
import { type BookRequest, encodePath, type RequestBook, type Template, uniqueIds } from "../request-book.ts";
import { variableFor } from "../secret-values.ts";
import { type DataFacts, dataRequest, dependentRequest, listing, requestOf, withBody } from "./data-requests.ts";
import { type BookOperation, queryParameters, readBookOperations } from "./operations.ts";
import { type FoundQuery, findQueries } from "./queries.ts";
import { type CollectionSamples, sampleOf } from "./samples.ts";

/** A stream has no end that a client could wait for. */
const STREAM = "text/event-stream";

/** Bodies for the routes of the server that change nothing, or nothing but the data; undefined where there is no record. */
const BODIES: Readonly<Record<string, (sample: CollectionSamples | undefined) => JsonObject | undefined>> = {
  standin_batch: (sample) => {
    if (sample?.id === undefined) return undefined;
    const path = encodePath(sample.member.name, sample.id);
    return {
      requests: [
        { method: "GET", path },
        { method: "PATCH", path, body: {} },
      ],
    };
  },
  standin_rewrite: (sample) => ({ path: sample ? encodePath(sample.member.name) : "/" }),
  // The password becomes a variable.
  standin_login: () => ({ email: "you@example.com", password: "" }),
};
const HARMLESS = new Set(["standin_rewrite", "standin_login"]);

/** The API of a server, and the data behind it. */
export interface ServedData {
  /** As OpenAPI describes it: routes and parameters are taken from here, so that none is forgotten. */
  readonly document: JsonObject;
  readonly description: Description;
  readonly store: Store;
  readonly isReadOnly: boolean;
  draft: DataFacts["draft"];
}

/** One request for every route, operator and parameter, with values of the data, so that each finds something. */
export async function planRequests(served: ServedData): Promise<Pick<RequestBook, "requests" | "headers">> {
  const { document, description, store, isReadOnly, draft } = served;
  const operations = readBookOperations(document).filter(({ method }) => !isReadOnly || method === "GET");
  const samples = new Map<string, CollectionSamples>();
  for (const member of description.members) {
    if (member.kind === "collection") samples.set(member.name, await sampleOf(store, member));
  }
  const facts: DataFacts = { store, samples, relations: description.relations, draft };
  const groups = new Map<string, BookRequest[]>();
  const add = (name: string, ...requests: readonly (BookRequest | undefined)[]): void => {
    const known = groups.get(name) ?? [];
    known.push(...requests.filter((one) => one !== undefined));
    groups.set(name, known);
  };
  for (const operation of operations.filter(({ isOwn }) => !isOwn)) {
    const [name] = operation.segments as [string];
    add(name, await dataRequest(operation, facts));
    const sample = samples.get(name);
    if (sample && operation.method === "DELETE") add(name, dependentRequest(operation, sample));
  }
  for (const found of await findQueries(listsOf(operations, samples))) {
    add(found.sample.member.name, queryRequest(found));
  }
  const first = [...samples.values()].find(({ id }) => id !== undefined);
  const forServer = operations
    .filter(({ isOwn }) => isOwn)
    .flatMap((operation) => serverRequest(operation, first) ?? []);
  const requests = [...groups.values(), forServer].flatMap(inOrder);
  return { requests: uniqueIds(requests), headers: guardHeaders(document) };
}

function listsOf(operations: readonly BookOperation[], samples: ReadonlyMap<string, CollectionSamples>) {
  return operations.flatMap((operation) => {
    const [first = "", ...further] = operation.segments;
    const sample = samples.get(first);
    if (!sample || operation.isOwn || operation.method !== "GET" || further.length > 0) return [];
    return [{ sample, parameters: queryParameters(operation) }];
  });
}

function queryRequest({ sample, name, words, pairs }: FoundQuery): BookRequest {
  const { typeName } = sample.member;
  return {
    id: `list${typeName}_${words
      .map((word) => word.replace(/\W+/g, "_").replace(/^_+|_+$/g, ""))
      .filter(Boolean)
      .join("_")}`,
    name,
    method: "GET",
    path: encodePath(sample.member.name),
    query: listing(sample, pairs),
    headers: [],
    isWrite: false,
  };
}

/** Reads first, and deletions last: a client may send them one after another. */
function inOrder(requests: readonly BookRequest[]): BookRequest[] {
  const rank = ({ method }: BookRequest): number => ["GET", "POST", "PUT", "PATCH", "DELETE"].indexOf(method);
  return requests.toSorted((one, other) => rank(one) - rank(other));
}

/** The credentials that guards ask for, as variables. */
function guardHeaders(document: JsonObject): RequestBook["headers"] {
  const schemes = (document.components as JsonObject).securitySchemes;
  const headers = Object.values(isJsonObject(schemes) ? schemes : {}).map((scheme): [string, Template] => {
    const { type, name } = scheme as JsonObject;
    if (type === "http") return ["Authorization", ["Bearer ", { variable: "token" }]];
    return [String(name), [{ variable: variableFor(String(name)) }]];
  });
  return [...new Map(headers)];
}

/**
 * A request for a route of the server itself: those that can be read by their address alone, and those in the table.
 * Routes that manage the server (faults, sandboxes, snapshots, collections, reset, the session of an agent) change it for
 * everyone, and streams never end, so they have none.
 */
function serverRequest(operation: BookOperation, sample: CollectionSamples | undefined): BookRequest | undefined {
  const { id, method, segments, types } = operation;
  if (segments.some((segment) => segment.startsWith("{"))) return undefined;
  const request = requestOf(operation, segments.length === 1 && segments[0] === "" ? "/" : encodePath(...segments));
  if (method === "GET") return types[0] === STREAM ? undefined : request;
  const createBody = Object.hasOwn(BODIES, id) ? BODIES[id] : undefined;
  const body = createBody?.(sample);
  return body && { ...withBody(request, body), isWrite: !HARMLESS.has(id) };
}

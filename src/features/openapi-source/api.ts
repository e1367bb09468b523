import { StandinError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json/json.ts";
import { capturedParts, PathTree, type Segment } from "../../base/path-tree.ts";
import { readAnyBody } from "../../http/body/any-body.ts";
import { asksForStream } from "../../http/body/asks-for-stream.ts";
import type { Call } from "../../http/call.ts";
import type { FoundRoute, Handler, Method, PathParts, RouteRow } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { segmentsOf } from "../../http/router.ts";
import type { Bindings, BoundCollection, BoundOperation } from "../../openapi/bind/binding.ts";
import type { ApiDocument, Operation } from "../../openapi/read/api-document.ts";
import { fixedQuery } from "../../openapi/read/path-query.ts";
import { createBoundAdd } from "./actions/added-member.ts";
import { createBulkEffect } from "./actions/bulk-effect.ts";
import { createElements } from "./actions/elements.ts";
import { createFieldEffect } from "./actions/field-effect.ts";
import { createParentEffect } from "./actions/parent-effects.ts";
import { createPresence } from "./actions/presence.ts";
import { createBoundRead, createBoundWrite } from "./bound-record.ts";
import { createBoundList } from "./lists/bound-list.ts";
import { once } from "./once.ts";
import type { OperationContext } from "./operation-context.ts";
import type { OperationRequest } from "./operation-request.ts";
import { addressed } from "./parents/field-lookup.ts";
import { createWithIds } from "./parents/named-ids.ts";
import { createDownload } from "./responses/download.ts";
import { createEcho, createStreamEcho, idsIn } from "./responses/echo.ts";
import { withExpansion } from "./responses/expand.ts";
import { unshownFields } from "./responses/secret-fields.ts";
import { createScriptedStream, streamOf, withoutStream } from "./responses/streaming.ts";
import { createBoundCopy } from "./writes/bound-copy.ts";
import { createBoundCreate } from "./writes/bound-create.ts";
import { createIsBelowNew, withoutGenerated } from "./writes/new-parents.ts";

/** Reaches standin's own routes where the document defines the same path. */
const ROUTES_HEADER = "x-standin-routes";

/** All operations of one path. */
interface ServedPath {
  readonly row: RouteRow & { [method in Method]?: Handler<PathParts> };
  readonly operations: Map<string, ServedOperation>;
  /** Those that a fixed query tells from others, the longest first: `/pets?deep=1` beside `/pets`. */
  readonly narrower: ServedOperation[];
}

interface ServedOperation {
  readonly operation: Operation;
  readonly names: readonly string[];
  readonly respond: Handler<PathParts>;
  readonly isNested: boolean;
}

type Served = Pick<ServedOperation, "respond" | "isNested">;

/** The operations of a document, ready to respond. Each is prepared by its first request. */
export class Api {
  readonly document: ApiDocument;
  readonly bindings: Bindings;
  readonly #table = new PathTree<ServedPath>();
  readonly #bases: readonly (readonly string[])[];
  readonly #paths = new Map<string, ServedPath>();

  constructor(tools: OperationContext, bindings: Bindings) {
    this.document = tools.document;
    this.bindings = bindings;
    const bases = this.document.basePaths.map((base) => base.split("/").filter((text) => text !== ""));
    this.#bases = bases.filter((base) => base.length > 0);
    const bound = new Map<Operation, Served>();
    for (const collection of bindings.collections) {
      for (const one of collection.operations) {
        bound.set(one.operation, {
          respond: boundHandler(tools, collection, one),
          isNested: one.parents.length > 0,
        });
      }
    }
    for (const operation of tools.document.operations) {
      this.#add(operation, bound.get(operation) ?? { respond: exampleHandler(tools, operation), isNested: false });
    }
  }

  /** The fields of a collection that no operation shows. */
  unshownFieldsOf(collection: string): readonly string[] {
    const bound = this.bindings.collections.find(({ name }) => name === collection);
    return bound ? unshownFields(this.document.references, bound) : [];
  }

  claim(segments: readonly string[], call: Call): FoundRoute | undefined {
    if (wantsOwnRoutes(call)) return undefined;
    const [found] = this.#table.find(segments, 1);
    if (!found) return this.#isBelowBase(segments) && call.method !== "OPTIONS" ? NO_PATH : undefined;
    const { row } = found.target;
    const served = operationFor(found.target, call);
    if (!served) return { row, parts: NO_PARTS };
    return {
      row,
      parts: capturedParts(served.names, found.values),
      respond: served.respond,
      isNested: served.isNested,
    };
  }

  /** The operation of a request; undefined where the document has none. */
  operationFor(call: Call): Operation | undefined {
    if (wantsOwnRoutes(call)) return undefined;
    try {
      const [found] = this.#table.find(segmentsOf(call.target.path), 1);
      return found && operationFor(found.target, call)?.operation;
    } catch {
      // A path that cannot be read belongs to no operation.
      return undefined;
    }
  }

  /** Whether the document has operations at a path. */
  hasPath(segments: readonly string[]): boolean {
    return this.#table.find(segments, 1).length > 0;
  }

  /** Whether a path can only be meant for the document. */
  #isBelowBase(segments: readonly string[]): boolean {
    return this.#bases.some((base) => base.every((text, position) => segments[position] === text));
  }

  #add(operation: Operation, given: Served): void {
    const { path, method } = operation;
    const segments = withoutSlash(path.segments);
    // `/pets` may have one method, and `/pets/` another.
    const shape = path.shape.replace(/\/$/, "");
    const known = this.#paths.get(shape);
    const served: ServedPath = known ?? {
      row: { path: path.text, isOfData: true, dryRuns: WRITES },
      operations: new Map(),
      narrower: [],
    };
    if (!known) {
      this.#paths.set(shape, served);
      for (const base of new Set(["", ...this.document.basePaths])) {
        this.#table.at([...literals(base), ...segments], () => served);
      }
    }
    const own = { operation, names: path.names, ...given };
    const terms = fixedQuery(operation).length;
    if (terms > 0) {
      served.narrower.push(own);
      served.narrower.sort((one, two) => fixedQuery(two.operation).length - fixedQuery(one.operation).length);
    }
    const other = served.operations.get(method);
    // Without a query, the operation that asks for least responds.
    if (other && fixedQuery(other.operation).length <= terms) return;
    served.operations.set(method, own);
    // Read for `Allow`.
    served.row[method as Method] = given.respond;
  }
}

const NO_PARTS: PathParts = {};
/** They write as the routes of the data do, or respond with examples. */
const WRITES: readonly Method[] = ["POST", "PUT", "PATCH", "DELETE"];

const NO_PATH: FoundRoute = {
  row: { path: "/*", dryRuns: WRITES },
  parts: NO_PARTS,
  respond: ({ client }) => {
    throw new StandinError(
      "ROUTE_NOT_FOUND",
      `The API document has no path ${client.path}. GET /__openapi.json returns it, and /__docs shows its paths.`,
    );
  },
};

/** The console reads and writes records, however the document presents them. */
function wantsOwnRoutes(call: Call): boolean {
  return call.headers[ROUTES_HEADER] === "own" || call.isOfConsole;
}

function operationFor({ operations, narrower }: ServedPath, call: Call): ServedOperation | undefined {
  const { method } = call;
  for (const one of narrower) if (one.operation.method === method && hasQuery(call, one.operation)) return one;
  return operations.get(method) ?? (method === "HEAD" ? operations.get("GET") : undefined);
}

function hasQuery(call: Call, operation: Operation): boolean {
  return fixedQuery(operation).every(({ name, value }) => call.parameters.get(name)?.includes(value) === true);
}

function literals(base: string): Segment[] {
  return base.split("/").flatMap((text): Segment[] => (text === "" ? [] : [{ kind: "literal", text }]));
}

/** A trailing slash makes no difference, as for all routes. */
function withoutSlash(segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1);
  return last?.kind === "literal" && last.text === "" ? segments.slice(0, -1) : segments;
}

type Create = (tools: OperationContext, collection: BoundCollection, bound: BoundOperation) => Handler<PathParts>;

const CREATE: { readonly [action in BoundOperation["action"]]: Create } = {
  list: createBoundList,
  create: createBoundCreate,
  read: createBoundRead,
  replace: createBoundWrite,
  patch: createBoundWrite,
  remove: createBoundWrite,
  act: createBoundWrite,
  copy: createBoundCopy,
  end: createBoundWrite,
  download: createDownload,
  upload: createBoundWrite,
  elements: createElements,
  add: createBoundAdd,
};

function boundHandler(tools: OperationContext, collection: BoundCollection, bound: BoundOperation): Handler<PathParts> {
  let prepared: Handler<PathParts> | undefined;
  const respond: Handler<PathParts> = (call, service, parts) => {
    const { prefer } = call.headers;
    if (prefer !== undefined && wantsExample(prefer)) {
      return preferredResponse(tools, { operation: bound.operation, call, parts, service });
    }
    prepared ??= prepareBound(tools, collection, bound);
    return prepared(call, service, parts);
  };
  return bound.operation.method === "POST" ? withStream(tools, bound.operation, { otherwise: respond }) : respond;
}

function prepareBound(tools: OperationContext, collection: BoundCollection, bound: BoundOperation): Handler<PathParts> {
  const handlerOf = (one: BoundOperation): Handler<PathParts> =>
    withExpansion(tools, one, CREATE[one.action](tools, collection, addressed(collection, one)));
  const own = handlerOf(bound);
  const isBelowNew = createIsBelowNew(tools.collections, bound);
  const ofNew = once(() => handlerOf(withoutGenerated(bound)));
  const at: Handler<PathParts> = isBelowNew
    ? async (call, service, parts) => ((await isBelowNew(service, parts)) ? ofNew() : own)(call, service, parts)
    : own;
  const withIds = createWithIds(tools.collections, collection, bound);
  return withIds ? async (call, service, parts) => at(call, service, await withIds(service, parts)) : at;
}

interface StreamAside {
  /** For requests without a stream. */
  readonly otherwise: Handler<PathParts>;
  /** Responds with the body that a stream tells of, whatever the request accepts. */
  whole?(): Handler<PathParts>;
}

/** Sends events to those who ask for them. */
function withStream(
  tools: OperationContext,
  operation: Operation,
  { otherwise, whole = () => otherwise }: StreamAside,
): Handler<PathParts> {
  const stream = once(() => streamOf(operation));
  const events = once(
    () =>
      createScriptedStream(tools, operation, whole) ??
      unboundHandler(tools, stream() ?? operation, createStreamEcho(tools, operation)),
  );
  return (call, service, parts) => {
    if (!stream()) return otherwise(call, service, parts);
    return asksForStream(call).then((isAsked) => (isAsked ? events() : otherwise)(call, service, parts));
  };
}

/** `Prefer: code=404` and `Prefer: example=empty` ask for a response of the document, as in hosted mode. */
function wantsExample(prefer: string | string[]): boolean {
  return /(^|[,;\s])(code|example)\s*=/i.test(String(prefer));
}

async function preferredResponse(tools: OperationContext, request: OperationRequest): Promise<Reply> {
  const { preferences } = request.call;
  const applied = ["code", "example"].flatMap((name) =>
    preferences?.has(name) ? `${name}=${preferences.get(name)}` : [],
  );
  const { isFixed: _, ...reply } = await tools.respondFromExamples(request);
  return { ...reply, headers: { ...reply.headers, "Preference-Applied": applied.join(", ") } };
}

function exampleHandler(tools: OperationContext, operation: Operation): Handler<PathParts> {
  const plain = unboundHandler(tools, operation);
  const effective = once(
    () =>
      createParentEffect(tools, operation, plain) ??
      createFieldEffect(tools, operation, plain) ??
      createBulkEffect(tools, operation, plain) ??
      createPresence(tools, operation, plain) ??
      plain,
  );
  const respond: Handler<PathParts> = (call, service, parts) => effective()(call, service, parts);
  if (operation.method !== "POST") return respond;
  const whole = (): Handler<PathParts> => unboundHandler(tools, withoutStream(operation) ?? operation);
  return withStream(tools, operation, { otherwise: respond, whole });
}

function unboundHandler(
  tools: OperationContext,
  operation: Operation,
  echo = createEcho(tools, operation),
): Handler<PathParts> {
  return async (call, service, parts) => {
    const request = { operation, call, parts, service };
    const { prefer } = call.headers;
    if (prefer !== undefined && wantsExample(prefer)) return preferredResponse(tools, request);
    if (!operation.requestBody) {
      tools.guard.check(request);
      return echo(await tools.respondFromExamples(request), idsIn(parts));
    }
    await tools.guard.checkUnread(request);
    const sent = await readAnyBody(call);
    const own = isJsonObject(sent) ? { ...sent, ...idsIn(parts) } : idsIn(parts);
    return echo(await tools.respondFromExamples(request), own);
  };
}

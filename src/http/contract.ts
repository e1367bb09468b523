import type { Clocks } from "../base/clocks.ts";
import type { StandinError } from "../base/errors.ts";
import type { Eventually } from "../base/eventually.ts";
import type { Json, JsonObject } from "../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../openapi/write/facts.ts";
import type { SettingsByCollection } from "../store/collection-settings.ts";
import type { ReceiptHead } from "../store/receipts.ts";
import type { RecordRules } from "../store/record-rules.ts";
import type { RecordAccess, Store } from "../store/store.ts";
import type { Call } from "./call.ts";
import { firstOf } from "./compose-hooks.ts";
import type { Edge, RecordTraffic } from "./edge.ts";
import type { PageReply } from "./node/send-page.ts";
import type { Reply } from "./response/reply.ts";

/** A running server: its pipeline, its data and its features. */
export interface Service extends DataService {
  readonly store: Store;
}

/** A running server as routes of the data see it: inside of a batch, their data is that of its transaction. */
export interface DataService extends Edge {
  readonly store: RecordAccess;
  /** Responds in place of the data, which is empty then. */
  readonly responder: Responder | undefined;
  readonly startedAt: number;
  /** The time that clients see: the real one unless the clock of their data is moved. */
  readonly now: () => number;
  readonly clocks: Clocks;
  /** Makes random values repeatable; undefined lets them differ from run to run. */
  readonly seed: number | undefined;
  /** The ids, timestamps and defaults of collections. */
  readonly collections: SettingsByCollection;
  /** The rules that writes are judged by; undefined for most servers. */
  readonly rules: RecordRules | undefined;
  readonly features: readonly OpenFeature[];
  /** Set where users may see and do different things. */
  readonly access?: UserAccess | undefined;
  /** Set for a request with an `Idempotency-Key`: its response is kept together with its write. */
  readonly receipt?: ReceiptHead | undefined;
  /** Names that built-in routes keep for themselves: no collection is reached by them. */
  readonly reservedNames: readonly string[];
  /** The refusals of features that are off, by the first segment of their paths. */
  readonly refusals: ReadonlyMap<string, () => Error>;
  /** The object that a feature offers to others; undefined while the feature is off. */
  offer<T>(feature: Offering<T>): T | undefined;
}

/** The rights of a request's user. */
export interface UserAccess {
  /** The service with all of its data. Throws unless the user is an admin. */
  whole(what: string): Service;
}

/** Finds the data of a request that names a sandbox. */
export function createStoreChooser({ features }: Service): (call: Call) => Store | undefined {
  return firstOf(features.flatMap(({ storeFor }) => storeFor ?? [])) ?? (() => undefined);
}

/** The name of a feature, and the type of the object it offers. */
export interface Offering<T> {
  readonly name: string;
  /** Never set: it carries the type. */
  readonly offers?: T;
}

/** Looks at requests to paths of its own, and at those with one of its headers. */
export interface Entrance {
  /** Whether its paths lie outside the base, too. */
  readonly isOutside?: boolean;
  /** The beginning of the paths that it is for, beside requests with one of the headers. */
  readonly prefix: string;
  /** In lower case. */
  readonly headers: readonly string[];
  enter(call: Call): void;
}

/**
 * The parts of a feature that the request pipeline runs, and the lifecycle around them. Any number of features may have
 * the same part: of those that return something the first wins, in the order of the list, and all others run.
 */
export interface OpenFeature {
  readonly name: string;
  /** The name of its stage in the pipeline, where people know it as one. */
  readonly stage?: string;
  readonly routes?: readonly RouteRow[];
  /** Finds a route that may change while the server runs. With a method, only one that has a handler for it. */
  findRoute?(segments: readonly string[], method: string | undefined): FoundRoute | undefined;
  /** Finds a route that comes before all others, except for paths that begin with `/__`. */
  claim?(segments: readonly string[], call: Call): FoundRoute | undefined;
  /** Renders an error in a form of its own; undefined for the usual one. */
  renderError?(call: Call, error: StandinError): Reply | undefined;
  /** Whether it has a response for `Prefer: code=<status>`, so that none must be made up. */
  hasResponse?(call: Call, status: number): boolean;
  /** Describes the routes for OpenAPI. Loaded and called on request only. */
  describe?(facts: ServerFacts): Promise<DescribedPaths>;
  /** Looks at requests on arrival, before anything else does. */
  readonly entrance?: Entrance;
  /** A page in front of the layers, such as the console. Asked for `/` and for paths that begin with `/__`. */
  pageFor?(call: Call): Eventually<PageReply | undefined>;
  /** Folders whose files are served before those of the static folder. */
  readonly folders?: readonly string[];
  /** Takes down every response that is sent. */
  readonly record?: RecordTraffic;
  readonly step?: FeatureStep;
  /** Makes the data of a request ready that names a sandbox, where that is not in memory. Called before `storeFor`. */
  arrive?(call: Call): Promise<void> | undefined;
  /** The data of a request that names a sandbox; undefined for the data that all requests share. */
  storeFor?(call: Call): Store | undefined;
  /** The service as the user of a request may see it: one whose store shows a part of the data. */
  viewFor?(call: Call, service: Service): Service;
  /** Fields of a collection that nobody may see. */
  unshownFields?(collection: string): readonly string[];
  /** Reads a body of a type that is not JSON; undefined to refuse the type. */
  readBody?(call: Call): Promise<Json | undefined> | undefined;
  /** Judges the files that a body names, and returns the body as it is to be stored. */
  admitFiles?(call: Call, body: Json): Eventually<Json>;
  /** Responds to `/products/7/photo`, where no collection has the last name; undefined where it is not served. */
  respondByField?(call: Call, service: DataService, parts: FieldParts): Eventually<Reply> | undefined;
  /** Responds to a request that names a moment of the past. */
  readonly visit?: Visit;
  /** Files to reload under `--watch`. */
  readonly watched?: WatchedFiles;
  /** Facts for `/health-check`. */
  health?(): JsonObject;
  /** Tells the address at which the service is reached. */
  announce?(address: string): void;
  /** Ends everything that keeps connections open: streams, waiting readers. */
  stop?(): void;
  /** Called when the server has stopped. */
  close?(): Eventually<void>;
}

/** The last stage of the pipeline, where it is not the data. */
export interface Responder {
  readonly name: string;
  readonly respond: Respond;
  /** Whether it has a response of its own to requests with this method: our own routes yield to it. */
  has(path: string, method: string): boolean;
  /** Tells of which paths a reader may see the requests. */
  shownTo(reader: Call): (path: string) => boolean;
  /** An OpenAPI document of the paths that a reader may see. */
  describe?(reader: Call): Promise<JsonObject>;
}

/** A field of a record, as a path names it. */
export interface FieldParts {
  readonly collection: string;
  readonly id: string;
  readonly field: string;
  /** The refusal where the field is not served after all. */
  readonly notFound: () => Error;
}

export interface WatchedFiles {
  files(): readonly string[];
  /** Rejects when the file cannot be used; the old version stays then. */
  reload(file: string): Promise<void>;
}

export interface FoundRoute {
  readonly row: RouteRow;
  readonly parts: PathParts;
  /** In place of the row's handler, for methods that rows have no name for. */
  readonly respond?: Handler<PathParts> | undefined;
  /** Leads to records below those of another collection. */
  readonly isNested?: boolean;
}

/** One path, such as `/__snapshots__/:id`, with a handler per method. */
export interface RouteRow extends Route<PathParts> {
  readonly path: string;
  /** A collection of the same name is served instead of it. Without this, the route hides the collection. */
  readonly yields?: true;
  /** Counts as a route of the data although its path begins with `/__`: pages of other origins may use it. */
  readonly isOfData?: true;
  /** Shows no data, traffic or snapshots: pages of other origins may read it although its path begins with `/__`. */
  readonly isOpen?: true;
  /** Judges requests itself: pages of every origin, and requests under any host name, may use it as they use the data. */
  readonly isForAnyPage?: true;
  /** Throws where a route of the data cannot be used: asked before a response to an `Idempotency-Key` is repeated. */
  readonly admit?: (service: Service) => Eventually<void>;
  /** Shows data alone, which may be that of the past. */
  readonly isOfPast?: true;
  /** Methods that change no data, so that read-only servers allow them. */
  readonly harmless?: readonly Method[];
  /** Concerns all data, or shows that of all users: only for admins where there are rules of access. Methods, or all. */
  readonly isForAdmins?: true | readonly Method[];
  /** Methods that change nothing with `Prefer: tx=rollback`. It is refused for all others. */
  readonly dryRuns?: readonly Method[];
}

/** A stage of the pipeline between the layers and everything behind them: delays, read-only mode, routes. */
export interface FeatureStep {
  /** Whether requests go through it. Read for every request. */
  readonly isActive: boolean;
  /** Code of the user's, which must see every request: a batch would pass its parts by. */
  readonly isCustom?: true;
  /** The preferences of a request (`Prefer`) that call for it while it is not active. */
  readonly preference?: RegExp;
  respond(call: Call, service: Service, next: Respond): Eventually<Reply | undefined>;
}

/** Makes the response to a call; undefined when none is to be sent. Throws or rejects with a refusal. */
export type Respond = (call: Call, service: Service) => Eventually<Reply | undefined>;

/** Finds the data of the moment that a call names, and lets the router respond with it. */
export type Visit = (call: Call, service: Service, route: Respond) => Eventually<Reply | undefined>;

/** The handlers of a path, by method; each is given the variable parts of the path. */
export type Route<Parts, S = Service> = { readonly [method in Method]?: Handler<Parts, S> };
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "QUERY";
export type Handler<Parts, S = Service> = (call: Call, service: S, parts: Parts) => Eventually<Reply>;

/** The variable parts of a path by their names: `/__snapshots__/:id` gives `{ id }`. */
export type PathParts = Readonly<Record<string, string>>;

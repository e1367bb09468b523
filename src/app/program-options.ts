import { messageOf, StartError } from "../base/errors.ts";
import { type JsonObject, toJson } from "../base/json/json.ts";
import { silentReporter } from "../base/reporter.ts";
import { withDefaults } from "../config/defaults.ts";
import { SERVE_OPTIONS, type ServeOptions } from "../config/options.ts";
import type { Fault } from "../features/faults/types.ts";
import type { Hook, TimelineStep } from "../features/hooks/types.ts";
import { DOCUMENT, type GivenDocument } from "../features/openapi-source/feature.ts";
import type { AnyPlugin } from "../features/plugins/types.ts";
import type { SandboxLimits } from "../features/sandboxes/types.ts";
import { IN_MEMORY } from "../features/snapshots/feature.ts";
import type { Interceptor } from "../http/express/load-interceptors.ts";
import type { Rewrites } from "../http/rewrite/rewrites.ts";
import type { ServiceSettings } from "../http/settings.ts";
import type { IdKind } from "../store/collection-settings.ts";
import { IdKeys } from "../store/id-keys.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { databaseProblem, State } from "../store/memory/state.ts";
import type { OpenOptions } from "../store/open-store.ts";
import type { ServiceStart } from "./open-service.ts";

export type StandinOptions<D extends object = JsonObject> = CommonOptions &
  (
    | {
        /** One key per collection or singleton. Served from memory. Do not change it afterwards. */
        readonly data: D;
        readonly source?: never;
      }
    | {
        /** A source as on the command line: a file, a folder, a module, a URL or an OpenAPI document. */
        readonly source: string;
        /** The data behind an OpenAPI document: a source or the data itself. Made from the document unless given. */
        readonly data?: string | D;
      }
  );

/** Settings that have another name here, or none. */
type Renamed = "bodies" | "relations" | "delayMs" | "staticFolder" | "queryBudgetMs";

export interface CommonOptions extends Partial<Omit<ServiceSettings, Renamed>> {
  /** Milliseconds to add to every response. */
  readonly delay?: number;
  /** A folder whose files win over routes. */
  readonly static?: string;
  /** The CPU time in milliseconds that evaluating the query of one request may take; 0 is no limit. */
  readonly queryBudget?: number;
  /** How many requests the traffic log keeps; 0 for none. */
  readonly traffic?: number;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** The address to bind; `localhost` unless given. */
  readonly host?: string;
  /** The name of the primary key field of collections without one of their own. */
  readonly id?: string;
  /** Primary key, and ids, timestamps and defaults of new records, by collection. */
  readonly collections?: Readonly<Record<string, CollectionOptions>>;
  /** Fields that refer to other collections, by collection: `{ posts: { authorId: "users", tags: ["tags"] } }`. */
  readonly relations?: Readonly<Record<string, Readonly<Record<string, string | readonly [string]>>>>;
  /** Rewrite rules, path to path, or a file of them. */
  readonly routes?: string | Rewrites;
  /** Rules that records must meet: a JSON Schema for each collection, or a file of them. */
  readonly rules?: string | JsonObject;
  /** Layers by name, interceptors by path or as functions; applied in the order listed. */
  readonly middlewares?: readonly (string | Interceptor)[];
  /** The settings of each listed layer, under its name. */
  readonly layers?: JsonObject;
  /** Who may read and write the records of each collection; needs the layer `sign-in`. */
  readonly access?: Readonly<Record<string, AccessOptions>>;
  /** Plugins, by path or as objects. */
  readonly plugins?: readonly (string | AnyPlugin)[];
  /** Settings of the plugins, by plugin name. */
  readonly pluginOptions?: JsonObject;
  /** A folder for snapshots; without one, they stay in memory. */
  readonly snapshots?: string;
  /** A folder for uploaded files; without one, they stay in memory, or beside the `source` with `persist`. */
  readonly files?: string;
  /** The size of the largest file of an upload; 25 MB by default. */
  readonly maxFileBytes?: number;
  /** Whether requests that break an OpenAPI document are refused. `on` by default. */
  readonly validate?: "on" | "warn" | "off";
  /** Reject requests without the credentials that an OpenAPI document requires. Off by default. */
  readonly validateSecurity?: boolean;
  /** Responds as json-server 0.17 (the default) or as the beta of 1.0. */
  readonly dialect?: "json-server-0.17" | "json-server-1";
  /** Let a document refer to files outside its folder and to private hosts. Off by default. */
  readonly allowOutsideRefs?: boolean;
  /** Corrections to the collections found in an OpenAPI document. */
  readonly bind?: JsonObject;
  /** The address of a real API that responds to reads of paths that are not served here. */
  readonly fallback?: string;
  /** Let `fallback` send writes to the real API, too. Off by default. */
  readonly fallbackWrites?: boolean;
  /** The address of a real API that responds to everything, judged by the OpenAPI document. */
  readonly upstream?: string;
  /** Headers for the real API only, such as `Authorization: Bearer abc`. */
  readonly header?: readonly string[];
  /** Origins of pages that may use the real API, besides local ones. */
  readonly origin?: readonly string[];
  /** Accept a certificate of the real API that cannot be verified. Off by default. */
  readonly insecure?: boolean;
  /** Write changes back to the `source`. Off by default. */
  readonly persist?: boolean;
  /** Makes text ids, random delays and fault probabilities repeatable. */
  readonly seed?: number;
  /** The time that clients see: a fixed time, or a function that returns it. */
  readonly clock?: string | Date | (() => number);
  /** Faults that are active from the start. */
  readonly faults?: readonly Fault[];
  /** Webhooks: signed requests to other programs after changes. */
  readonly hooks?: readonly Hook[];
  /** Changes that follow others after a while. */
  readonly timeline?: readonly TimelineStep[];
  /** Origins that subscribers, and hooks added over HTTP, may name. */
  readonly hookTargets?: readonly string[];
  /** Versions of the data to keep: a number of changes, an age such as `30d`, or `off`. The last 1000 by default. */
  readonly history?: number | string;
  /** Limits for sandboxes. */
  readonly sandboxes?: Partial<SandboxLimits>;
  /** Receives the warnings that the command line would print. */
  readonly warn?: (text: string) => void;
}

/** Who may read and write the records of a collection: `owner`, `anyone`, `role:<name>`, or filters. */
export interface AccessOptions {
  /** The field with the id of a record's owner. */
  readonly owner?: string;
  readonly read?: string;
  readonly write?: string;
  /** `all`: the rules do not apply to users with the role `admin`. */
  readonly admin?: "all";
}

/** The primary key field of a collection, and the parts of its records that the server fills in. */
export interface CollectionOptions {
  /** The name of its primary key field; that of the option `id` unless given. */
  readonly idKey?: string;
  /** The kind of new ids; as the ids that are there unless given. */
  readonly id?: IdKind;
  /** `true` keeps `created_at` and `updated_at`; an object names the fields to keep. */
  readonly timestamps?: boolean | { readonly created?: string; readonly updated?: string };
  /** Values for fields that a new record lacks. */
  readonly defaults?: JsonObject;
}

/** The options in the words of the option table, which every other door uses. @internal */
export function serveOptionsOf(given: StandinOptions<object>): ServeOptions {
  const { sandboxes = {}, clock, faults, hooks, timeline } = given;
  return withDefaults(SERVE_OPTIONS, {
    ...given,
    collections: given.collections as JsonObject | undefined,
    relations: given.relations as JsonObject | undefined,
    access: given.access as JsonObject | undefined,
    port: given.port ?? 0,
    memory: given.persist !== true,
    snapshots: given.snapshots ?? IN_MEMORY,
    routes: typeof given.routes === "string" ? given.routes : undefined,
    noCors: given.cors === false,
    noGzip: given.compression === false,
    noConsole: given.console === false,
    history: given.history === undefined ? undefined : String(given.history),
    sandboxes: sandboxes.count,
    sandboxExpiry: sandboxes.expirySeconds,
    sandboxMegabytes: sandboxes.megabytes,
    faults: faults && (toJson(faults) as JsonObject[]),
    hooks: hooks && (toJson(hooks) as JsonObject[]),
    timeline: timeline && (toJson(timeline) as JsonObject[]),
    clock: typeof clock === "string" ? clock : undefined,
    // Handed over as they are.
    data: undefined,
    middlewares: undefined,
    plugins: undefined,
  });
}

/** Objects that the option table has no words for. @internal */
export function startOf(given: StandinOptions<object>, place: string, document?: string): ServiceStart {
  const { warn = () => {}, routes, middlewares, clock, data } = given;
  const hasData = data !== undefined && (given.source === undefined || typeof data !== "string");
  return {
    reporter: { ...silentReporter, warn, fault: (text, thrown) => warn(faultText(text, thrown)) },
    place,
    routes: typeof routes === "string" ? undefined : routes,
    middlewares,
    clock: typeof clock === "string" ? undefined : clock,
    given: {
      ...(given.plugins && { plugins: given.plugins }),
      ...(document !== undefined && {
        [DOCUMENT]: { file: document, hasData } satisfies GivenDocument,
      }),
    },
    settings: pick(given, ["maxBodyBytes", "jsonp", "heartbeatMs", "adminToken"]),
    ...(hasData && { openData: (options) => openObject(data as JsonObject, options) }),
  };
}

/** Where a fault of ours happened: the response says nothing of it. */
function faultText(text: string, thrown: unknown): string {
  return `${text} ${thrown instanceof Error ? thrown.stack : messageOf(thrown)}`;
}

/** The members of these names that are given at all. */
function pick<T extends object, K extends keyof T>(
  from: T,
  names: readonly K[],
): { [N in K]?: Exclude<T[N], undefined> } {
  const given = names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]);
  return Object.fromEntries(given) as { [N in K]?: Exclude<T[N], undefined> };
}

function openObject(data: JsonObject, options: OpenOptions): MemoryStore {
  return new MemoryStore(stateOf(data, options));
}

/** The data of a program, as it is given. @internal */
export function stateOf(data: JsonObject, options: OpenOptions): State {
  const problem = databaseProblem(data);
  if (problem) throw new StartError(problem);
  return State.load(data, IdKeys.from(options), options);
}

import type { JsonObject } from "../../base/json/json.ts";
import type { Option } from "../../base/option.ts";
import type { Database } from "../../schema/typed-database.ts";
import type { DataChange } from "../../store/data-change.ts";

/** Custom routes and behaviour in a file of your own. `Data` types `db`, `Options` types `options`. */
export interface Plugin<Data extends object = JsonObject, Options extends object = Record<string, unknown>> {
  /** Names the plugin in messages, in `pluginOptions` and in the API description. */
  readonly name: string;
  /** The settings it takes, set under its name in `pluginOptions`. */
  readonly options?: { readonly [Name in keyof Options]: PluginOption };
  /** Handlers by method and path: `"GET /dashboard/:id"`. */
  readonly routes?: Readonly<Record<string, RouteHandler<Data, Options> | PluginRoute<Data, Options>>>;
  /** Runs around every request that the layers let through. A response it returns is sent in place of the other. */
  readonly step?: (
    context: StepContext<Data, Options>,
    next: () => Promise<Response>,
  ) => Response | undefined | Promise<Response | undefined>;
  /** Called after each write to the data that all clients share. */
  readonly onChange?: (change: DataChange, context: PluginContext<Data, Options>) => unknown;
  /** Called once the data is open, and again after a reload. A function it returns is called at the end. */
  readonly open?: (context: PluginContext<Data, Options>) => unknown;
}

/** A plugin over any data, with any options. */
export interface AnyPlugin {
  readonly name: string;
  readonly options?: object;
  readonly routes?: object;
  readonly step?: (...parameters: never[]) => unknown;
  readonly onChange?: (...parameters: never[]) => unknown;
  readonly open?: (...parameters: never[]) => unknown;
}

/** One setting of a plugin. */
export type PluginOption = Pick<Option, "type" | "default" | "min" | "max" | "choices"> & { readonly help?: string };

/** Receives a request and returns its response: any JSON value, a `Response`, or nothing for 204. */
export type RouteHandler<Data extends object = JsonObject, Options extends object = Record<string, unknown>> = (
  context: RequestContext<Data, Options>,
) => unknown;

/** A handler with words for the API description. */
export interface PluginRoute<Data extends object = JsonObject, Options extends object = Record<string, unknown>> {
  readonly summary?: string;
  /** JSON Schema of the request body. */
  readonly body?: JsonObject;
  /** JSON Schema of the response. */
  readonly response?: JsonObject;
  readonly handle: RouteHandler<Data, Options>;
}

export interface PluginContext<Data extends object = JsonObject, Options extends object = Record<string, unknown>> {
  readonly db: Database<Data>;
  readonly options: Options;
}

export interface StepContext<Data extends object = JsonObject, Options extends object = Record<string, unknown>>
  extends PluginContext<Data, Options> {
  readonly query: URLSearchParams;
  readonly request: PluginRequest;
}

export interface RequestContext<Data extends object = JsonObject, Options extends object = Record<string, unknown>>
  extends StepContext<Data, Options> {
  /** The variable parts of the path, decoded: `:id` is `params.id`. */
  readonly params: Readonly<Record<string, string>>;
}

export interface PluginRequest {
  readonly method: string;
  /** As the client sent it: path and query. */
  readonly url: string;
  readonly headers: Headers;
  /** The sandbox that the request names; `db` is that of the sandbox then. */
  readonly sandbox: string | undefined;
  /** The body as JSON; undefined for none. A body that is no JSON is refused with 400. */
  json(): Promise<unknown>;
  text(): Promise<string>;
}

import type { Call } from "../../http/call.ts";
import { createStoreChooser, type PathParts, type Service } from "../../http/contract.ts";
import { createDatabase } from "../../schema/typed-database.ts";
import type { Store } from "../../store/store.ts";
import { makingOf } from "../rules/feature.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import type { PluginRequest, RequestContext, StepContext } from "./types.ts";

/** A request on its way through the plugins. */
export interface PluginExchange {
  readonly loaded: LoadedPlugin;
  readonly call: Call;
  readonly service: Service;
}

/** A request as a handler sees it, over the data that the request is served from. */
export function requestContext(given: PluginExchange, params: PathParts): RequestContext {
  return { ...commonParts(given), db: createDatabase(given.service.store, makingOf(given.service)), params };
}

/** A request as a step sees it. The sandbox that it names is chosen behind the steps, or when a step uses the data. */
export function stepContext(given: PluginExchange): StepContext {
  return Object.defineProperty(commonParts(given) as StepContext, "db", {
    enumerable: true,
    get: () => createDatabase(storeOf(given), makingOf(given.service)),
  });
}

function storeOf({ call, service }: PluginExchange): Store {
  const sandbox = call.sandbox === undefined ? undefined : createStoreChooser(service)(call);
  return sandbox ?? service.store;
}

function commonParts({ loaded, call }: PluginExchange): Omit<StepContext, "db"> {
  return {
    options: loaded.options,
    query: new URLSearchParams(call.target.search),
    request: pluginRequest(call),
  };
}

function pluginRequest(call: Call): PluginRequest {
  const { method, client, sandbox } = call;
  return {
    method,
    url: client.search === "" ? client.path : `${client.path}?${client.search}`,
    sandbox,
    get headers() {
      const pairs = Object.entries(call.headers).flatMap(([name, value = []]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      return new Headers(pairs);
    },
    // Kept, because steps, handlers and the routes of the data may each want the body.
    async json() {
      await call.keepBody();
      return call.body();
    },
    async text() {
      await call.keepBody();
      return call.bodyText();
    },
  };
}

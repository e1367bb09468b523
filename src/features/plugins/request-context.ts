import { keepBody, readBody, readBodyText } from "../../http/body/body.ts";
import { createStoreChooser, type PathParts, type Service } from "../../http/contract.ts";
import type { Exchange } from "../../http/exchange.ts";
import { createDatabase } from "../../schema/typed-database.ts";
import type { Store } from "../../store/store.ts";
import { makingOf } from "../rules/feature.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import type { PluginRequest, RequestContext, StepContext } from "./plugin.ts";

/** A request on its way through the plugins. */
export interface PluginExchange {
  readonly loaded: LoadedPlugin;
  readonly exchange: Exchange;
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

function storeOf({ exchange, service }: PluginExchange): Store {
  const sandbox = exchange.sandbox === undefined ? undefined : createStoreChooser(service)(exchange);
  return sandbox ?? service.store;
}

function commonParts({ loaded, exchange, service }: PluginExchange): Omit<StepContext, "db"> {
  return {
    options: loaded.options,
    query: new URLSearchParams(exchange.target.search),
    request: pluginRequest(exchange, service.settings.maxBodyBytes),
  };
}

function pluginRequest({ req, method, client, sandbox }: Exchange, maxBodyBytes: number): PluginRequest {
  return {
    method,
    url: client.search === "" ? client.path : `${client.path}?${client.search}`,
    sandbox,
    get headers() {
      const pairs = Object.entries(req.headers).flatMap(([name, value = []]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      return new Headers(pairs);
    },
    // Kept, because steps, handlers and the routes of the data may each want the body.
    async json() {
      await keepBody(req, maxBodyBytes);
      return readBody(req, maxBodyBytes);
    },
    async text() {
      await keepBody(req, maxBodyBytes);
      return readBodyText(req, maxBodyBytes);
    },
  };
}

import { readBody, readBodyText } from "../../http/body/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Service } from "../../http/service.ts";
import { createDatabase } from "../../typed-database.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import type { PluginRequest, StepContext } from "./plugin.ts";

/** A request as a plugin sees it, over the data that the request is served from. */
export function requestContext({ options }: LoadedPlugin, exchange: Exchange, service: Service): StepContext {
  return {
    db: createDatabase(service.store),
    options,
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
    json: () => readBody(req, maxBodyBytes),
    text: () => readBodyText(req, maxBodyBytes),
  };
}

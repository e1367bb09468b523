import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { operation } from "../../openapi/write/operation.ts";
import { json } from "../../openapi/write/parts.ts";
import { pathParameters } from "../../openapi/write/server-operations.ts";
import type { ActivePlugin } from "./active-plugin.ts";
import type { RouteEntry } from "./parse-routes.ts";

/** The routes of plugins, each under a tag of its plugin's name. */
export function pluginPaths(active: readonly ActivePlugin[], facts: ServerFacts): DescribedPaths {
  const paths: Record<string, JsonObject> = {};
  for (const { name, loaded } of active) {
    const make = operation(name, facts);
    for (const route of loaded.routes) {
      const path = route.path.replace(/:(\w+)/g, "{$1}");
      const described = make("own", operationId(name, route), {
        summary: summaryOf(name, route),
        isWrite: route.method !== "GET",
        ...partsOf(route),
      });
      paths[path] = { ...pathParameters(path), [route.method.toLowerCase()]: described, ...paths[path] };
    }
  }
  return { paths, isWinning: true };
}

function partsOf({ body, response = {} }: RouteEntry): JsonObject {
  const requestBody = body && { requestBody: { ...json(body) } };
  return { ...requestBody, responses: { 200: { description: "Done", ...json(response) } } };
}

function operationId(name: string, { method, path }: RouteEntry): string {
  return [name, method.toLowerCase(), path].join("_").replace(/\W+/g, "_");
}

function summaryOf(name: string, { summary, method, path }: RouteEntry): string {
  return summary ?? `${method} ${path} of the plugin ${name}`;
}

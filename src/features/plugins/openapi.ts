import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { operation } from "../../openapi/write/operation.ts";
import { json } from "../../openapi/write/parts.ts";
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
        isWrite: isWrite(route),
        ...partsOf(route),
      });
      paths[path] = { ...pathParameters(route), [route.method.toLowerCase()]: described, ...paths[path] };
    }
  }
  return { paths, isWinning: true };
}

function partsOf({ body, response = {} }: RouteEntry): JsonObject {
  const requestBody = body && { requestBody: { ...json(body) } };
  return { ...requestBody, responses: { 200: { description: "Done", ...json(response) } } };
}

function isWrite({ method }: RouteEntry): boolean {
  return method !== "GET";
}

function pathParameters({ path }: RouteEntry): JsonObject {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })) };
}

function operationId(name: string, { method, path }: RouteEntry): string {
  return [name, method.toLowerCase(), path].join("_").replace(/\W+/g, "_");
}

function summaryOf(name: string, { summary, method, path }: RouteEntry): string {
  return summary ?? `${method} ${path} of the plugin ${name}`;
}

import type { Endpoint } from "./endpoint.ts";
import type { ExampleResponse } from "./example.ts";

/** Without endpoints that only repeat the examples of another: paths with wildcards stay, else the first ones. */
export function shownEndpoints(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const seen = new Set<ExampleResponse>();
  const shown = new Set<Endpoint>();
  const wildFirst = [...endpoints].sort((a, b) => Number(b.path.names.length > 0) - Number(a.path.names.length > 0));
  for (const endpoint of wildFirst) {
    const responses = endpoint.examples.map(({ response }) => response);
    if (responses.every((response) => seen.has(response))) continue;
    shown.add(endpoint);
    for (const response of responses) seen.add(response);
  }
  return endpoints.filter((endpoint) => shown.has(endpoint));
}

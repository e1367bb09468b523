import type { Entry } from "../../../console/src/traffic/entry.ts";

export type { Entry };

/** A request of the traffic log, as the console gets it. */
export function trafficEntry(changed: Partial<Entry> = {}): Entry {
  return {
    id: 1,
    time: "2026-05-01T09:30:00.500Z",
    method: "GET",
    url: "/api/products?x=1",
    rewritten: "/products?x=1",
    status: 200,
    durationMs: 5,
    answeredBy: "route",
    requestHeaders: {},
    responseHeaders: {},
    requestBytes: 0,
    responseBytes: 2,
    ...changed,
  };
}

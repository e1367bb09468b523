import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { listContent, objectOf, reference, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

export function hookPaths(facts: ServerFacts): DescribedPaths {
  const clock = reference("schemas", "Clock");
  const hook = reference("schemas", "Hook");
  const delivery = reference("schemas", "Delivery");
  const job = reference("schemas", "Job");
  const move = objectOf({ advance: TEXT, set: TEXT, rate: { type: "number" }, real: { const: true } });
  const paths = describeRoutes(facts, {
    "/__clock": {
      get: { id: "getClock", summary: "The time that clients see", schema: clock },
      post: {
        id: "moveClock",
        summary: "Move the time, and run everything that becomes due",
        schema: clock,
        body: move,
      },
    },
    "/__jobs": {
      get: { id: "listJobs", summary: "What is due, and when", schema: objectOf({ jobs: listContent(job) }) },
    },
    "/__deliveries": {
      get: {
        id: "listDeliveries",
        summary: "The latest webhooks, newest first",
        schema: objectOf({ deliveries: listContent(delivery) }),
      },
    },
    "/__deliveries/{id}": { get: { id: "getDelivery", summary: "A webhook and its attempts", schema: delivery } },
    "/__deliveries/{id}/redeliver": {
      post: { id: "redeliver", summary: "Send a webhook again", schema: delivery, status: 202 },
    },
    "/__hooks": {
      get: { id: "listHooks", summary: "Webhooks, and the timeline", schema: objectOf({ hooks: listContent(hook) }) },
      post: { id: "addHook", summary: "Send webhooks from now on", schema: hook, body: hook, status: 201 },
    },
    "/__hooks/{name}": {
      get: { id: "getHook", summary: "A webhook", schema: hook },
      patch: { id: "changeHook", summary: "Change a hook, or turn it off", schema: hook, body: hook },
      delete: { id: "deleteHook", summary: "Send no such webhooks any more" },
    },
  });
  return {
    paths,
    schemas: {
      Clock: objectOf({ now: TEXT, kind: TEXT, rate: { type: "number" } }),
      Hook: objectOf({ name: TEXT, on: {}, if: TEXT, to: TEXT, subscribers: TEXT, after: TEXT, warning: TEXT }, [
        "name",
        "on",
      ]),
      Delivery: objectOf({ id: TEXT, hook: TEXT, event: TEXT, target: TEXT, status: TEXT, dueAt: TEXT, body: TEXT }),
      Job: objectOf({ id: TEXT, rule: TEXT, event: TEXT, status: TEXT, dueAt: TEXT }),
    },
  };
}

import type { JsonObject } from "../../json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/facts.ts";
import { listOf } from "../../openapi/parts.ts";
import { answering, makers } from "../../openapi/server-operations.ts";

const OBJECT: JsonObject = { type: "object" };
const COUNT = { type: "integer" };

const STREAM = { schema: { type: "string", description: "Server-sent events." } };

export function livePaths(facts: ServerFacts, { hasTraffic }: { hasTraffic: boolean }): DescribedPaths {
  const { make } = makers(facts);
  const text = (name: string, place: "query" | "header", description: string, schema: JsonObject): JsonObject => ({
    name,
    in: place,
    description,
    schema,
  });
  const lastEvent = text("Last-Event-ID", "header", "Go on after the event with this id.", {
    type: "string",
  });
  const requests: JsonObject = {
    "/__requests": {
      get: make("own", "standin_requests", "The latest requests; as they come with `Accept: text/event-stream`", {
        parameters: [
          text("limit", "query", "How many, at most; 200 unless given.", COUNT),
          text("method", "query", "Only those of this method.", { type: "string" }),
          text("path", "query", "Only those of this path, such as `/products/:id` or `/api/*`.", { type: "string" }),
          text("status", "query", "Only those answered with this status.", COUNT),
          text("sandbox", "query", "Only those of this sandbox.", { type: "string" }),
          text("wait", "query", "Wait for them, up to so many milliseconds.", COUNT),
          text("count", "query", "How many to wait for.", COUNT),
          text("after", "query", "Only those after the one with this id.", COUNT),
          lastEvent,
        ],
        responses: {
          200: {
            description: "Requests, oldest first",
            content: {
              "application/json": {
                schema: { type: "object", properties: { requests: listOf(OBJECT) }, required: ["requests"] },
              },
              "text/event-stream": STREAM,
            },
          },
        },
      }),
      delete: make("own", "standin_forgetRequests", "Forget them", answering(OBJECT), true),
    },
  };
  const collection = {
    ...text("collection", "query", "Only changes of this one; may be repeated.", listOf({ type: "string" })),
    style: "form",
    explode: true,
  };
  const changes = { type: "object", properties: { changes: listOf(OBJECT) }, required: ["changes"] };
  const paths = {
    "/__changes": {
      get: make("own", "standin_changes", "The latest changes", {
        parameters: [
          collection,
          text("after", "query", "Only those after this version.", COUNT),
          text("wait", "query", "Wait for the first, up to so many milliseconds.", COUNT),
          lastEvent,
        ],
        ...answering(changes),
      }),
    },
    "/__events": {
      get: make("own", "standin_events", "Every change as it happens, as server-sent events", {
        parameters: [collection, lastEvent],
        responses: { 200: { description: "A stream without an end", content: { "text/event-stream": STREAM } } },
      }),
    },
    ...(hasTraffic ? requests : {}),
  };
  return { paths };
}

import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { listContent } from "../../openapi/write/parts.ts";
import { makers, responding } from "../../openapi/write/server-operations.ts";

const OBJECT: JsonObject = { type: "object" };
const COUNT = { type: "integer" };
const TEXT = { type: "string" };

const STREAM = { schema: { type: "string", description: "Server-sent events." } };
const LAST_EVENT: JsonObject = {
  name: "Last-Event-ID",
  in: "header",
  description: "Go on after the event with this id.",
  schema: TEXT,
};

export function livePaths(facts: ServerFacts, { hasTraffic }: { hasTraffic: boolean }): DescribedPaths {
  return { paths: { ...changePaths(facts), ...(hasTraffic ? requestPaths(facts) : {}) } };
}

function changePaths(facts: ServerFacts): JsonObject {
  const { make } = makers(facts);
  const collection = {
    ...parameter("collection", "Only changes of this one; may be repeated.", listContent(TEXT)),
    style: "form",
    explode: true,
  };
  return {
    "/__changes": {
      get: make("own", "standin_changes", {
        summary: "The latest changes",
        parameters: [
          collection,
          parameter("after", "Only those after this version.", COUNT),
          parameter("wait", "Wait for the first, for at most this many milliseconds.", COUNT),
          LAST_EVENT,
        ],
        ...responding({ type: "object", properties: { changes: listContent(OBJECT) }, required: ["changes"] }),
      }),
    },
    "/__events": {
      get: make("own", "standin_events", {
        summary: "Every change as it happens, as server-sent events",
        parameters: [
          collection,
          parameter("news", "Also the events `faults` and `sandboxes`, when these lists change.", { type: "boolean" }),
          LAST_EVENT,
        ],
        responses: { 200: { description: "A stream without an end", content: { "text/event-stream": STREAM } } },
      }),
    },
  };
}

function requestPaths(facts: ServerFacts): JsonObject {
  const { make } = makers(facts);
  const schema = { type: "object", properties: { requests: listContent(OBJECT) }, required: ["requests"] };
  const content = { "application/json": { schema }, "text/event-stream": STREAM };
  return {
    "/__requests": {
      get: make("own", "standin_requests", {
        summary: "The latest requests; as they come with `Accept: text/event-stream`",
        parameters: [
          parameter("limit", "How many, at most; 200 unless given.", COUNT),
          parameter("method", "Only those of this method.", TEXT),
          parameter("path", "Only those of this path, such as `/products/:id` or `/api/*`.", TEXT),
          parameter("status", "Only those with this response status.", COUNT),
          parameter("sandbox", "Only those of this sandbox.", TEXT),
          parameter("wait", "Wait for them, for at most this many milliseconds.", COUNT),
          parameter("count", "How many to wait for.", COUNT),
          parameter("after", "Only those after the one with this id.", COUNT),
          LAST_EVENT,
        ],
        responses: { 200: { description: "Requests, oldest first", content } },
      }),
      delete: make("own", "standin_forgetRequests", { summary: "Forget them", isWrite: true, ...responding(OBJECT) }),
    },
  };
}

function parameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "query", description, schema };
}

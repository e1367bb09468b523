import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { COUNT, json, listContent, OBJECT, objectOf, queryParameter, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

const STREAM = { "text/event-stream": { schema: { ...TEXT, description: "Server-sent events." } } };
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
  const collection = {
    ...queryParameter("collection", "Only changes of this one; may be repeated.", listContent(TEXT)),
    style: "form",
    explode: true,
  };
  const news = "Also the events `faults` and `sandboxes`, when these lists change.";
  return describeRoutes(facts, {
    "/__changes": {
      get: {
        id: "changes",
        summary: "The latest changes",
        parameters: [
          collection,
          queryParameter("after", "Only those after this version.", COUNT),
          queryParameter("wait", "Wait for the first, for at most this many milliseconds.", COUNT),
          LAST_EVENT,
        ],
        schema: objectOf({ changes: listContent(OBJECT) }),
      },
    },
    "/__events": {
      get: {
        id: "events",
        summary: "Every change as it happens, as server-sent events",
        parameters: [collection, queryParameter("news", news, { type: "boolean" }), LAST_EVENT],
        responses: { 200: { description: "A stream without an end", content: STREAM } },
      },
    },
  });
}

function requestPaths(facts: ServerFacts): JsonObject {
  const { content } = json(objectOf({ requests: listContent(OBJECT) }));
  return describeRoutes(facts, {
    "/__requests": {
      get: {
        id: "requests",
        summary: "The latest requests; as they come with `Accept: text/event-stream`",
        parameters: [
          queryParameter("limit", "How many, at most; 200 unless given.", COUNT),
          queryParameter("method", "Only those of this method."),
          queryParameter("path", "Only those of this path, such as `/products/:id` or `/api/*`."),
          queryParameter("status", "Only those with this response status.", COUNT),
          queryParameter("sandbox", "Only those of this sandbox."),
          queryParameter("wait", "Wait for them, for at most this many milliseconds.", COUNT),
          queryParameter("count", "How many to wait for.", COUNT),
          queryParameter("after", "Only those after the one with this id.", COUNT),
          queryParameter("format", "`har` for an HTTP archive.", { type: "string", enum: ["json", "har"] }),
          LAST_EVENT,
        ],
        responses: { 200: { description: "Requests, oldest first", content: { ...content, ...STREAM } } },
      },
      delete: { id: "forgetRequests", summary: "Forget them" },
    },
  });
}

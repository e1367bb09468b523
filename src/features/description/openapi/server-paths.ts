import type { JsonObject } from "../../../json.ts";
import type { DescribedMember } from "../description.ts";
import type { ApiFacts } from "./document.ts";
import { refusals } from "./error-responses.ts";
import { loginPath } from "./layer-effects.ts";
import { listOf, reference } from "./parts.ts";
import { answering, makers, SERVER_TAG } from "./server-operations.ts";
import { testPaths, testSchemas } from "./test-paths.ts";

const OBJECT: JsonObject = { type: "object" };
const STREAM = { schema: { type: "string", description: "Server-sent events." } };
const COUNT = { type: "integer" };

/** The routes of the server itself; those that give way to a collection of their name are left out where there is one. */
export function serverPaths(served: readonly DescribedMember[], facts: ApiFacts): JsonObject {
  const taken = new Set(served.map(({ name }) => `/${name}`));
  const all = { ...dataPaths(served, facts), ...snapshotPaths(facts), ...testPaths(facts), ...livePaths(facts) };
  const free = Object.entries(all).filter(([path]) => !taken.has(path));
  const login = loginPath(facts.layers, SERVER_TAG, refusals(["LOGIN_INCOMPLETE", "LOGIN_FAILED"], []));
  return { ...Object.fromEntries(free), ...login };
}

function dataPaths(served: readonly DescribedMember[], facts: ApiFacts): JsonObject {
  const { get, post } = makers(facts);
  const database = served.map(({ name, kind, typeName }): [string, JsonObject] => {
    const one = reference("schemas", typeName);
    return [name, kind === "collection" ? listOf(one) : one];
  });
  return {
    "/": get("index", "What is served: a page for browsers, JSON for everyone else", OBJECT),
    "/db": get("database", "The whole database", { type: "object", properties: Object.fromEntries(database) }, true),
    "/stats": get("statistics", "Counts, and the least, greatest and mean value of numeric fields", OBJECT, true),
    "/health-check": get("healthCheck", "Whether the server is up", {
      type: "object",
      properties: { status: { const: "ok" }, uptime: COUNT, store: { type: "string" } },
      required: ["status", "uptime", "store"],
    }),
    "/__rules": get("rules", "The rewrite rules", { type: "object", additionalProperties: { type: "string" } }, true),
    "/__rewrite": post(
      "rewrite",
      "What a path becomes by the rewrite rules",
      {
        type: "object",
        properties: { path: { type: "string" }, rules: listOf({ type: "string" }) },
        required: ["path", "rules"],
      },
      { type: "object", properties: { path: { type: "string", examples: ["/api/products"] } }, required: ["path"] },
    ),
    "/__reset": post("reset", "Put the data back to what was last loaded", reference("schemas", "Counts")),
    "/__overview": get("overview", "What is served, from where, by which layers and rules", OBJECT),
    "/__openapi.json": get("openApi", "This description", OBJECT),
  };
}

function snapshotPaths(facts: ApiFacts): JsonObject {
  if (!facts.hasSnapshots) return {};
  const { get, post, make } = makers(facts);
  const snapshot = reference("schemas", "Snapshot");
  const id = { name: "id", in: "path", required: true, description: "Its id or name.", schema: { type: "string" } };
  return {
    "/__snapshots__": {
      ...get("listSnapshots", "The snapshots, newest first", listOf(snapshot), true),
      ...post(
        "saveSnapshot",
        "Save the data as they are now",
        snapshot,
        { type: "object", properties: { name: { type: "string" } } },
        201,
      ),
    },
    "/__snapshots__/{id}": {
      parameters: [id],
      ...get("getSnapshot", "The data of a snapshot", OBJECT),
      put: make(
        "own",
        "standin_restoreSnapshot",
        "Put a snapshot in place of the data",
        answering(reference("schemas", "Counts")),
        true,
      ),
      delete: make("own", "standin_deleteSnapshot", "Remove a snapshot", answering(OBJECT), true),
    },
    "/__snapshots__/{id}/comparison": {
      parameters: [id],
      ...get("compareSnapshot", "What has been added, changed and removed since", reference("schemas", "Comparison")),
    },
  };
}

function livePaths(facts: ApiFacts): JsonObject {
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
  return {
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
    ...(facts.hasTraffic ? requests : {}),
  };
}

export function serverSchemas(): JsonObject {
  const counts = { type: "object", additionalProperties: COUNT };
  const ids = listOf({ type: ["integer", "string"] });
  const differences = (schema: JsonObject): JsonObject => ({ added: schema, changed: schema, removed: schema });
  return {
    Counts: { type: "object", properties: { id: { type: "string" }, counts }, required: ["counts"] },
    Snapshot: {
      type: "object",
      properties: {
        id: { type: "string" },
        file: { type: "string" },
        created_at: { type: "string", format: "date-time" },
        bytes: COUNT,
        counts,
      },
      required: ["id", "file", "created_at", "bytes"],
    },
    ...testSchemas(counts),
    Comparison: {
      type: "object",
      properties: {
        members: listOf({
          type: "object",
          properties: {
            name: { type: "string" },
            ...differences(COUNT),
            examples: { type: "object", properties: differences(ids), required: ["added", "changed", "removed"] },
          },
          required: ["name", "added", "changed", "removed", "examples"],
        }),
      },
      required: ["members"],
    },
  };
}

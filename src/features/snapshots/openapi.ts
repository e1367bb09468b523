import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { listContent, reference } from "../../openapi/write/parts.ts";
import { makers, responding } from "../../openapi/write/server-operations.ts";

const OBJECT: JsonObject = { type: "object" };
const COUNT = { type: "integer" };

export function snapshotPaths(facts: ServerFacts): DescribedPaths {
  const { get, post, make } = makers(facts);
  const snapshot = reference("schemas", "Snapshot");
  const id = { name: "id", in: "path", required: true, description: "Its id or name.", schema: { type: "string" } };
  const paths = {
    "/__snapshots__": {
      ...get("listSnapshots", {
        summary: "The snapshots, newest first",
        schema: listContent(snapshot),
        isConditional: true,
      }),
      ...post("saveSnapshot", {
        summary: "Save the data as they are now",
        schema: snapshot,
        body: { type: "object", properties: { name: { type: "string" } } },
        status: 201,
      }),
    },
    "/__snapshots__/{id}": {
      parameters: [id],
      ...get("getSnapshot", { summary: "The data of a snapshot", schema: OBJECT }),
      put: make("own", "standin_restoreSnapshot", {
        summary: "Put a snapshot in place of the data",
        isWrite: true,
        ...responding(reference("schemas", "Counts")),
      }),
      delete: make("own", "standin_deleteSnapshot", {
        summary: "Remove a snapshot",
        isWrite: true,
        ...responding(OBJECT),
      }),
    },
    "/__snapshots__/{id}/comparison": {
      parameters: [id],
      ...get("compareSnapshot", {
        summary: "What has been added, changed and removed since",
        schema: reference("schemas", "Comparison"),
      }),
    },
    "/__snapshots__/{id}/changes": {
      parameters: [id],
      get: make("own", "standin_listSnapshotChanges", {
        summary: "The records that differ from a snapshot, before and after",
        parameters: [
          parameter("collection", "Only those of this one.", { type: "string" }),
          parameter("start", "How many to skip.", COUNT),
          parameter("limit", "How many, at most 200.", COUNT),
        ],
        ...responding(reference("schemas", "SnapshotChanges")),
      }),
    },
  };
  return { paths, schemas: snapshotSchemas() };
}

function snapshotSchemas(): JsonObject {
  const counts = { type: "object", additionalProperties: COUNT };
  const ids = listContent({ type: ["integer", "string"] });
  const id = { type: ["string", "number", "null"] };
  const names = listContent({
    type: "object",
    properties: { name: { type: "string" }, kind: { enum: ["collection", "singleton"] } },
    required: ["name", "kind"],
  });
  const differences = (schema: JsonObject): JsonObject => ({ added: schema, changed: schema, removed: schema });
  return {
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
    Comparison: {
      type: "object",
      properties: {
        members: listContent({
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
    SnapshotChanges: {
      type: "object",
      properties: {
        total: COUNT,
        changes: listContent({
          type: "object",
          properties: { collection: { type: "string" }, id, kind: { enum: ["created", "changed", "removed"] } },
          required: ["collection", "id", "kind", "before", "after"],
        }),
        collections: { type: "object", properties: { created: names, removed: names } },
        members: listContent({
          type: "object",
          properties: { name: { type: "string" }, created: COUNT, changed: COUNT, removed: COUNT },
          required: ["name", "kind", "created", "changed", "removed"],
        }),
      },
      required: ["total", "changes", "collections", "members"],
    },
  };
}

function parameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "query", description, schema };
}

import type { JsonObject } from "../../json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/facts.ts";
import { listOf, reference } from "../../openapi/parts.ts";
import { makers, responding } from "../../openapi/server-operations.ts";

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
        schema: listOf(snapshot),
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
  };
  return { paths, schemas: snapshotSchemas() };
}

function snapshotSchemas(): JsonObject {
  const counts = { type: "object", additionalProperties: COUNT };
  const ids = listOf({ type: ["integer", "string"] });
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

import type { JsonObject } from "../../json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/facts.ts";
import { listOf, reference } from "../../openapi/parts.ts";
import { answering, makers } from "../../openapi/server-operations.ts";

const OBJECT: JsonObject = { type: "object" };
const COUNT = { type: "integer" };

export function snapshotPaths(facts: ServerFacts): DescribedPaths {
  const { get, post, make } = makers(facts);
  const snapshot = reference("schemas", "Snapshot");
  const id = { name: "id", in: "path", required: true, description: "Its id or name.", schema: { type: "string" } };
  const paths = {
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

import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import {
  COUNT,
  listContent,
  OBJECT,
  objectOf,
  parameters,
  queryParameter,
  reference,
  TEXT,
} from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

export function snapshotPaths(facts: ServerFacts): DescribedPaths {
  const schema = reference("schemas", "Snapshot");
  const to = queryParameter("to", "The id or name of another snapshot to compare with, in place of the current data.");
  const routes = {
    "/__snapshots__": {
      get: {
        id: "listSnapshots",
        summary: "The snapshots, newest first",
        parameters: parameters("if-none-match"),
        schema: listContent(schema),
      },
      post: {
        id: "saveSnapshot",
        summary: "Save the data as they are now",
        schema,
        body: objectOf({ name: TEXT }, []),
        status: 201,
      },
    },
    "/__snapshots__/{id}": {
      get: { id: "getSnapshot", summary: "The data of a snapshot" },
      put: {
        id: "restoreSnapshot",
        summary: "Put a snapshot in place of the data",
        schema: reference("schemas", "Counts"),
      },
      delete: { id: "deleteSnapshot", summary: "Remove a snapshot" },
    },
    "/__snapshots__/{id}/comparison": {
      get: {
        id: "compareSnapshot",
        summary: "What has been added, changed and removed since",
        parameters: [to],
        schema: reference("schemas", "Comparison"),
      },
    },
    "/__snapshots__/{id}/changes": {
      get: {
        id: "listSnapshotChanges",
        summary: "The records that differ from a snapshot, before and after",
        parameters: [
          to,
          queryParameter("collection", "Only those of this one."),
          queryParameter("start", "How many to skip.", COUNT),
          queryParameter("limit", "How many, at most 200.", COUNT),
        ],
        schema: reference("schemas", "SnapshotChanges"),
      },
    },
  };
  return { paths: describeRoutes(facts, routes, { id: "Its id or name." }), schemas: snapshotSchemas() };
}

function snapshotSchemas(): JsonObject {
  const counts = { ...OBJECT, additionalProperties: COUNT };
  const ids = listContent({ type: ["integer", "string"] });
  const names = listContent(objectOf({ name: TEXT, kind: { enum: ["collection", "singleton"] } }));
  const differences = (schema: JsonObject): JsonObject => ({ added: schema, changed: schema, removed: schema });
  const change = {
    collection: TEXT,
    id: { type: ["string", "number", "null"] },
    kind: { enum: ["created", "changed", "removed"] },
  };
  const created = { ...TEXT, format: "date-time" };
  return {
    Snapshot: objectOf({ id: TEXT, file: TEXT, created_at: created, bytes: COUNT, counts }, [
      "id",
      "file",
      "created_at",
      "bytes",
    ]),
    Comparison: objectOf({
      members: listContent(objectOf({ name: TEXT, ...differences(COUNT), examples: objectOf(differences(ids)) })),
    }),
    SnapshotChanges: objectOf({
      total: COUNT,
      changes: listContent(objectOf(change, ["collection", "id", "kind", "before", "after"])),
      collections: objectOf({ created: names, removed: names }, []),
      members: listContent(
        objectOf({ name: TEXT, created: COUNT, changed: COUNT, removed: COUNT }, [
          "name",
          "kind",
          "created",
          "changed",
          "removed",
        ]),
      ),
    }),
  };
}

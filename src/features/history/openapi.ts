import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { COUNT, listContent, OBJECT, objectOf, queryParameter, reference, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

const MOMENT: JsonObject = { type: ["integer", "string"], description: "A version, a time or an age such as `-5m`." };

export function historyPaths(facts: ServerFacts): DescribedPaths {
  const schema = reference("schemas", "Version");
  const routes = {
    "/__history": {
      get: {
        id: "listVersions",
        summary: "The versions of the data, newest first",
        parameters: [
          queryParameter("collection", "Only changes of this one."),
          queryParameter("id", "Only changes of this record in the collection."),
          queryParameter("by", "Only changes of this origin."),
          queryParameter("since", "Only changes since a version, a time or an age such as `-5m`."),
          queryParameter("before", "Only versions below this one.", COUNT),
          queryParameter("limit", "How many, at most 1000; 50 unless given.", COUNT),
        ],
        schema: objectOf({ versions: listContent(schema), oldest: { type: ["integer", "null"] }, latest: COUNT }),
      },
      delete: {
        id: "clearHistory",
        summary: "Forget all versions; from this machine only",
        responses: { 204: { description: "Done" } },
      },
    },
    "/__history/{version}": {
      get: {
        id: "getVersion",
        summary: "One version, with records before and after",
        parameters: [
          queryParameter("start", "How many edits to skip.", COUNT),
          queryParameter("limit", "How many edits, at most 1000; 100 unless given.", COUNT),
          queryParameter("collection", "Only edits of this one."),
          queryParameter("id", "Only edits of this record in the collection."),
        ],
        schema: reference("schemas", "VersionEdits"),
      },
    },
    "/__history/{version}/revert": {
      post: {
        id: "revertVersion",
        summary: "Take exactly this version back, as a new version",
        schema,
        body: objectOf(
          {
            fields: { type: "boolean", default: false, description: "Keeps later changes of other fields." },
            collection: { type: "string", description: "With id: only this record." },
            id: { type: ["integer", "number", "string"] },
          },
          [],
        ),
      },
    },
    "/__history/restore": {
      post: {
        id: "restoreVersion",
        summary: "Make all data what it was at a moment, as a new version",
        schema,
        body: objectOf({ at: MOMENT }),
        isBodyRequired: true,
      },
    },
  };
  const paths = describeRoutes(facts, routes, { version: "Its number." });
  return { paths, schemas: historySchemas() };
}

function historySchemas(): JsonObject {
  const head = {
    version: COUNT,
    time: { ...TEXT, format: "date-time" },
    by: { ...TEXT, description: "The origin of the change." },
    kind: { enum: ["change", "members", "exchange"] },
    counts: {
      ...OBJECT,
      additionalProperties: objectOf({ created: COUNT, updated: COUNT, removed: COUNT }),
    },
    summary: TEXT,
    kept: { type: "boolean", description: "Whether it can be reverted." },
  };
  const edit = { collection: TEXT, id: { type: ["string", "number", "null"] } };
  return {
    Version: objectOf({ ...head, cause: TEXT, members: listContent(OBJECT) }, Object.keys(head)),
    VersionEdits: objectOf(
      {
        ...head,
        edits: listContent(objectOf(edit, ["collection", "id", "before", "after"])),
        total: COUNT,
      },
      [...Object.keys(head), "edits", "total"],
    ),
  };
}

import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { COUNT, listContent, OBJECT, objectOf, reference, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

export function memberPaths(facts: ServerFacts): DescribedPaths {
  const schema = reference("schemas", "Collection.Info");
  const kind = { enum: ["collection", "singleton"] };
  const paths = describeRoutes(facts, {
    "/__collections": {
      get: {
        id: "listCollections",
        summary: "The collections and singletons",
        schema: objectOf({ collections: listContent(schema) }),
      },
      post: {
        id: "createCollection",
        summary: "Create an empty collection or singleton",
        schema,
        body: objectOf({ name: TEXT, kind }, ["name"]),
        status: 201,
      },
    },
    "/__collections/{name}": {
      get: { id: "getCollection", summary: "One collection or singleton", schema },
      patch: {
        id: "renameCollection",
        summary: "Rename a collection or singleton",
        schema,
        body: objectOf({ name: TEXT }),
        isBodyRequired: true,
      },
      delete: { id: "deleteCollection", summary: "Remove a collection or singleton with its data" },
    },
    "/__collections/{name}/fields/{field}": {
      patch: {
        id: "renameField",
        summary: "Rename a field of all records, as one change",
        schema: objectOf({ count: COUNT }),
        body: objectOf({ name: TEXT }, ["name"]),
        isBodyRequired: true,
      },
      delete: {
        id: "removeField",
        summary: "Remove a field of all records, as one change",
        schema: objectOf({ count: COUNT }),
      },
    },
    "/__collections/{name}/generate": {
      post: {
        id: "generateRecords",
        summary: "Create records that are made up, as one change",
        schema: objectOf({ count: COUNT, ids: listContent({ type: ["string", "number"] }) }),
        body: objectOf({ count: COUNT, fields: OBJECT }, ["count"]),
        isBodyRequired: true,
        status: 201,
      },
    },
    "/__collections/{name}/draft": {
      post: { id: "draftRecord", summary: "Make up a record with the fields given, without storing it", body: OBJECT },
    },
  });
  return { paths, schemas: { "Collection.Info": objectOf({ name: TEXT, kind, count: COUNT }) } };
}

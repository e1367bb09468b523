import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { json, listContent, reference } from "../../openapi/write/parts.ts";
import { makers, responding } from "../../openapi/write/server-operations.ts";

export function memberPaths(facts: ServerFacts): DescribedPaths {
  const { get, post, make } = makers(facts);
  const collection = reference("schemas", "Collection.Info");
  const kind = { enum: ["collection", "singleton"] };
  const name = { name: "name", in: "path", required: true, schema: { type: "string" } };
  const naming = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const paths = {
    "/__collections": {
      ...get("listCollections", {
        summary: "The collections and singletons",
        schema: { type: "object", properties: { collections: listContent(collection) }, required: ["collections"] },
      }),
      ...post("createCollection", {
        summary: "Create an empty collection or singleton",
        schema: collection,
        body: { ...naming, properties: { ...naming.properties, kind } },
        status: 201,
      }),
    },
    "/__collections/{name}": {
      parameters: [name],
      ...get("getCollection", { summary: "One collection or singleton", schema: collection }),
      patch: make("own", "standin_renameCollection", {
        summary: "Rename a collection or singleton",
        isWrite: true,
        requestBody: { required: true, ...json(naming) },
        ...responding(collection),
      }),
      delete: make("own", "standin_deleteCollection", {
        summary: "Remove a collection or singleton with its data",
        isWrite: true,
        ...responding({ type: "object" }),
      }),
    },
    "/__collections/{name}/draft": {
      parameters: [name],
      ...post("draftRecord", {
        summary: "Make up a record with the fields given, without storing it",
        schema: { type: "object" },
        body: { type: "object" },
      }),
    },
  };
  const info = {
    type: "object",
    properties: { name: { type: "string" }, kind, count: { type: "integer" } },
    required: ["name", "kind", "count"],
  };
  return { paths, schemas: { "Collection.Info": info } };
}

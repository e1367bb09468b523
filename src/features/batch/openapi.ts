import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { COUNT, listContent, OBJECT, objectOf, parameters, reference, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";
import { MAX_REQUESTS } from "./read-batch.ts";
import { METHODS } from "./types.ts";

export function batchPaths(facts: ServerFacts): DescribedPaths {
  const paths = describeRoutes(facts, {
    "/__batch": {
      post: {
        id: "batch",
        doing: "batch",
        summary: "Several requests to the data, as one change: all of them or none",
        parameters: parameters("prefer-write", "idempotency-key"),
        body: reference("schemas", "Batch"),
        isBodyRequired: true,
        schema: objectOf({ responses: listContent(reference("schemas", "BatchResponse")) }),
      },
    },
  });
  return { paths, schemas: batchSchemas() };
}

function batchSchemas(): JsonObject {
  const request = {
    method: { enum: [...METHODS] },
    path: { ...TEXT, description: "Path and query, such as `/products/{{order.product_id}}`.", pattern: "^/" },
    body: { description: "Values may refer to earlier responses, as in `{{order.id}}`." },
    headers: objectOf({ "If-Match": TEXT, Prefer: TEXT, "Content-Type": TEXT }, []),
    as: { ...TEXT, description: "A name by which later requests refer to the response." },
  };
  return {
    Batch: objectOf({ requests: { ...listContent(objectOf(request, ["method", "path"])), maxItems: MAX_REQUESTS } }),
    BatchResponse: objectOf({
      status: COUNT,
      headers: { ...OBJECT, additionalProperties: TEXT },
      body: { description: "The body that the request would have had as its response by itself." },
    }),
  };
}

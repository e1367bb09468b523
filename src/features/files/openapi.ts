import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { operation } from "../../openapi/write/operation.ts";
import { json, listContent, objectOf, queryParameter, reference } from "../../openapi/write/parts.ts";
import { pathParameters, SERVER_TAG } from "../../openapi/write/server-operations.ts";
import { FILE_SCHEMA, FILE_TYPE_NAME } from "../../schema/inference/file-shape.ts";

const BINARY: JsonObject = { type: "string", format: "binary" };
const BYTES: JsonObject = { "application/octet-stream": { schema: BINARY } };
const FILE = "/__files/{sha256}/{name}";

export function uploadPaths(facts: ServerFacts): DescribedPaths {
  const make = operation(SERVER_TAG, facts);
  const one = reference("schemas", FILE_TYPE_NAME);
  const paths = {
    "/__files": {
      post: make("own", "standin_uploadFile", {
        summary: "Store a file, for a record that is written within a day",
        isWrite: true,
        parameters: [queryParameter("name", "The name of a file that is sent alone.")],
        requestBody: {
          required: true,
          content: { ...BYTES, "multipart/form-data": { schema: objectOf({ file: BINARY }) } },
        },
        responses: {
          201: { description: "The file, or a list of several", ...json({ oneOf: [one, listContent(one)] }) },
        },
      }),
    },
    [FILE]: {
      ...pathParameters(FILE),
      get: make("own", "standin_file", {
        summary: "The content of a stored file",
        parameters: [queryParameter("download", "Saves the file in place of showing it.")],
        responses: {
          200: { description: "The content", content: BYTES },
          206: { description: "The part that `Range` names", content: BYTES },
        },
      }),
    },
  };
  return { paths, schemas: { [FILE_TYPE_NAME]: FILE_SCHEMA } };
}

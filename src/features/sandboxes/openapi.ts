import type { JsonObject } from "../../json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/facts.ts";
import { listOf, reference } from "../../openapi/parts.ts";
import { answering, makers } from "../../openapi/server-operations.ts";

const OBJECT: JsonObject = { type: "object" };
const COUNT = { type: "integer" };

export function sandboxPaths(facts: ServerFacts): DescribedPaths {
  const { get, post, make } = makers(facts);
  const sandbox = reference("schemas", "Sandbox");
  const name = { name: "name", in: "path", required: true, schema: { type: "string" } };
  const from = {
    oneOf: [
      { enum: ["current", "empty"] },
      { type: "object", properties: { snapshot: { type: "string" } }, required: ["snapshot"] },
    ],
  };
  const paths = {
    "/__sandboxes": {
      ...get("listSandboxes", "The sandboxes", {
        type: "object",
        properties: { sandboxes: listOf(sandbox) },
        required: ["sandboxes"],
      }),
      ...post(
        "createSandbox",
        "A private, writable view of the data",
        sandbox,
        { type: "object", properties: { name: { type: "string" }, from } },
        201,
      ),
      delete: make("own", "standin_deleteSandboxes", "Remove all sandboxes", answering(OBJECT), true),
    },
    "/__sandboxes/{name}": {
      parameters: [name],
      ...get("getSandbox", "One sandbox", sandbox),
      delete: make("own", "standin_deleteSandbox", "Remove a sandbox", answering(OBJECT), true),
    },
    "/__sandboxes/{name}/reset": {
      parameters: [name],
      ...post("resetSandbox", "Put a sandbox back to its birth", sandbox),
    },
  };
  return { paths, schemas: sandboxSchemas() };
}

function sandboxSchemas(): JsonObject {
  const counts = { type: "object", additionalProperties: COUNT };
  return {
    Sandbox: {
      type: "object",
      properties: {
        name: { type: "string" },
        url: { type: "string", format: "uri" },
        created_at: { type: "string", format: "date-time" },
        expires_at: { type: "string", format: "date-time" },
        bytes: COUNT,
        counts,
      },
      required: ["name", "url", "created_at", "expires_at", "bytes", "counts"],
    },
  };
}

import type { JsonObject } from "../../json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/facts.ts";
import { listOf, reference } from "../../openapi/parts.ts";
import { makers, responding } from "../../openapi/server-operations.ts";

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
      ...get("listSandboxes", {
        summary: "The sandboxes",
        schema: {
          type: "object",
          properties: { sandboxes: listOf(sandbox) },
          required: ["sandboxes"],
        },
      }),
      ...post("createSandbox", {
        summary: "A private, writable view of the data",
        schema: sandbox,
        body: { type: "object", properties: { name: { type: "string" }, from } },
        status: 201,
      }),
      delete: make("own", "standin_deleteSandboxes", {
        summary: "Remove all sandboxes",
        isWrite: true,
        ...responding(OBJECT),
      }),
    },
    "/__sandboxes/{name}": {
      parameters: [name],
      ...get("getSandbox", { summary: "One sandbox", schema: sandbox }),
      delete: make("own", "standin_deleteSandbox", {
        summary: "Remove a sandbox",
        isWrite: true,
        ...responding(OBJECT),
      }),
    },
    "/__sandboxes/{name}/reset": {
      parameters: [name],
      ...post("resetSandbox", { summary: "Put a sandbox back to its birth", schema: sandbox }),
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

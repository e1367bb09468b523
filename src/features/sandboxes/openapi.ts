import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { listContent, reference } from "../../openapi/write/parts.ts";
import { makers, responding } from "../../openapi/write/server-operations.ts";

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
          properties: { sandboxes: listContent(sandbox) },
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
    "/__sandboxes/{name}/changes": {
      parameters: [name],
      get: make("own", "standin_listSandboxChanges", {
        summary: "The records that differ from the data the sandbox began with, or from the main data",
        parameters: [{ name: "against", in: "query", schema: { enum: ["main"] } }],
        ...responding(reference("schemas", "SandboxChanges")),
      }),
    },
    "/__sandboxes/{name}/promote": {
      parameters: [name],
      ...post("promoteSandbox", {
        summary: "Make the changes of a sandbox one change of the main data",
        schema: reference("schemas", "Promotion"),
        body: { type: "object", properties: { renumber: { type: "boolean" } } },
      }),
    },
    "/__sandboxes/{name}/undo": {
      parameters: [name],
      ...post("undoInSandbox", {
        summary: "Revert the latest changes of a sandbox",
        schema: reference("schemas", "SandboxUndone"),
        body: { type: "object", properties: { count: { type: "integer", minimum: 1, default: 1 } } },
      }),
    },
  };
  return { paths, schemas: sandboxSchemas() };
}

function sandboxSchemas(): JsonObject {
  const counts = { type: "object", additionalProperties: COUNT };
  const id = { type: ["string", "number", "null"] };
  return {
    SandboxUndone: {
      type: "object",
      properties: {
        undone: { ...listContent(OBJECT), description: "The changes that were reverted, the latest one first." },
        left: { ...COUNT, description: "How many more can be reverted." },
      },
      required: ["undone", "left"],
    },
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
    SandboxChanges: {
      type: "object",
      properties: {
        total: COUNT,
        changes: listContent({
          type: "object",
          properties: { collection: { type: "string" }, id, kind: { enum: ["created", "changed", "removed"] } },
          required: ["collection", "id", "kind", "before", "after"],
        }),
        collections: { type: "object", properties: { created: listContent(OBJECT), removed: listContent(OBJECT) } },
        conflicts: listContent({
          type: "object",
          properties: { collection: { type: "string" }, id },
          required: ["collection", "id", "base", "main", "sandbox"],
        }),
      },
      required: ["total", "changes", "collections", "conflicts"],
    },
    Promotion: {
      type: "object",
      properties: {
        created: COUNT,
        changed: COUNT,
        removed: COUNT,
        renumbered: listContent({
          type: "object",
          properties: { collection: { type: "string" }, from: id, to: id },
          required: ["collection", "from", "to"],
        }),
      },
      required: ["created", "changed", "removed", "renumbered"],
    },
  };
}

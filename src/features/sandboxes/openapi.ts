import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { COUNT, listContent, OBJECT, objectOf, reference, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

export function sandboxPaths(facts: ServerFacts): DescribedPaths {
  const schema = reference("schemas", "Sandbox");
  const from = { oneOf: [{ enum: ["current", "empty"] }, objectOf({ snapshot: TEXT })] };
  const paths = describeRoutes(facts, {
    "/__sandboxes": {
      get: { id: "listSandboxes", summary: "The sandboxes", schema: objectOf({ sandboxes: listContent(schema) }) },
      post: {
        id: "createSandbox",
        summary: "A private, writable view of the data",
        schema,
        body: objectOf({ name: TEXT, from }, []),
        status: 201,
      },
      delete: { id: "deleteSandboxes", summary: "Remove all sandboxes" },
    },
    "/__sandboxes/{name}": {
      get: { id: "getSandbox", summary: "One sandbox", schema },
      delete: { id: "deleteSandbox", summary: "Remove a sandbox" },
    },
    "/__sandboxes/{name}/reset": {
      post: { id: "resetSandbox", summary: "Put a sandbox back to its birth", schema },
    },
    "/__sandboxes/{name}/changes": {
      get: {
        id: "listSandboxChanges",
        summary: "The records that differ from the data the sandbox began with, or from the main data",
        parameters: [{ name: "against", in: "query", schema: { enum: ["main"] } }],
        schema: reference("schemas", "SandboxChanges"),
      },
    },
    "/__sandboxes/{name}/promote": {
      post: {
        id: "promoteSandbox",
        summary: "Make the changes of a sandbox one change of the main data",
        schema: reference("schemas", "Promotion"),
        body: objectOf({ renumber: { type: "boolean" }, conflicts: conflictChoices() }, []),
      },
    },
    "/__sandboxes/{name}/undo": {
      post: {
        id: "undoInSandbox",
        summary: "Revert the latest changes of a sandbox",
        schema: reference("schemas", "SandboxUndone"),
        body: objectOf({ count: { ...COUNT, minimum: 1, default: 1 } }, []),
      },
    },
  });
  return { paths, schemas: sandboxSchemas() };
}

function conflictChoices(): JsonObject {
  const take = { enum: ["main", "sandbox"] };
  const each = objectOf({ collection: TEXT, id: { type: ["string", "number", "null"] }, take });
  return { oneOf: [take, listContent(each)] };
}

function sandboxSchemas(): JsonObject {
  const time = { ...TEXT, format: "date-time" };
  const collection = TEXT;
  const id = { type: ["string", "number", "null"] };
  const kind = { enum: ["created", "changed", "removed"] };
  return {
    SandboxUndone: objectOf({
      undone: { ...listContent(OBJECT), description: "The changes that were reverted, the latest one first." },
      left: { ...COUNT, description: "How many more can be reverted." },
    }),
    Sandbox: objectOf({
      name: TEXT,
      url: { ...TEXT, format: "uri" },
      created_at: time,
      expires_at: time,
      bytes: COUNT,
      changes: { ...COUNT, description: "How many writes can be reverted." },
      counts: { ...OBJECT, additionalProperties: COUNT },
    }),
    SandboxChanges: objectOf({
      total: COUNT,
      changes: listContent(objectOf({ collection, id, kind }, ["collection", "id", "kind", "before", "after"])),
      collections: objectOf({ created: listContent(OBJECT), removed: listContent(OBJECT) }, []),
      conflicts: listContent(objectOf({ collection, id }, ["collection", "id", "base", "main", "sandbox"])),
    }),
    Promotion: objectOf({
      created: COUNT,
      changed: COUNT,
      removed: COUNT,
      renumbered: listContent(objectOf({ collection, from: id, to: id })),
    }),
  };
}

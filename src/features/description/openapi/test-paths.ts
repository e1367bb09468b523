import type { JsonObject } from "../../../json.ts";
import type { ApiFacts } from "./document.ts";
import { listOf, reference } from "./parts.ts";
import { answering, makers } from "./server-operations.ts";

const OBJECT: JsonObject = { type: "object" };
const COUNT = { type: "integer" };

/** What keeps tests apart, and what makes requests of theirs fail. */
export function testPaths(facts: ApiFacts): JsonObject {
  const { get, post, make } = makers(facts);
  const sandbox = reference("schemas", "Sandbox");
  const fault = reference("schemas", "Fault");
  const named = (name: string): JsonObject => ({ name, in: "path", required: true, schema: { type: "string" } });
  const holding = (name: string, schema: JsonObject): JsonObject => ({
    type: "object",
    properties: { [name]: listOf(schema) },
    required: [name],
  });
  const from = {
    oneOf: [
      { enum: ["current", "empty"] },
      { type: "object", properties: { snapshot: { type: "string" } }, required: ["snapshot"] },
    ],
  };
  return {
    "/__sandboxes": {
      ...get("listSandboxes", "The sandboxes", holding("sandboxes", sandbox)),
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
      parameters: [named("name")],
      ...get("getSandbox", "One sandbox", sandbox),
      delete: make("own", "standin_deleteSandbox", "Remove a sandbox", answering(OBJECT), true),
    },
    "/__sandboxes/{name}/reset": {
      parameters: [named("name")],
      ...post("resetSandbox", "Put a sandbox back to its birth", sandbox),
    },
    "/__faults": {
      ...get("listFaults", "What is to go wrong on purpose", holding("faults", fault)),
      ...post("addFault", "Let something go wrong from now on", fault, fault, 201),
      delete: make("own", "standin_deleteFaults", "Remove all faults that were added", answering(OBJECT), true),
    },
    "/__faults/{id}": {
      parameters: [named("id")],
      delete: make("own", "standin_deleteFault", "Remove a fault", answering(OBJECT), true),
    },
  };
}

export function testSchemas(counts: JsonObject): JsonObject {
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
    Fault: {
      type: "object",
      properties: {
        id: { type: "string", readOnly: true },
        hits: { type: "integer", readOnly: true },
        fault: { type: "string", description: "What happens, such as `status`, `latency` or `reset`." },
      },
      required: ["fault"],
    },
  };
}

import type { JsonObject } from "../../base/json/json.ts";
import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { json, listContent, reference } from "../../openapi/write/parts.ts";
import { makers, responding } from "../../openapi/write/server-operations.ts";

const OBJECT: JsonObject = { type: "object" };
const SWITCH: JsonObject = { type: "object", properties: { off: { type: "boolean" } }, required: ["off"] };

export function faultPaths(facts: ServerFacts): DescribedPaths {
  const { get, post, make } = makers(facts);
  const fault = reference("schemas", "Fault");
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const paths = {
    "/__faults": {
      ...get("listFaults", {
        summary: "What is to go wrong on purpose",
        schema: {
          type: "object",
          properties: { faults: listContent(fault) },
          required: ["faults"],
        },
      }),
      ...post("addFault", { summary: "Let something go wrong from now on", schema: fault, body: fault, status: 201 }),
      patch: make("own", "standin_switchFaults", {
        summary: "Switch all faults off, or on again",
        isWrite: true,
        requestBody: { ...json(SWITCH) },
        ...responding({ type: "object", properties: { faults: listContent(fault) }, required: ["faults"] }),
      }),
      delete: make("own", "standin_deleteFaults", {
        summary: "Remove all faults that were added",
        isWrite: true,
        ...responding(OBJECT),
      }),
    },
    "/__faults/{id}": {
      parameters: [id],
      patch: make("own", "standin_switchFault", {
        summary: "Switch a fault off, or on again",
        isWrite: true,
        requestBody: { ...json(SWITCH) },
        ...responding(fault),
      }),
      delete: make("own", "standin_deleteFault", { summary: "Remove a fault", isWrite: true, ...responding(OBJECT) }),
    },
  };
  const schemas: JsonObject = {
    Fault: {
      type: "object",
      properties: {
        id: { type: "string", readOnly: true },
        hits: { type: "integer", readOnly: true },
        off: { type: "boolean", readOnly: true, description: "Whether it is switched off." },
        fault: { type: "string", description: "What happens, such as `status`, `latency` or `reset`." },
      },
      required: ["fault"],
    },
  };
  return { paths, schemas };
}

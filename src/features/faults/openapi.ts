import type { DescribedPaths, ServerFacts } from "../../openapi/write/facts.ts";
import { COUNT, listContent, objectOf, reference, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";

export function faultPaths(facts: ServerFacts): DescribedPaths {
  const fault = reference("schemas", "Fault");
  const faults = objectOf({ faults: listContent(fault) });
  const body = objectOf({ off: { type: "boolean" } });
  const paths = describeRoutes(facts, {
    "/__faults": {
      get: { id: "listFaults", summary: "What is to go wrong on purpose", schema: faults },
      post: { id: "addFault", summary: "Let something go wrong from now on", schema: fault, body: fault, status: 201 },
      patch: { id: "switchFaults", summary: "Switch all faults off, or on again", schema: faults, body },
      delete: { id: "deleteFaults", summary: "Remove all faults that were added" },
    },
    "/__faults/{id}": {
      patch: { id: "switchFault", summary: "Switch a fault off, or on again", schema: fault, body },
      delete: { id: "deleteFault", summary: "Remove a fault" },
    },
  });
  const properties = {
    id: { ...TEXT, readOnly: true },
    hits: { ...COUNT, readOnly: true },
    off: { type: "boolean", readOnly: true, description: "Whether it is switched off." },
    fault: { ...TEXT, description: "What happens, such as `status`, `latency` or `reset`." },
  };
  return { paths, schemas: { Fault: objectOf(properties, ["fault"]) } };
}

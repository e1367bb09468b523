import type { JsonObject } from "../../../base/json/json.ts";
import { operation } from "../../../openapi/write/operation.ts";
import { headers, json, parameters, reference } from "../../../openapi/write/parts.ts";
import type { DescribedMember } from "../../../schema/description/description.ts";
import { bodyReference, type DocumentFacts } from "./api-facts.ts";
import { patchContent } from "./patch-content.ts";
import { refusalsByRules, ruledHeaders, writeParameters } from "./rules/ruled-operations.ts";

/** The routes of a top-level object. */
export function singletonPaths(member: DescribedMember, facts: DocumentFacts): JsonObject {
  const { name, typeName } = member;
  const make = operation(name, facts, refusalsByRules(member, facts));
  const answer = { ...headers("ETag"), ...json(reference("schemas", typeName)) };
  const input = json(bodyReference(member, "Input", facts));
  const write = (status: 200 | 201, isOnce: boolean, body = input): JsonObject => {
    const names = ["ETag", ...(isOnce ? ["Idempotency-Replayed"] : []), ...ruledHeaders(member)];
    const response = { ...headers(...names), ...json(reference("schemas", typeName)) };
    return {
      parameters: parameters(
        ...writeParameters(member, "if-match", "prefer-write", ...(isOnce ? ["idempotency-key"] : [])),
      ),
      requestBody: { required: true, ...body },
      responses: { [status]: { description: "The object as it is now", ...response } },
    };
  };
  return {
    [`/${encodeURIComponent(name)}`]: {
      get: make("read-singleton", `get${typeName}`, {
        summary: `Get ${name}`,
        parameters: parameters("fields", "if-none-match"),
        responses: { 200: { description: "The object", ...answer } },
      }),
      post: make("create-singleton", `create${typeName}`, {
        summary: `Replace ${name}, as PUT does`,
        ...write(201, true),
      }),
      put: make("singleton", `replace${typeName}`, { summary: `Replace ${name}`, ...write(200, false) }),
      patch: make("patch-singleton", `patch${typeName}`, {
        summary: `Change fields of ${name}`,
        ...write(200, true, patchContent(bodyReference(member, "Patch", facts))),
      }),
    },
  };
}

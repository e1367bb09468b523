import type { JsonObject } from "../../base/json/json.ts";
import type { ServerFacts } from "./facts.ts";
import { operation } from "./operation.ts";
import { json, parameters } from "./parts.ts";

/** The tag of routes that serve no data. */
export const SERVER_TAG = "server";

interface ReadParts {
  readonly summary: string;
  readonly schema: JsonObject;
  /** Whether it can respond with 304. */
  readonly isConditional?: boolean;
}

interface WriteParts {
  readonly summary: string;
  readonly schema: JsonObject;
  /** The schema of the request body. */
  readonly body?: JsonObject;
  readonly status?: number;
}

/** Describes routes of the server itself. */
export function makers(facts: ServerFacts) {
  const make = operation(SERVER_TAG, facts);
  return {
    make,
    get: (name: string, { summary, schema, isConditional = false }: ReadParts) => ({
      get: make("own", `standin_${name}`, {
        summary,
        ...responding(schema),
        ...(isConditional ? { parameters: parameters("if-none-match") } : {}),
      }),
    }),
    post: (name: string, { summary, schema, body, status = 200 }: WriteParts) => ({
      post: make("own", `standin_${name}`, {
        summary,
        isWrite: true,
        ...responding(schema, status),
        ...(body ? { requestBody: { ...json(body) } } : {}),
      }),
    }),
  };
}

export function responding(schema: JsonObject, status = 200): { responses: JsonObject } {
  return { responses: { [status]: { description: "Done", ...json(schema) } } };
}

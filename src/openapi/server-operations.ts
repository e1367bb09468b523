import type { JsonObject } from "../json.ts";
import type { ServerFacts } from "./facts.ts";
import { operation } from "./operation.ts";
import { json, parameters } from "./parts.ts";

/** The tag of whatever is no data. */
export const SERVER_TAG = "server";

/** What describes routes of the server itself. */
export function makers(facts: ServerFacts) {
  const make = operation(SERVER_TAG, facts);
  return {
    make,
    get: (name: string, summary: string, schema: JsonObject, isConditional = false) => ({
      get: make("own", `standin_${name}`, summary, {
        ...answering(schema),
        ...(isConditional ? { parameters: parameters("if-none-match") } : {}),
      }),
    }),
    post: (name: string, summary: string, schema: JsonObject, body?: JsonObject, status = 200) => ({
      post: make(
        "own",
        `standin_${name}`,
        summary,
        {
          ...answering(schema, status),
          ...(body ? { requestBody: { ...json(body) } } : {}),
        },
        true,
      ),
    }),
  };
}

export function answering(schema: JsonObject, status = 200): JsonObject {
  return { responses: { [status]: { description: "Done", ...json(schema) } } };
}

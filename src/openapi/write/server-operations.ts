import type { JsonObject } from "../../base/json/json.ts";
import type { Doing } from "./error-responses.ts";
import type { ServerFacts } from "./facts.ts";
import { operation } from "./operation.ts";
import { json, OBJECT, TEXT } from "./parts.ts";

/** The tag of routes that serve no data. */
export const SERVER_TAG = "server";

interface ServerOperation {
  /** Without the prefix that all of them have. */
  readonly id: string;
  readonly summary: string;
  /** The schema of the response; any object unless given. */
  readonly schema?: JsonObject;
  readonly status?: number;
  /** In place of a response that is JSON. */
  readonly responses?: JsonObject;
  /** The schema of the request body. */
  readonly body?: JsonObject;
  readonly isBodyRequired?: boolean;
  readonly parameters?: JsonObject[];
  readonly doing?: Doing;
}

type Methods = Readonly<Partial<Record<"get" | "post" | "put" | "patch" | "delete", ServerOperation>>>;

/** Describes routes of the server itself, by path and method. `variables` are descriptions of those in paths. */
export function describeRoutes(
  facts: ServerFacts,
  routes: Readonly<Record<string, Methods>>,
  variables: Readonly<Record<string, string>> = {},
): JsonObject {
  const make = operation(SERVER_TAG, facts);
  const paths = Object.entries(routes).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, { id, summary, doing = "own", ...parts }]) => [
      method,
      make(doing, `standin_${id}`, { summary, isWrite: method !== "get", ...operationParts(parts) }),
    ]);
    return [path, { ...pathParameters(path, variables), ...Object.fromEntries(operations) }];
  });
  return Object.fromEntries(paths);
}

function operationParts({
  schema = OBJECT,
  status = 200,
  responses = { [status]: { description: "Done", ...json(schema) } },
  body,
  isBodyRequired,
  parameters,
}: Omit<ServerOperation, "id" | "summary">): JsonObject {
  const requestBody = body && { ...(isBodyRequired && { required: true }), ...json(body) };
  return { ...(parameters && { parameters }), ...(requestBody && { requestBody }), responses };
}

/** The variables of a path such as `/__faults/{id}`, as texts. */
export function pathParameters(path: string, descriptions: Readonly<Record<string, string>> = {}): JsonObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  if (names.length === 0) return {};
  const parameter = (name: string): JsonObject => {
    const description = descriptions[name];
    return { name, in: "path", required: true, ...(description && { description }), schema: TEXT };
  };
  return { parameters: names.map(parameter) };
}

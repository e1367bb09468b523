import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** An operation of an OpenAPI document, with its references followed. */
export interface BookOperation {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  /** Decoded, with `{id}` and the like for variables. */
  readonly segments: readonly string[];
  readonly parameters: readonly JsonObject[];
  /** The media types of a success. */
  readonly types: readonly string[];
  /** Whether it belongs to the server and not to its data. */
  readonly isOwn: boolean;
}

export function readBookOperations(document: JsonObject): BookOperation[] {
  return Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      return isJsonObject(found)
        ? [readOperation(document, path, { ...found, method, shared: item.parameters ?? [] })]
        : [];
    }),
  );
}

function readOperation(document: JsonObject, path: string, found: JsonObject): BookOperation {
  const responses = found.responses as Record<string, JsonObject>;
  const success = Object.keys(responses).find((code) => code.startsWith("2"));
  const content = responses[success ?? ""]?.content;
  return {
    id: found.operationId as string,
    summary: found.summary as string,
    method: String(found.method).toUpperCase(),
    segments: path.split("/").slice(1).map(decodeURIComponent),
    parameters: [found.shared, found.parameters ?? []].flat().map((one) => resolved(document, one as JsonObject)),
    types: isJsonObject(content) ? Object.keys(content) : [],
    isOwn: String(found.operationId).startsWith("standin_"),
  };
}

function resolved(document: JsonObject, value: JsonObject): JsonObject {
  const { $ref } = value;
  if (typeof $ref !== "string") return value;
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  return ((document.components as JsonObject).parameters as Record<string, JsonObject>)[name] ?? {};
}

/** The parameters of the query, by name. */
export function queryParameters({ parameters }: BookOperation): Map<string, JsonObject> {
  return new Map(parameters.filter((one) => one.in === "query").map((one) => [String(one.name), one]));
}

import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import { schemaOf } from "./convert-parameter.ts";
import { memberElsewhere } from "./member.ts";

/** A response for use in an operation at `user`, with a body in the media types that the operation produces. */
export function convertResponse(response: Placed<JsonObject>, produces: readonly string[], user: string): JsonObject {
  const { schema, examples, headers, ...rest } = response.value;
  const content: Record<string, JsonObject> = {};
  if (schema !== undefined) {
    const types = isFile(schema) && produces[0] === "application/json" ? ["application/octet-stream"] : produces;
    for (const type of types) content[type] = { schema: memberElsewhere(response, "schema", user) };
  }
  for (const [type, example] of Object.entries(isJsonObject(examples) ? examples : {})) {
    if (!type.includes("/")) continue;
    content[type] = {
      ...(content[type] ?? (schema === undefined ? {} : { schema: memberElsewhere(response, "schema", user) })),
      example,
    };
  }
  const converted: JsonObject = { ...rest };
  if (Object.keys(content).length > 0) converted.content = content;
  if (isJsonObject(headers)) converted.headers = convertHeaders(headers);
  return converted;
}

function isFile(schema: Json): boolean {
  return isJsonObject(schema) && schema.format === "binary";
}

function convertHeaders(headers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]): [string, Json][] =>
      isJsonObject(header) ? [[name, { schema: schemaOf(header) }]] : [],
    ),
  );
}

import type { JsonObject } from "../../../base/json/json.ts";
import { withSchemaAt } from "./schemas.ts";
import { ASSUMED } from "./write-operation.ts";
import type { Bound } from "./write-responses.ts";

/** The operations that a collection usually has, by path and method, for those that were not seen. */
export function assumedOperations({ collection, schema }: Bound): Readonly<Record<string, JsonObject>> {
  const { listPath, itemPath, at, itemAt, hidesId, hasItems } = collection;
  // Nothing names records that were only seen in pages.
  if (hidesId && !hasItems) return {};
  const { reference, input } = schema;
  const json = (value: JsonObject): JsonObject => ({ "application/json": { schema: value } });
  const record = withSchemaAt({ type: "object" }, itemAt, reference);
  const list = withSchemaAt({ type: "object" }, at, { type: "array", items: reference });
  const sends = (status: string, description: string, body?: JsonObject): JsonObject => ({
    responses: { [status]: { description, ...(body && { content: json(body) }) } },
    [ASSUMED]: true,
  });
  const takes: JsonObject = { requestBody: { content: json(input) } };
  return {
    [`get ${listPath}`]: sends("200", "OK", list),
    [`post ${listPath}`]: { ...takes, ...sends("201", "Created", record) },
    [`get ${itemPath}`]: sends("200", "OK", record),
    [`put ${itemPath}`]: { ...takes, ...sends("200", "OK", record) },
    [`patch ${itemPath}`]: { ...takes, ...sends("200", "OK", record) },
    [`delete ${itemPath}`]: sends("204", "No Content"),
  };
}

import type { JsonObject } from "../../../base/json/json.ts";
import type { CollectionSettings } from "../../../store/collection-settings.ts";

/** Adds the timestamps of a collection to the schema of its records. */
export function completedRecord(schema: JsonObject, { timestamps }: CollectionSettings): JsonObject {
  return withProperties(schema, timestampsOf(timestamps, { readOnly: true }));
}

/** Adds timestamps and defaults to the schema of the bodies that create records. */
export function completedBody(schema: JsonObject, { timestamps, defaults = {} }: CollectionSettings): JsonObject {
  return withProperties(schema, [
    ...Object.entries(defaults).map(([field, value]) => [field, { default: value }] as const),
    ...timestampsOf(timestamps, { description: "Set by the server. A new record may bring its own." }),
  ]);
}

type Property = readonly [string, JsonObject];

function timestampsOf(timestamps: CollectionSettings["timestamps"] = {}, facts: JsonObject): Property[] {
  return [timestamps.created, timestamps.updated].flatMap((field): Property[] =>
    field === undefined ? [] : [[field, { type: "string", format: "date-time", ...facts }]],
  );
}

function withProperties(schema: JsonObject, added: readonly Property[]): JsonObject {
  if (added.length === 0) return schema;
  const properties = { ...(schema.properties as JsonObject | undefined) };
  for (const [field, facts] of added)
    properties[field] = { ...(properties[field] as JsonObject | undefined), ...facts };
  return { ...schema, type: schema.type ?? "object", properties };
}

import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { nounOf } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { keyword } from "../schema-fields.ts";

/** Kubernetes says of each schema which kind it is. */
export function withKind(references: References, schema: Placed, record: JsonObject): JsonObject {
  const [told] = [keyword(references, schema, "x-kubernetes-group-version-kind") ?? []].flat();
  if (!isJsonObject(told) || typeof told.kind !== "string") return record;
  const { group, version, kind } = told;
  return { ...record, apiVersion: group ? `${String(group)}/${String(version)}` : String(version), kind };
}

/** Lets paths name a made record by a field in a part of it, such as `metadata.name`. */
export function withNames({ name, operations }: BoundCollection, record: JsonObject, position: number): JsonObject {
  const paths = operations.flatMap(({ action, keys }) => (action === "read" ? keys.map(({ path }) => path) : []));
  const value = { ...record };
  for (const [holder = "", field, ...deeper] of paths) {
    const part = value[holder] ?? {};
    if (field === undefined || deeper.length > 0 || !isJsonObject(part) || part[field] !== undefined) continue;
    value[holder] = { ...part, [field]: `${nounOf(name)}-${position + 1}` };
  }
  return value;
}

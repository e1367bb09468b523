import { findAlike } from "../../openapi/bind/words.ts";
import type { References } from "../../schema/references.ts";
import { type SchemaFields, schemaFields } from "./schema-fields.ts";

/** How many of the sent fields an object must have to be what they stand for. */
const MOST = 0.6;

/**
 * The object of records that has the fields which requests send without it: `attributes` in JSON:API, `database` of
 * `{ "database": { "name", "size" }, "status": { ... } }` for `{ "name", "size" }`.
 */
export function sentHolder(
  references: References,
  record: SchemaFields | undefined,
  sent: SchemaFields | undefined,
): string | undefined {
  if (!record || !sent || sent.properties.size === 0) return undefined;
  if (isJsonApi(record)) return isJsonApi(sent) ? undefined : "attributes";
  const names = [...sent.properties.keys()];
  if (names.length < 2 || names.some((name) => findAlike(record.properties.keys(), name) !== undefined))
    return undefined;
  const [found, other] = [...record.properties].flatMap(([name, schema]) => {
    const inner = schemaFields(references, schema)?.properties;
    const shared = inner ? names.filter((one) => findAlike(inner.keys(), one) !== undefined).length : 0;
    return shared >= 2 && shared / names.length >= MOST ? [name] : [];
  });
  return other === undefined ? found : undefined;
}

export function isJsonApi(fields: SchemaFields | undefined): boolean {
  return fields?.properties.has("type") === true && fields.properties.has("attributes");
}

import { findAlike } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { type SchemaFields, schemaFields } from "../schema-fields.ts";

/** What a request sends. */
interface Sent {
  readonly fields: SchemaFields | undefined;
  readonly schema: Placed | undefined;
}

/** How many of the sent fields an object must have to be what they stand for. */
const MOST = 0.6;

/**
 * The object of records that has the fields which requests send without it: `attributes` in JSON:API, `database` of
 * `{ "database": { "name", "size" }, "status": { ... } }` for `{ "name", "size" }`, and the only one that has the schema
 * of what is sent.
 */
export function sentHolder(
  references: References,
  record: SchemaFields | undefined,
  { fields: sent, schema }: Sent,
): string | undefined {
  if (!record || !sent || sent.properties.size === 0) return undefined;
  if (isJsonApi(record)) return isJsonApi(sent) ? undefined : "attributes";
  const same = schema && propertyOf(references, record, schema);
  if (same !== undefined) return same;
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

/** The only property of a record that has a schema, by its name in the document. */
function propertyOf(references: References, { properties }: SchemaFields, schema: Placed): string | undefined {
  const { place } = references.follow(schema);
  const isNamed = (one: Placed): boolean => references.follow(one).place === place && one.place !== place;
  const [only, other] = [...properties].flatMap(([name, one]) => (isNamed(one) ? [name] : []));
  return other === undefined ? only : undefined;
}

export function isJsonApi(fields: SchemaFields | undefined): boolean {
  return fields?.properties.has("type") === true && fields.properties.has("attributes");
}

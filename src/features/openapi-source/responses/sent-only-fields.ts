import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { findAlike } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { leavesOf, recordFieldsOf, schemaFields } from "../schema-fields.ts";
import { requestFields } from "../writes/record-mapping.ts";

/**
 * Fields that requests have and responses do not, such as the number of a card: they are stored and never shown. Where a
 * response allows any fields, or tells nothing of them, there are none.
 */
export function sentOnlyFields(
  references: References,
  { operations, record }: BoundCollection,
  view: Placed,
): readonly string[] {
  const [shown, stored] = [view, record].map((schema) => recordFieldsOf(references, schema));
  if (!shown || !stored || allowsOthers(references, view) || allowsOthers(references, record)) return [];
  const known = [...shown.properties.keys(), ...stored.properties.keys()];
  const sent = operations.flatMap((one) => [...(requestFields(references, one)?.properties.keys() ?? [])]);
  return [...new Set(sent)].filter((name) => findAlike(known, name) === undefined);
}

/** Whether a schema, or one of its alternatives, has other fields than those it names. */
function allowsOthers(references: References, schema: Placed): boolean {
  return leavesOf(references, schema).some((leaf) => schemaFields(references, leaf)?.isOpen ?? true);
}

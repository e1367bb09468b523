import type { BoundCollection } from "../../openapi/bind/binding.ts";
import { findAlike } from "../../openapi/bind/words.ts";
import type { Placed, References } from "../../schema/references.ts";
import { requestFields } from "./record-mapping.ts";
import { recordFieldsOf } from "./schema-fields.ts";

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
  if (!shown || !stored || shown.isOpen || stored.isOpen) return [];
  const known = [...shown.properties.keys(), ...stored.properties.keys()];
  const sent = operations.flatMap((one) => [...(requestFields(references, one)?.properties.keys() ?? [])]);
  return [...new Set(sent)].filter((name) => findAlike(known, name) === undefined);
}

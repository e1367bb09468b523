import { isJsonObject, type Json } from "../../../base/json/json.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { keyword, leavesOf, schemaFields } from "../schema-fields.ts";

/** Flags that only removed records have. */
const GONE = /^(is_?)?(deleted|removed)$/i;

/** A body about a removal, in which the record is gone. */
export function ofRemoval(body: Json): Json {
  if (!isJsonObject(body)) return body;
  const value = { ...body };
  for (const [name, held] of Object.entries(body)) if (GONE.test(name) && typeof held === "boolean") value[name] = true;
  return value;
}

/**
 * The form that a response to a DELETE has: of several alternatives that which says that the record is gone, such as
 * `{ "id": "card_1", "object": "card", "deleted": true }` beside the card itself.
 */
export function removedView(references: References, view: Placed, record: Placed): Placed {
  const leaves = leavesOf(references, view);
  if (leaves.length < 2) return view;
  const known = leavesOf(references, record).map((one) => schemaFields(references, one)?.properties);
  const notices = leaves.filter((leaf) => {
    const names = [...(schemaFields(references, leaf)?.properties.keys() ?? [])];
    return names.some((name) => GONE.test(name)) && known.every((own) => !names.every((name) => own?.has(name)));
  });
  const isOfRecord = (leaf: Placed): boolean =>
    [...(schemaFields(references, leaf)?.properties ?? [])].every(([name, schema]) => {
      const own = known.flatMap((properties) => properties?.get(name) ?? []);
      const values = own.flatMap((one) => keyword(references, one, "enum") ?? []);
      const [only, ...others] = [keyword(references, schema, "enum") ?? []].flat();
      return only === undefined || others.length > 0 || values.length === 0 || values.includes(only);
    });
  return notices.find(isOfRecord) ?? notices[0] ?? view;
}

import { isJsonObject } from "../../base/json/json.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import { nounOf } from "../../openapi/bind/words.ts";
import type { Placed, References } from "../../schema/references.ts";
import { branchesOf, keyword, typesOf } from "./schema-fields.ts";

interface Relating {
  readonly references: References;
  readonly collections: readonly BoundCollection[];
}

/**
 * The collection whose records a field names by their id: one that may stand in its place (`anyOf` an id and a record, or
 * `x-expansionResources`), else the one that is named like it (`customer`, `customer_id`).
 */
export function targetOf({ references, collections }: Relating, field: string, schema: Placed): string | undefined {
  const branches = branchesOf(references, schema);
  const isScalar = (one: Placed): boolean => {
    const [type] = typesOf(references, one);
    return (
      (type === "string" || type === "integer") &&
      ["enum", "format"].every((key) => keyword(references, one, key) === undefined)
    );
  };
  if (!branches.some(isScalar)) return undefined;
  const others = keyword(references, schema, "x-expansionResources");
  const expanded = isJsonObject(others) ? branchesOf(references, { value: others, place: `${schema.place}/x` }) : [];
  const places = new Set([...branches, ...expanded].map(({ place }) => place));
  const held = collections.find(({ record }) => places.has(references.follow(record).place));
  if (held) return held.name;
  const noun = nounOf(field.replace(/(?:_id|Id|ID)$/, ""));
  return collections.find(({ name }) => nounOf(name) === noun)?.name;
}

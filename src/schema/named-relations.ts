import pluralize from "pluralize";
import { atOnce, type Work } from "../base/slices.ts";

/** How foreign keys may end when no setting says so; the first is that of 0.17, and holds where nothing is known. */
export const SUFFIXES = ["Id", "_id"] as const;

/** A field by which the records of one collection refer to those of another. */
export interface NamedRelation {
  readonly from: string;
  readonly field: string;
  readonly to: string;
  /** Set where the field has a list of ids. */
  readonly isList?: true;
}

/** A collection as far as relations are concerned. */
export interface CollectionFields {
  readonly name: string;
  /** Its primary key field, which refers to nothing. */
  readonly idKey: string | undefined;
  readonly fields: ReadonlyMap<string, { readonly arrays: number }>;
}

/**
 * Finds the relations by the names of fields. `company_id` or `companyId` refers to `companies`, if there is such a
 * collection; a list `tag_ids` or `tagIds` to `tags`. Of both spellings, only the latter counts.
 */
export function namedRelations(collections: readonly CollectionFields[], given: string | undefined): NamedRelation[] {
  return atOnce(findRelations(collections, given));
}

/** The same as work that can pause. */
export function* findRelations(
  collections: readonly CollectionFields[],
  given: string | undefined,
): Work<NamedRelation[]> {
  const suffixes = given === undefined ? SUFFIXES : [given];
  // Of several with the same singular, the first.
  const bySingular = new Map<string, CollectionFields>();
  for (const one of collections.toReversed()) {
    bySingular.set(pluralize.singular(one.name), one);
    yield;
  }
  const relations: NamedRelation[] = [];
  for (const one of collections) {
    for (const [field, { arrays }] of one.fields) {
      const relation = field === one.idKey ? undefined : relationBy(one, field, arrays > 0 ? ["s", ""] : [""]);
      if (relation) relations.push(relation);
    }
    yield;
  }
  return relations;

  function relationBy({ name: from, fields }: CollectionFields, field: string, endings: readonly string[]) {
    for (const ending of endings) {
      const found = suffixes.findIndex((suffix) => field.endsWith(`${suffix}${ending}`));
      if (found === -1) continue;
      const singular = field.slice(0, -`${suffixes[found]}${ending}`.length);
      const isSecond = suffixes.slice(0, found).some((one) => fields.has(`${singular}${one}${ending}`));
      const target = singular === "" ? undefined : bySingular.get(singular);
      if (!target || isSecond) continue;
      return { from, field, to: target.name, ...(ending === "s" && { isList: true as const }) };
    }
    return undefined;
  }
}

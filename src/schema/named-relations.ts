import pluralize from "pluralize";

/** How foreign keys may end when no setting says so; the first is that of 0.17, and holds where nothing is known. */
export const SUFFIXES: readonly string[] = ["Id", "_id"];

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
  const suffixes = given === undefined ? SUFFIXES : [given];
  let bySingular: ReadonlyMap<string, CollectionFields> | undefined;
  const targetOf = (singular: string): CollectionFields | undefined => {
    // The first of several; the singular of a name takes long to find.
    bySingular ??= new Map(collections.toReversed().map((one) => [pluralize.singular(one.name), one]));
    return singular === "" ? undefined : bySingular.get(singular);
  };
  return collections.flatMap(({ name: from, idKey, fields }) =>
    [...fields].flatMap(([field, { arrays }]): NamedRelation[] => {
      if (field === idKey) return [];
      for (const ending of arrays > 0 ? ["s", ""] : [""]) {
        const found = suffixes.findIndex((suffix) => field.endsWith(`${suffix}${ending}`));
        if (found === -1) continue;
        const singular = field.slice(0, -`${suffixes[found]}${ending}`.length);
        const isSecond = suffixes.slice(0, found).some((one) => fields.has(`${singular}${one}${ending}`));
        const target = targetOf(singular);
        if (!target || isSecond) continue;
        return [{ from, field, to: target.name, ...(ending === "s" && { isList: true as const }) }];
      }
      return [];
    }),
  );
}

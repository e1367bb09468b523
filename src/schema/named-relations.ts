import pluralize from "pluralize";
import { atOnce, type Work } from "../base/slices.ts";
import type { DeclaredRelations } from "../store/declared-relations.ts";

/** How foreign keys may end when no setting says so; the first is that of 0.17, and holds where nothing is known. */
export const SUFFIXES = ["Id", "_id"] as const;

/** A field by which the records of one collection refer to those of another. */
export interface NamedRelation {
  readonly from: string;
  readonly field: string;
  readonly to: string;
  /** Set where the field has a list of ids. */
  readonly isList?: true;
  /** The name of the parent in a request, where it is not the singular of `to`. */
  readonly name?: string;
}

/** How the fields that refer to other collections are known. */
export interface RelationNaming {
  /** How their names end; undefined lets the data decide. */
  readonly foreignKeySuffix: string | undefined;
  /** Those that have been declared, whatever they are called. */
  readonly relations?: DeclaredRelations | undefined;
}

/** The name of a parent by the field that refers to it: `parentId` -> `parent`. */
export function relationName(field: string, suffix?: string): string {
  const ending = (suffix === undefined ? SUFFIXES : [suffix, ...SUFFIXES]).find((one) => field.endsWith(one));
  return ending === undefined || ending === field ? field : field.slice(0, -ending.length);
}

/** Whether a field has a list of ids by its name: `tagIds`. */
export function isListName(field: string): boolean {
  return SUFFIXES.some((suffix) => field.endsWith(`${suffix}s`));
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
export function namedRelations(collections: readonly CollectionFields[], naming: RelationNaming): NamedRelation[] {
  return atOnce(findRelations(collections, naming));
}

/** The same as work that can pause. */
export function* findRelations(
  collections: readonly CollectionFields[],
  { foreignKeySuffix, relations: declared = {} }: RelationNaming,
): Work<NamedRelation[]> {
  const suffixes = foreignKeySuffix === undefined ? SUFFIXES : [foreignKeySuffix];
  // Of several with the same singular, the first.
  const bySingular = new Map<string, CollectionFields>();
  for (const one of collections.toReversed()) {
    bySingular.set(pluralize.singular(one.name), one);
    yield;
  }
  const relations: NamedRelation[] = [];
  for (const one of collections) {
    for (const [field, { arrays }] of one.fields) {
      const isOwnKey = field === one.idKey;
      const relation =
        declaredBy(one.name, field, arrays > 0) ??
        (isOwnKey ? undefined : relationBy(one, field, arrays > 0 ? ["s", ""] : [""]));
      if (relation) relations.push(relation);
    }
    yield;
  }
  return relations;

  function declaredBy(from: string, field: string, isList: boolean): NamedRelation | undefined {
    const fields = Object.hasOwn(declared, from) ? declared[from] : undefined;
    const to = fields && Object.hasOwn(fields, field) ? fields[field]?.to : undefined;
    if (to === undefined || !collections.some(({ name }) => name === to)) return undefined;
    const name = relationName(field, foreignKeySuffix);
    const isUsual = name === pluralize.singular(to);
    return { from, field, to, ...(isList && { isList: true as const }), ...(!isUsual && { name }) };
  }

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

/** The collection that a field refers to, whatever the field is called; `isList` where it has a list of ids. */
export interface DeclaredRelation {
  readonly to: string;
  readonly isList: boolean;
}

/** Such relations by the collection that has the field, and the field. */
export type DeclaredRelations = Readonly<Record<string, Readonly<Record<string, DeclaredRelation>>>>;

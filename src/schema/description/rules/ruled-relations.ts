import pluralize from "pluralize";
import { relationName } from "../../named-relations.ts";
import type { DescribedRelation, Description } from "../description.ts";
import { relationsOf } from "../relation-index.ts";

/** The relations by name and those of the rules. Of a field that the rules speak about, only theirs counts. */
export function ruledRelations({
  members,
  relations,
}: Pick<Description, "members" | "relations">): DescribedRelation[] {
  const collections = members.filter(({ kind }) => kind === "collection");
  return collections.flatMap(({ name: from, rules, shape }) => {
    const named = relationsOf(relations, from).filter((one) => one.from === from);
    const references = Object.entries(rules?.references ?? {});
    const ruled = references.flatMap(([field, { collection: to }]): DescribedRelation[] => {
      if (!collections.some(({ name }) => name === to)) return [];
      const name = relationName(field);
      const isList = (shape.fields.get(field)?.arrays ?? 0) > 0;
      const other = {
        from,
        field,
        to,
        ...(isList && { isList: true as const }),
        ...(name !== pluralize.singular(to) && { name }),
      };
      return [named.find((one) => one.field === field && one.to === to) ?? other];
    });
    return [...named.filter(({ field }) => !references.some(([one]) => one === field)), ...ruled];
  });
}

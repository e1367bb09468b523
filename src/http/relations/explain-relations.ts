import type { PlannedRelation } from "./plan-relations.ts";

/** Says for each relation of a plan what it adds, and by which key: `products.company: parent by company_id`. */
export function explainRelations(plan: readonly PlannedRelation[], above = ""): string[] {
  return plan.flatMap((relation) => {
    const path = `${above}${relation.name}`;
    return [`${path}: ${explain(relation)}`, ...explainRelations(relation.below, `${path}.`)];
  });
}

function explain({ link }: PlannedRelation): string {
  if (!link) return "no such relation";
  if (link.from.isList) return `records listed in ${link.from.field}`;
  if (link.isOne) return `parent by ${link.from.field}`;
  return `children by ${link.to.map(({ field }) => field).join(" or ")}`;
}

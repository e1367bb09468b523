import { listed } from "../bind-operations.ts";
import { spotsOf } from "../bodies/body-spots.ts";
import type { RecordSpot } from "../bodies/record-spots.ts";
import type { Candidate } from "../candidate.ts";
import type { NamedPair } from "../config/overridden-pairs.ts";
import { created } from "../creates.ts";
import { type Group, operationOf } from "../groups.ts";
import type { Drafted } from "../join.ts";
import type { Shapes } from "../schema-shape.ts";

/** Binds the further lists that the config or a recording gives a collection, whatever their records look like. */
export function joinGivenLists(shapes: Shapes, wanted: readonly NamedPair[], given: readonly Drafted[]): void {
  for (const [position, { lists, fail }] of wanted.entries()) {
    const own = given[position];
    if (!own) continue;
    const { candidate, drafts } = own;
    for (const group of lists) {
      const [lister, creates] = [operationOf(group, "GET"), operationOf(group, "POST")];
      const outcomes = [
        ...(lister ? [listed(shapes, candidate, { operation: lister, spot: listSpot(shapes, candidate, group) })] : []),
        ...(creates ? [created(shapes, candidate, creates)] : []),
      ];
      const [first] = outcomes;
      if (!first || "why" in first) throw fail(`${first?.why ?? "one of these paths has no list"}.`, "lists");
      for (const outcome of outcomes) if ("draft" in outcome) drafts.push(outcome.draft);
    }
  }
}

/** Where the list stands: if possible, as in that of the collection. */
function listSpot(shapes: Shapes, { segment, listSpot: own }: Candidate, group: Group): RecordSpot | undefined {
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  const lists = typeof spots === "object" ? spots.filter(({ isList }) => isList) : [];
  return lists.find(({ at }) => at.join("\0") === own?.at.join("\0")) ?? lists[0] ?? own;
}

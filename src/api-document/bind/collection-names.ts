import type { Candidate } from "./candidate.ts";
import type { Step } from "./path-shape.ts";
import { singularOf } from "./words.ts";

interface Unnamed extends Pick<Candidate, "segment" | "steps"> {
  /** Where it is given. */
  readonly name?: string | undefined;
}

/**
 * A name for each collection: the last fixed segment of its path. Where several would have the same, the one with the
 * shortest path keeps it, and the others take their parents' in front: `company-products`.
 */
export function nameCollections(candidates: readonly Unnamed[]): readonly string[] {
  const taken = new Set(candidates.flatMap(({ name }) => name ?? []));
  const order = [...candidates.keys()].sort((a, b) => candidates[a]!.steps.length - candidates[b]!.steps.length);
  const names: string[] = [];
  for (const position of order) {
    const { name, segment, steps } = candidates[position]!;
    names[position] = name ?? freeName(taken, segment, steps);
    taken.add(names[position]!);
  }
  return names;
}

function freeName(taken: ReadonlySet<string>, segment: string, steps: readonly Step[]): string {
  let name = segment;
  for (let at = steps.length - 2; at >= 0 && taken.has(name); at--) {
    const step = steps[at]!;
    if (step.kind === "fixed")
      name = `${steps[at + 1]!.kind === "wildcard" ? singularOf(step.text) : step.text}-${name}`;
  }
  let free = name;
  for (let next = 2; taken.has(free); next++) free = `${name}-${next}`;
  return free;
}

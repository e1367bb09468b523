import type { Candidate } from "./candidate.ts";
import type { PathStep } from "./path-shape.ts";
import { singularOf } from "./words.ts";

interface Unnamed extends Pick<Candidate, "segment" | "steps"> {
  /** Where it is given. */
  readonly name?: string | undefined;
  /** Whether others choose first. */
  readonly isLast?: boolean;
}

/** More than any path has. */
const MANY_STEPS = 1000;

/**
 * A name for each collection: the last fixed segment of its path. Where several would have the same, the one with the
 * shortest path keeps it, and the others take their parents' in front: `company-products`.
 */
export function nameCollections(candidates: readonly Unnamed[]): readonly string[] {
  const taken = new Set(candidates.flatMap(({ name }) => name ?? []));
  const rank = ({ isLast = false, steps }: Unnamed): number => (isLast ? MANY_STEPS : 0) + steps.length;
  const inOrder = [...candidates.entries()].sort(([, a], [, b]) => rank(a) - rank(b));
  const names: string[] = [];
  for (const [position, { segment, steps, name = freeName(taken, segment, steps) }] of inOrder) {
    names[position] = name;
    taken.add(name);
  }
  return names;
}

function freeName(taken: ReadonlySet<string>, segment: string, steps: readonly PathStep[]): string {
  let last = segment;
  for (const name of namesFor(segment, steps)) {
    if (!taken.has(name)) return name;
    last = name;
  }
  for (let next = 2; ; next++) if (!taken.has(`${last}-${next}`)) return `${last}-${next}`;
}

/** `products`, `company-products`, `country-company-products`, then with every other segment in front. */
function* namesFor(segment: string, steps: readonly PathStep[]): Generator<string> {
  yield segment;
  const words = steps.slice(0, -1).flatMap((step, at) => {
    if (step.kind !== "fixed") return [];
    const isParent = steps[at + 1]?.kind === "wildcard";
    return [{ word: isParent ? singularOf(step.text) : step.text, isParent }];
  });
  for (const some of [words.filter(({ isParent }) => isParent), words]) {
    for (let count = 1; count <= some.length; count++) {
      yield [...some.slice(-count).map(({ word }) => word), segment].join("-");
    }
  }
}

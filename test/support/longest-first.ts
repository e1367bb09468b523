import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long although they are small, the longest first: none of them should begin when others are done. */
const LONG = [
  "docs",
  "browser/parallel",
  "compat/compat",
  "postgres/operations",
  "postgres/compat",
  "postgres/faults",
  "postgres/agreement",
  "durability/crash-loop",
  "console/data",
  "console/views",
  "console/live",
  "console/large-and-odd",
  "security/malformed-requests",
  "store/indexes",
  "sandboxes/isolation",
  "describe/types",
];

/** On a clone that has never run the tests, vitest knows nothing but the sizes of the files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place < 0 ? LONG.length : place;
}

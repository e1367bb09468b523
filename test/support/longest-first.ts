import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long although they are small, the longest first: none of them should begin when others are done. */
const LONG = [
  "postgres/query-oracle",
  "features/console/views",
  "docs",
  "features/console/data",
  "compat/compat",
  "features/console/query",
  "query-language/oracle",
  "features/console/live",
  "json-server/auth",
  "postgres/operations",
  "regressions/outside-edit-lost-to-a-save",
  "features/console/large-and-odd",
  "browser/parallel",
  "postgres/compat",
  "json-server/installed",
  "durability/crash-loop",
  "postgres/agreement",
  "postgres/foreign-keys",
  "security/malformed-requests",
  "generate",
  "compat/projects",
  "store/indexes",
  "features/description/types",
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

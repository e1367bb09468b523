import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long although they are small, the longest first: none of them should begin when others are done. */
const LONG = [
  "docs/docs",
  "features/console/views",
  "regressions/outside-edit-lost-to-a-save",
  "postgres/operations",
  "postgres/compat",
  "postgres/writes",
  "compat/projects",
  "features/console/data",
  "compat/compat",
  "postgres/relations",
  "json-server/auth",
  "features/console/live",
  "postgres/foreign-keys",
  "features/console/large-and-odd",
  "regressions/body-stalls-nobody",
  "features/agents/agents",
  "features/console/lab",
  "features/console/query",
  "commands/terminal",
  "postgres/query-oracle",
  "features/snapshots/snapshots",
  "durability/disk-faults",
  "store/store",
  "postgres/shared",
  "features/console/top-bar",
  "security/guards",
  "postgres/injection",
  "durability/crash-loop",
  "query-language/hostile",
  "http/interceptors",
  "durability/journal",
  "query-language/oracle",
  "durability/watch",
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

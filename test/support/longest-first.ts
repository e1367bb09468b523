import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long although they are small, the longest first: none of them should begin when others are done. */
const LONG = [
  "docs/docs",
  "features/console/views",
  "postgres/operations",
  "postgres/writes",
  "features/agents/agents",
  "regressions/body-stalls-nobody",
  "regressions/outside-edit-lost-to-a-save",
  "features/console/live",
  "commands/terminal",
  "regressions/costly-query-without-end",
  "without-a-server/worker-persistence",
  "features/console/lab",
  "postgres/relations",
  "json-server/auth",
  "features/snapshots/snapshots",
  "regressions/a-reload-middleware-throws-writes-away",
  "json/exact-numbers",
  "security/guards",
  "regressions/costly-request-holds-others",
  "without-a-server/worker",
  "features/console/data",
  "compat/projects",
  "regressions/clients-fill-the-memory",
  "durability/disk-faults",
  "features/console/large-and-odd",
  "postgres/injection",
  "postgres/tls",
  "requests/requests",
  "postgres/unwanted-statements",
  "regressions/own-removals-look-like-lost-files",
  "regressions/edit-after-a-crash-lost-to-a-save",
  "http/interceptors",
  "rules/ruled-types",
  "json-server/same-responses",
  "features/description/open-api",
  "hosted/command",
  "generate/generate",
  "json-server/installed",
  "features/console/row-tools",
  "features/agents/stdio",
  "durability/crash-loop",
  "postgres/shared",
  "durability/watch",
  "sdk-sessions/sdk-sessions",
  "features/dialect/json-server-1",
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

import { TEST_FILES, testFilesUsing } from "./test-files.ts";

/** The size of the soak; each number may be set outside. Each run asks something new. */
const LENGTHS: Readonly<Record<string, string>> = {
  STANDIN_SOAK: "1",
  STANDIN_COMPAT_REQUESTS: "30000",
  STANDIN_SANDBOX_RUNS: "1000",
  STANDIN_RATE_KEYS: "1000000",
  STANDIN_WATCH_CLIENTS: "300",
  STANDIN_INDEX_ROUNDS: "1000",
  STANDIN_FUZZ_REQUESTS: "100000",
  STANDIN_FUZZ_SEED: String(Date.now() % 1_000_000),
  // Of each of two kinds.
  STANDIN_POSTGRES_QUERIES: "8000",
  STANDIN_POSTGRES_COMPAT: "3000",
  STANDIN_ORACLE_QUESTIONS: "100000",
  STANDIN_ORACLE_HTTP_QUESTIONS: "5000",
  STANDIN_ORACLE_POSTGRES_QUESTIONS: "10000",
  STANDIN_CURSOR_WALKS: "5000",
  STANDIN_CURSOR_POSTGRES_WALKS: "200",
  STANDIN_DIALECT_READS: "5000",
  STANDIN_DIALECT_WRITES: "2000",
  STANDIN_JSON_SERVER_1_QUESTIONS: "10000",
  STANDIN_SEED: String(Date.now() % 1_000_000),
};

/** The environment of the soak. */
export const SOAK: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LENGTHS).map(([name, length]) => [name, process.env[name] ?? length]),
);

/** The tests of the soak: those named so, and those that read a variable of its environment to do more. */
export function soakFiles(): string[] {
  const longer = testFilesUsing(new RegExp(`\\b(?:${Object.keys(LENGTHS).join("|")})\\b`));
  return [...new Set([...TEST_FILES.filter(isSoakAlone), ...longer])];
}

/** Tests that `npm test` leaves out. */
function isSoakAlone(path: string): boolean {
  return path.endsWith(".soak.test.ts");
}

/** Starts a process, a browser or a database, or needs the built package. */
const SLOW = /child_process|worker_threads|STANDIN_TEST_PACKAGE|STANDIN_TEST_FOLDER|playwright/;
/** Tests that provoke load, crashes or broken files take their time, too. */
const HARD = /^test\/(?:durability|regressions|security)\//;
/** Tests that take a second or more for a few dozen cases: large or random data, many clients, waits. */
const LONG =
  /\/(?:agents|program|open-api|hostile|promote-renumber|collections|idempotency|traffic|latency|rate-limit|query-properties|inference-agrees|same-responses|folder|lowdb-chains|hostile-rules)\.test\.ts$/;

/** The tests of `npm run test:quick`: they run in their own process, and have no longer version. */
export function quickFiles(): string[] {
  const others = new Set([...soakFiles(), ...testFilesUsing(SLOW)]);
  return TEST_FILES.filter((path) => !others.has(path) && !HARD.test(path) && !LONG.test(path));
}

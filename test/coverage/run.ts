/** `npm run coverage`: runs the tests and says which lines of src/ no test reaches, in this process or one that it starts. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative, resolve } from "node:path";
import { CHILDREN, type RunLines } from "./children.ts";

/** A part of the form that vitest and Istanbul write. */
interface FileCoverage {
  readonly statementMap: Readonly<Record<string, { readonly start: { readonly line: number } }>>;
  readonly s: Readonly<Record<string, number>>;
}

const FOLDER = "coverage";

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(`${FOLDER}/raw`, { recursive: true });
// Some tests start processes as another user.
chmodSync(`${FOLDER}/raw`, 0o777);
const flags = [
  "--coverage.enabled",
  "--coverage.provider=v8",
  "--coverage.include=src/**",
  "--coverage.reporter=json",
  "--coverage.reportOnFailure",
  `--coverage.reportsDirectory=${FOLDER}/tests`,
];
const env = { ...process.env, [CHILDREN]: resolve(FOLDER) };
const args = ["node_modules/vitest/vitest.mjs", "run", ...flags, ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });

const inTests = readJson<Record<string, FileCoverage>>(`${FOLDER}/tests/coverage-final.json`);
const inChildren = readJson<RunLines>(`${FOLDER}/children.json`);
let allLines = 0;
let allReached = 0;
const unreached: string[] = [];
for (const [path, { statementMap, s }] of Object.entries(inTests).sort(([a], [b]) => (a < b ? -1 : 1))) {
  const file = relative(".", path);
  // The pattern finds the sources of the console, too.
  if (!file.startsWith("src")) continue;
  const reached = new Set(inChildren[file]);
  const lines = new Set<number>();
  for (const [statement, { start }] of Object.entries(statementMap)) {
    lines.add(start.line);
    if ((s[statement] ?? 0) > 0) reached.add(start.line);
  }
  // Types alone are nothing to run.
  if (lines.size === 0) continue;
  const missed = [...lines].filter((line) => !reached.has(line)).sort((a, b) => a - b);
  allLines += lines.size;
  allReached += lines.size - missed.length;
  if (missed.length === lines.size) unreached.push(file);
  const where = missed.length > 0 ? `: ${rangesOf(missed, lines)}` : "";
  console.log(`${percent(lines.size - missed.length, lines.size)}  ${file}${where}`);
}
console.log(
  `${percent(allReached, allLines)}  of ${allLines} lines; the numbers are those of lines that no test reaches`,
);
console.log(unreached.length > 0 ? `No test reaches ${unreached.join(", ")}.` : "Tests reach every file.");
process.exitCode = unreached.length > 0 ? 1 : (status ?? 1);

/** `3-7 12`: neighbours are those without another line of code between them. */
function rangesOf(missed: readonly number[], lines: ReadonlySet<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of missed) {
    const range = ranges.at(-1);
    const isNext = range && ![...lines].some((other) => other > range[1] && other < line);
    if (isNext) range[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(" ");
}

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1).padStart(5)} %`;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

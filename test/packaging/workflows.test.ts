import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, test } from "vitest";

interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (string | number)[]>> };
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const FOLDER = ".github/workflows";
const { scripts, engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
  engines: { node: string };
};
const jobs = readdirSync(FOLDER).flatMap((file) => {
  const { jobs } = load(readFileSync(join(FOLDER, file), "utf8")) as { jobs: Record<string, Job> };
  return Object.values(jobs);
});

test("workflows run scripts that exist", () => {
  const lines = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(lines).toContain("npm test");
  for (const line of lines) {
    const [, script] = /^npm run (\S+)/.exec(line) ?? [];
    if (script) expect(Object.keys(scripts)).toContain(script);
  }
});

test("the tests run on every system, and on the oldest version of Node that is supported", () => {
  const { matrix } = jobs.find(({ strategy }) => strategy)!.strategy!;
  expect(matrix.os).toEqual(["ubuntu-latest", "macos-latest", "windows-latest"]);
  const [, oldest] = />=(\d+)/.exec(engines.node)!;
  expect(matrix.node).toContain(Number(oldest));
});

import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CLI, plainEnvironment } from "../support/cli.ts";

/** Stands in for Node 22.8 and later, whose `enableCompileCache` older versions do not have. */
const LATER_NODE = `data:text/javascript,${encodeURIComponent(
  'import module from "node:module"; module.enableCompileCache = (folder) => console.log("cache in", folder);',
)}`;

test("compiled code is cached inside the package, where Node can do that", () => {
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [...args, CLI, "--version"], { encoding: "utf8", env: plainEnvironment() });
  expect(run("--import", LATER_NODE)).toContain(`cache in ${join(dirname(CLI), "../node_modules/.cache")}\n`);
  expect(run()).toMatch(/^\d+\.\d+\.\d+\n$/);
});

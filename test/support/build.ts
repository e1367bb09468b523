import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CHILDREN, linesRun } from "../coverage/children.ts";

/**
 * Tests that start the command line run the built files, as users do. Each run builds a package of its own, so that
 * neither `npm start` nor another run in the same clone takes a file away from it. It lies within node_modules, where it
 * finds the same libraries as the sources.
 */
const PLACE = "STANDIN_TEST_PACKAGE";
const CACHE = resolve("node_modules/.cache");
const PREFIX = "standin-test-";
const COPIED = [
  "package.json",
  "schema.json",
  "examples.schema.json",
  "README.md",
  "LICENSE",
  "AGENTS.md",
  "json-server",
];

/** The folder of the package that this run has built: package.json, schemas, pages and dist. */
export function builtPackage(): string {
  const place = process.env[PLACE];
  if (place === undefined) throw new Error("The test run has built nothing: is build.ts a globalSetup of it?");
  return place;
}

/** Where the packages of this run lie when they are packed; removed with the other one. */
export function packedPackages(): string {
  return `${builtPackage()}-packed`;
}

/** Called by vitest once, before all workers. */
export async function setup(): Promise<() => void> {
  mkdirSync(CACHE, { recursive: true });
  removeAbandoned();
  const place = mkdtempSync(join(CACHE, `${PREFIX}${process.pid}-`));
  // Some tests start the command as another user.
  chmodSync(place, 0o755);
  for (const file of COPIED) cpSync(file, join(place, file), { recursive: true });
  const out = join(place, "dist");
  const coverage = process.env[CHILDREN];
  // `npm test` has checked the types already.
  await run("scripts/build.mjs", out, ...(coverage ? ["--sourcemap"] : []));
  process.env[PLACE] = place;
  return () => {
    if (coverage) summarize(coverage, place);
    for (const folder of [place, packedPackages()]) rmSync(folder, { recursive: true, force: true });
  };
}

/** Turns what the processes have written into lines of the sources, while there is what they ran. */
function summarize(coverage: string, place: string): void {
  const raw = join(coverage, "raw");
  writeFileSync(join(coverage, "children.json"), JSON.stringify(linesRun(raw, place)));
  rmSync(raw, { recursive: true, force: true });
}

async function run(...args: string[]): Promise<void> {
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "close");
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}.`);
}

/** The leftovers of a killed run. */
function removeAbandoned(): void {
  for (const name of readdirSync(CACHE)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

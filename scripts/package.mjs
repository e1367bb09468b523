/**
 * Builds the whole package: bundles, types and console. The folder to build into may be given; it is `dist` otherwise.
 * `--if-changed` builds only when a source is newer to it than the last build, so that a second `npm start` starts at
 * once. Types are not checked here: `npm run lint` does that.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stderr } from "node:process";
import { parseArgs } from "node:util";
import { packFolder } from "./pack-folder.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "if-changed": { type: "boolean" }, sourcemap: { type: "boolean" } },
});
const OUT = positionals[0] ?? "dist";
const STAMP = "node_modules/.cache/standin-built";
const SOURCES = [
  "src",
  "console",
  "clients",
  "scripts",
  "docs",
  "README.md",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

if (values["if-changed"]) await buildIfChanged();
else await buildPackage();

async function buildIfChanged() {
  const now = stampOf(SOURCES);
  if (existsSync(STAMP) && existsSync(join(OUT, "cli.js")) && readFileSync(STAMP, "utf8") === now) return;
  rmSync(STAMP, { force: true });
  stderr.write("Building standin: once, until its sources change ...\n");
  const begun = performance.now();
  await buildPackage();
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, now);
  stderr.write(`Built in ${((performance.now() - begun) / 1000).toFixed(0)} s.\n`);
}

async function buildPackage() {
  await Promise.all([
    run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck", "--outDir", OUT).then(() =>
      run("scripts/prune-types.mjs", OUT),
    ),
    run("scripts/docs/site.mjs", join(OUT, "guide")).then(() => packFolder(join(OUT, "guide"))),
    run("scripts/build.mjs", OUT, ...(values.sourcemap ? ["--sourcemap"] : [])),
    run("node_modules/vite/bin/vite.js", "build", "-c", "console/vite.config.ts", "--outDir", resolve(OUT, "console")),
  ]);
}

/** Names, sizes and times: to read a thousand files would take as long as a start. */
function stampOf(places) {
  const hash = createHash("sha256");
  for (const place of places) {
    const isFolder = statSync(place).isDirectory();
    const names = isFolder ? readdirSync(place, { recursive: true, encoding: "utf8" }).sort() : [""];
    for (const name of names) {
      const { size, mtimeMs } = statSync(join(place, name));
      hash.update(`${place}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

async function run(...args) {
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "close");
  if (code !== 0) process.exit(code ?? 1);
}

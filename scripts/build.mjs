/**
 * Builds the package into `dist`, or into the folder given: programs, their types, the console and the guide, at the same
 * time. `--if-changed` builds only when a source is newer than the last build, so that a second `npm start` starts at once;
 * `--sourcemap` adds source maps. Types are not checked here: `npm run lint` does that.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stderr } from "node:process";
import { parseArgs } from "node:util";
import { build } from "rolldown";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "if-changed": { type: "boolean" }, sourcemap: { type: "boolean" } },
});
const OUT = resolve(positionals[0] ?? "dist");
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
const { dependencies, exports, peerDependencies, version } = JSON.parse(readFileSync("package.json", "utf8"));

/** Libraries of package.json stay outside, others are bundled. */
const NODE = {
  platform: "node",
  external: Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(?:/|$)`)),
};
/** In place of `name.ts`, the `name.web.ts` that the field `browser` of package.json names. All libraries are bundled. */
const WEB = { platform: "browser", transform: { define: { STANDIN_VERSION: JSON.stringify(version) } } };

const PROGRAMS = [
  {
    ...NODE,
    input: { cli: "src/cli.ts", index: "src/index.ts", vite: "src/app/vite.ts" },
    output: inParts("chunks", "js"),
  },
  // For test runners that cannot require an ES module.
  {
    ...NODE,
    input: { "json-server/module": "src/json-server/module.ts" },
    output: { ...inParts("json-server/chunks", "cjs"), format: "cjs", exports: "named" },
  },
  { ...WEB, input: { "web/fetch": "src/app/fetch.ts" }, output: { ...inParts("web/chunks", "js"), minify: true } },
  // One file, since service workers bar import().
  {
    ...WEB,
    resolve: { alias: { "@faker-js/faker/locale/en": resolve("src/app/worker/without-faker.ts") } },
    input: { "web/worker": "src/app/worker.ts" },
    output: { codeSplitting: false, minify: true },
  },
];

if (!values["if-changed"] || !isBuilt()) {
  stderr.write("Building standin: programs, types, console and guide ...\n");
  rmSync(STAMP, { force: true });
  const stamp = stampOfSources();
  rmSync(OUT, { recursive: true, force: true });
  await Promise.all([
    timed("programs", buildPrograms()),
    timed("types", buildTypes()),
    timed(
      "console",
      run("node_modules/vite/bin/vite.js", "build", "-c", "console/vite.config.ts", "--outDir", join(OUT, "console")),
    ),
    timed("guide", run("scripts/docs/site.mjs", join(OUT, "guide"))),
  ]);
  // The part of every client that `standin client` writes.
  cpSync("clients", join(OUT, "clients"), { recursive: true });
  mkdirSync(dirname(STAMP), { recursive: true });
  if (positionals.length === 0) writeFileSync(STAMP, stamp);
}

/** What every start loads is one file; what is imported later has files of its own. */
function inParts(folder, extension) {
  return {
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `${folder}/[name]-[hash].${extension}`,
    codeSplitting: { groups: [{ name: "core", tags: ["$initial"], test: (id) => !id.endsWith("cli.ts") }] },
  };
}

async function buildPrograms() {
  const built = await Promise.all(
    PROGRAMS.map(({ output, ...input }) =>
      build({
        ...input,
        output: { dir: OUT, sourcemap: values.sourcemap ?? false, comments: false, ...output },
        checks: { ineffectiveDynamicImport: false },
      }),
    ),
  );
  const modules = built.flatMap(({ output }) =>
    output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])),
  );
  writeFileSync(join(OUT, "LICENSES.txt"), licencesOf(modules));
}

/** The licences of all bundled libraries. Packages of one project have the same text, which is long. */
function licencesOf(modules) {
  const folders = new Set(
    modules.flatMap((file) => /^[^\0].*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? []),
  );
  const namesByText = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : `${license}, ${author?.name ?? author}`;
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version}`]);
  }
  const licences = [...namesByText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return licences.join(`\n${"-".repeat(80)}\n\n`);
}

/** tsc writes the types of every source file; those that no import of the package can reach are removed. */
async function buildTypes() {
  await run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck", "--outDir", OUT);
  const named = JSON.stringify(exports).matchAll(/dist\/([\w/-]+\.d\.ts)/g);
  const reached = new Set([...named].map(([, path]) => join(OUT, path)));
  for (const file of reached) {
    for (const [, target] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      reached.add(resolve(dirname(file), target.replace(/\.[jt]s$/, ".d.ts")));
    }
  }
  for (const name of readdirSync("src", { recursive: true, encoding: "utf8" })) {
    const file = join(OUT, name.replace(/\.ts$/, ".d.ts"));
    if (name.endsWith(".ts") && !reached.has(file)) rmSync(file);
  }
}

function isBuilt() {
  return existsSync(STAMP) && existsSync(join(OUT, "cli.js")) && readFileSync(STAMP, "utf8") === stampOfSources();
}

/** Names, sizes and times: to read a thousand files would take as long as a start. */
function stampOfSources() {
  const hash = createHash("sha256");
  for (const place of SOURCES) {
    const names = statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: "utf8" }).sort()
      : [""];
    for (const name of names) {
      const { size, mtimeMs } = statSync(join(place, name));
      hash.update(`${place}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

async function timed(what, work) {
  const begun = performance.now();
  await work;
  stderr.write(`  ${what} in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
}

async function run(...args) {
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "close");
  if (code !== 0) process.exit(code ?? 1);
}

/**
 * Bundles the doors of the package: one file instead of seventy makes a start three times cheaper, and what is loaded
 * only when used stays in chunks of its own. The dependencies of package.json stay outside; other libraries are bundled,
 * and their licences collected: see docs/decisions/0016-few-packages-and-the-real-express.md.
 * The folder to build into may be given; it is `dist` otherwise. `--sourcemap` behind it adds source maps.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { minify } from "vite";
import { asScript, checkExports } from "./as-script.mjs";
import { buildWorkers, smallest } from "./build-worker.mjs";
import { buildWorkerParts, PARTS } from "./build-worker-parts.mjs";
import { builtFiles } from "./built-files.mjs";
import { mergeChunks } from "./merge-chunks.mjs";
import { partsOfEveryStart } from "./parts-of-every-start.mjs";
import { smallJson5 } from "./small-json5.mjs";
import { smallWithNames } from "./small-with-names.mjs";
import { webHalves } from "./web-halves.mjs";
import { withoutSpareImports } from "./without-spare-imports.mjs";

const OUT = relative(".", process.argv[2] ?? "dist").replaceAll("\\", "/");
const { dependencies, imports, version } = JSON.parse(readFileSync("package.json", "utf8"));

/** @type {import("esbuild").BuildOptions} */
const COMMON = {
  metafile: true,
  outdir: OUT,
  outbase: "src",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  external: Object.keys(dependencies),
  // The small CommonJS libraries inside want a require for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = /* @__PURE__ */ __createRequire(import.meta.url);',
  },
  sourcemap: process.argv.includes("--sourcemap"),
  logLevel: "warning",
};

/**
 * Libraries that are loaded on first use: `imports` of package.json names them, and the file of that name in `src/` has
 * the parts that we use. Every bundle shares the file that one is built into.
 */
const LIBRARIES = Object.fromEntries(
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => [`#${basename(file, ".ts")}`, `src/${file.replaceAll("\\", "/")}`])
    .filter(([name]) => name in imports),
);
const librariesApart = {
  name: "libraries-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind }) => {
      const name = `#${basename(path, ".ts")}`;
      return kind !== "entry-point" && name in LIBRARIES ? { path: name, external: true } : undefined;
    });
  },
};

/** The MCP SDK brings a JSON Schema validator that is larger than the rest of it, and is never asked. */
const withoutOtherValidator = {
  name: "without-other-validator",
  setup({ onResolve, onLoad }) {
    const validator = "export class DefaultJsonSchemaValidator {}";
    onResolve({ filter: /\/_shims$/ }, () => ({ path: "shims", namespace: "without-other-validator" }));
    onLoad({ filter: /./, namespace: "without-other-validator" }, () => ({
      contents: `import process from "node:process";\nexport { process };\n${validator}\n`,
    }));
  },
};

/** The schemas of our tools are written as JSON Schemas: what makes them of Zod's is a tenth of the MCP SDK, and never asked. */
const withoutSchemaWriter = {
  name: "without-schema-writer",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/ }, ({ path }) => {
      const names = [...readFileSync(path, "utf8").matchAll(/^export (?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      const none = 'const none = () => () => { throw new Error("Zod schemas are not written as JSON Schemas."); };';
      return {
        contents: `${none}\nexport { ${["process", ...names].map((name) => `none as ${name}`).join(", ")} };\n`,
      };
    });
  },
};

/** The features of a router are those whose doors it imports. */
const ROUTER = readFileSync("src/json-server/router.ts", "utf8");
/** Parts that a router never loads would only make its one file larger: a router has no console, no layers, no PostgreSQL. */
const withoutOtherParts = {
  name: "without-other-parts",
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind, importer }) => {
      if (kind !== "dynamic-import") return undefined;
      const [, door] = /(\/features\/[\w-]+\/feature\.ts)$/.exec(importer.replaceAll("\\", "/")) ?? [];
      const isOther = door !== undefined && !ROUTER.includes(door);
      return isOther ||
        /\/(console-routes|openapi-route|open-(?:postgres|tables))\.ts$/.test(path) ||
        /\blayers.registry\.ts$/.test(importer)
        ? { path, external: true }
        : undefined;
    });
  },
};

const main = await build({
  ...COMMON,
  entryPoints: { cli: "src/cli.ts", index: "src/index.ts", vite: "src/app/vite.ts" },
  plugins: [librariesApart, smallJson5],
  write: false,
});
// Source maps are for those who look into it, not for those who start it.
const files = COMMON.sourcemap ? main.outputFiles : await mergeChunks(main, await partsOfEveryStart(), COMMON.banner);
for (const { path, contents } of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
const core = files.reduce((one, other) => (other.contents.length > one.contents.length ? other : one));
if (!COMMON.sourcemap) checkExports(Buffer.from(core.contents).toString());
const module = await buildModule();
const ofParts = Object.values(PARTS).map(({ library }) => library);
const libraries = await Promise.all(
  Object.entries(LIBRARIES)
    .filter(([, file]) => !ofParts.includes(file))
    .map(([name, file]) => buildLibrary(name.slice(1), file)),
);
await writeSmallest(libraries);

// For the databases that json-server's middlewares and custom servers know: loaded when one is first touched.
const lodash = await build({
  stdin: {
    contents: 'module.exports = { lodash: require("lodash"), lodashId: require("lodash-id") };',
    resolveDir: resolve("."),
  },
  outfile: `${OUT}/lodash.cjs`,
  metafile: true,
  bundle: true,
  minify: true,
  legalComments: "none",
  platform: "node",
  format: "cjs",
  target: "node20.19",
  logLevel: "warning",
});

const web = await buildForWeb();
await writeSmallest([web]);
const workers = await buildWorkers({ outdir: `${OUT}/web`, version, sourcemap: COMMON.sourcemap });
const workerParts = await buildWorkerParts({ outdir: `${OUT}/web`, sourcemap: COMMON.sourcemap });
const workerFiles = [...workers.files, ...workerParts.flatMap((part) => part.files)];
for (const { path, contents } of workerFiles) writeFileSync(path, contents);

const alone = [module, lodash, ...workers.builds, ...workerParts, ...libraries];
writeLicences([main, web, ...alone]);
removeOthers([
  ...[...files, ...web.outputFiles].map(({ path }) => path),
  ...alone.flatMap(({ metafile }) => Object.keys(metafile.outputs)),
  ...["json-server/module.js", "LICENSES.txt"].map((name) => join(OUT, name)),
]);

// White space and names of variables are half of the package. Functions keep theirs, so that a stack can still be read.
if (!COMMON.sourcemap) {
  const written = builtFiles(OUT).filter((name) =>
    /^(?:(?:index|vite|chunks).*\.js|json-server.module\.cjs|lodash\.cjs)$/.test(name),
  );
  for (const name of written) {
    const file = join(OUT, name);
    writeFileSync(file, await smallWithNames(file, readFileSync(file, "utf8")));
  }
  const modules = builtFiles(OUT).filter((name) => /^(?:\w+|chunks.*|web.*)\.js$/.test(name));
  const texts = new Map(modules.map((name) => [join(OUT, name), readFileSync(join(OUT, name), "utf8")]));
  for (const [file, text] of withoutSpareImports(texts)) if (text !== texts.get(file)) writeFileSync(file, text);
  await writeScript(written.map((name) => join(OUT, name)).find((file) => basename(file) === basename(core.path)));
}

// The part of every client that `standin client` writes.
cpSync("clients", `${OUT}/clients`, { recursive: true });
// Parts of the workers that `standin browser` writes, whose size counts.
for (const part of ["page-worker.js", "page-console.js"]) {
  const file = `${OUT}/clients/${part}`;
  const { code } = await minify(file, readFileSync(file, "utf8"), { module: true, mangle: { toplevel: false } });
  writeFileSync(file, code);
}

/**
 * json-server's module API as CommonJS, for projects and test runners that cannot require an ES module. Who imports it
 * gets the same instance, so that a data file has one store in a process.
 */
async function buildModule() {
  const names = ["bodyParser", "create", "defaults", "rewriter", "router"];
  const types = ["Chain", "DefaultsOptions", "JsonServerRouter", "RouterDatabase", "RouterOptions"];
  const built = await build({
    ...COMMON,
    entryPoints: ["src/json-server/module.ts"],
    outExtension: { ".js": ".cjs" },
    splitting: false,
    format: "cjs",
    define: { "import.meta.url": "__moduleUrl" },
    banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    plugins: [withoutOtherParts, smallJson5],
  });
  writeFileSync(
    `${OUT}/json-server/module.js`,
    `import module from "./module.cjs";\nexport const { ${names.join(", ")} } = module;\nexport default module.default;\n`,
  );
  writeFileSync(
    `${OUT}/json-server/module.d.cts`,
    [
      'import type * as api from "./module.js" with { "resolution-mode": "import" };',
      "declare const jsonServer: typeof api.default;",
      "declare namespace jsonServer {",
      ...types.map((name) => `  export type ${name} = api.${name};`),
      "}",
      "export = jsonServer;",
      "",
    ].join("\n"),
  );
  return built;
}

/** Moves what every start runs into a script, whose compiled code is kept, and leaves a module that exports its values. */
async function writeScript(file) {
  const { script, names } = asScript(readFileSync(file, "utf8"));
  const name = `script-${createHash("sha256").update(script).digest("hex").slice(0, 8)}`;
  const runner = await build({
    stdin: {
      contents: [
        'import { createRequire } from "node:module";',
        'import { fileURLToPath } from "node:url";',
        'import { runScript } from "./src/base/files/run-script.ts";',
        "const path = (name) => fileURLToPath(new URL(name, import.meta.url));",
        `const run = runScript(path("./${name}.cjs"), { folder: path("../../.compile-cache"), name: "${name}" });`,
        "export const values = run(createRequire(import.meta.url), (name) => import(name), import.meta);",
      ].join("\n"),
      resolveDir: resolve("."),
    },
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "warning",
  });
  writeFileSync(join(dirname(file), `${name}.cjs`), script);
  const [{ text }] = runner.outputFiles;
  const [, local] = /export\{([\w$]+) as values\};\s*$/.exec(text);
  writeFileSync(file, `${text.replace(/export\{[^}]*\};\s*$/, "")}export const[${names}]=${local};\n`);
}

/** `standin/fetch`, for any runtime: nothing of Node is in it. Parts that few services use are chunks of their own. */
async function buildForWeb() {
  const entry = "src/app/fetch.ts";
  const built = await build({
    ...COMMON,
    entryPoints: { "chunks/core": entry },
    outdir: `${OUT}/web`,
    platform: "browser",
    target: "es2022",
    banner: {},
    define: { STANDIN_VERSION: JSON.stringify(version) },
    minifySyntax: !COMMON.sourcemap,
    legalComments: "none",
    plugins: [librariesApart, smallJson5, webHalves()],
    write: false,
  });
  const [, { exports }] = Object.entries(built.metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  const door = `export { ${exports.join(", ")} } from "./chunks/core.js";\n`;
  const parts = COMMON.sourcemap ? built.outputFiles : await mergeChunks(built, [entry]);
  const outputFiles = [...parts, { path: resolve(OUT, "web/fetch.js"), contents: Buffer.from(door) }];
  return { metafile: built.metafile, outputFiles };
}

/** Writes what was built, after a second pass. */
async function writeSmallest(builds) {
  const files = builds.flatMap(({ outputFiles }) => outputFiles);
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, (await smallest(path, contents, COMMON.sourcemap)).contents);
  }
}

function buildLibrary(name, file) {
  return build({
    ...COMMON,
    outdir: undefined,
    outbase: undefined,
    chunkNames: undefined,
    splitting: false,
    entryPoints: [file],
    outfile: imports[`#${name}`].replace("./dist", OUT),
    minify: !COMMON.sourcemap,
    legalComments: "none",
    plugins: [withoutOtherValidator, withoutSchemaWriter],
    write: false,
    // Pages load it, too.
    ...(imports[`#${name}`].includes("/web/") && { platform: "browser", banner: {} }),
  });
}

/** Removes files of an earlier build. Last, so that a server started from it has loaded what it needs. */
function removeOthers(built) {
  const made = new Set(built.map((path) => resolve(path)));
  const scripts = builtFiles(OUT).filter((name) => /\.(c?js|map|txt)$/.test(name));
  for (const name of scripts) if (!made.has(resolve(OUT, name))) rmSync(join(OUT, name));
}

/** Writes the licences of all bundled libraries. */
function writeLicences(builds) {
  const files = builds.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const folders = new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  // Packages of one project have the same text, which is long.
  const namesByText = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const text = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const told = text ? readFileSync(`${folder}/${text}`, "utf8").trim() : `${license}, ${author?.name ?? author}`;
    namesByText.set(told, [...(namesByText.get(told) ?? []), `${name} ${version}`]);
  }
  const licences = [...namesByText].map(([told, names]) => `${names.join("\n")}\n\n${told}\n`);
  writeFileSync(`${OUT}/LICENSES.txt`, licences.join(`\n${"-".repeat(80)}\n\n`));
}

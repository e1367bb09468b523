import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { minify } from "vite";
import { smallLibraries } from "./small-libraries.mjs";
import { smallPatterns } from "./small-patterns.mjs";
import { webHalves } from "./web-halves.mjs";

/**
 * Imports at once what others import when they need it, since service workers bar `import()`; the whole is smaller, too.
 *
 * @type {import("esbuild").Plugin}
 */
export const importsAtOnce = {
  name: "imports-at-once",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const imports = [];
      const imported = (target) => {
        imports.push(`import * as imported${imports.length} from ${target};`);
        return `imported${imports.length - 1}`;
      };
      const text = withoutHelp(readFileSync(path, "utf8"))
        // By its name, a member needs no object of all of them.
        .replace(/\(await import\(("[^"]+")\)\)(?=\.\w)/g, (_, target) => imported(target))
        .replace(/(?<!typeof )\bimport\(("[^"]+")\)/g, (_, target) => `Promise.resolve(${imported(target)})`);
      return { contents: `${text}\n${imports.join("\n")}`, loader: "ts" };
    });
  },
};

/** Of an option, a program needs the default alone; the rest is for flags, files and their help. */
const OPTION_TABLE = /^(?:export )?const \w+ = \{\n.*?^\} as const satisfies OptionTable;$/gms;
const FOR_FLAGS =
  /\b(?:aliases|bareWarning|choices|help|name|only|placeholder|schema|type):\s*(?:"[^"]*"(?:\s*\+\s*"[^"]*")*|'[^']*'|`[^`]*`|\[[^\]]*\]|[A-Z_]+)\s*,?/g;

function withoutHelp(text) {
  return text.replace(OPTION_TABLE, (table) => table.replace(FOR_FLAGS, ""));
}

/** Leaves out parts that are imported, but never run. @returns {import("esbuild").Plugin} */
const without = (...filters) => ({
  name: "without",
  setup({ onResolve, onLoad }) {
    for (const filter of filters) onResolve({ filter }, ({ path }) => ({ path, namespace: "left-out" }));
    onLoad({ filter: /./, namespace: "left-out" }, () => ({ contents: "" }));
  },
});

/** A worker has no rules to describe. */
const DESCRIBED_RULES =
  /\/(?:rules\/(?:components|definitions|ruled-(?:parameters|relations|schemas)|schema-types)|ruled-fields|violations-schema)\.ts$/;
/** No program holds the service of a worker. */
const PROGRAMS = /\/(?:sandbox-scope|batch-of-program)\.ts$/;
/** Without the console, a service does not describe its routes. */
const DESCRIBED_ROUTES = /\/openapi\.ts$/;

/** Folders of the parts in files of their own, which throw errors of the whole worker. */
const PARTS = ["src/features/files", "src/features/rules", "src/schema/rules"];

/**
 * Leaves out the errors that none of these modules throws, and none of the parts in these folders.
 *
 * @returns {import("esbuild").Plugin}
 */
function withoutOtherErrors(modules, parts) {
  const ofParts = parts.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
  const sources = [...modules, ...ofParts].filter((file) => file.endsWith(".ts") && !ERRORS.test(file));
  const text = sources.map((file) => readFileSync(file, "utf8")).join("\n");
  return {
    name: "without-other-errors",
    setup({ onLoad }) {
      onLoad({ filter: ERRORS }, ({ path }) => ({
        contents: readFileSync(path, "utf8").replace(/^ {2}([A-Z_]+): \{ status.*\n/gm, (row, code) =>
          text.includes(code) ? row : "",
        ),
        loader: "ts",
      }));
    },
  };
}

const ERRORS = /[\\/]base[\\/]errors\.ts$/;

/**
 * `standin/worker`, one file with all libraries in it: a service worker loads nothing later. `worker-small` is the same
 * without the console, the description of the API, and patterns.
 */
export async function buildWorkers({ outdir, version, sourcemap = false, plugins = [] }) {
  const common = {
    outdir,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    define: { STANDIN_VERSION: JSON.stringify(version) },
    minify: !sourcemap,
    legalComments: "none",
    metafile: true,
    sourcemap,
    write: false,
    logLevel: "warning",
    logOverride: { "import-is-undefined": "silent" },
  };
  const left = [DESCRIBED_RULES, PROGRAMS];
  const whole = [...plugins, without(...left), smallLibraries, smallPatterns, webHalves("worker"), importsAtOnce];
  const leftOfSmall = without(...left, DESCRIBED_ROUTES);
  const small = [...plugins, leftOfSmall, smallLibraries, webHalves("small", "worker"), importsAtOnce];
  const builds = await Promise.all([
    buildTwice({ ...common, entryPoints: { worker: "src/app/worker.ts" }, plugins: whole }, PARTS),
    buildTwice({ ...common, entryPoints: { "worker-small": "src/app/worker-small.ts" }, plugins: small }, []),
  ]);
  const files = builds.flatMap(({ outputFiles }) => outputFiles);
  return { builds, files: await Promise.all(files.map(({ path, contents }) => smallest(path, contents, sourcemap))) };
}

/** Only the first build knows the modules, and with them the errors. */
async function buildTwice(options, parts) {
  const { metafile } = await build(options);
  const modules = Object.keys(metafile.inputs).filter((file) => file.startsWith("src/"));
  return build({ ...options, plugins: [withoutOtherErrors(modules, parts), ...options.plugins] });
}

/** A second pass makes it a tenth smaller. */
export async function smallest(path, built, isWhole) {
  if (isWhole) return { path, contents: built };
  const treeshake = { propertyReadSideEffects: false, unknownGlobalSideEffects: false };
  const compress = { target: "es2022", treeshake };
  const text = Buffer.from(built).toString();
  const { code, errors } = await minify(path, text, { module: true, sourcemap: false, compress });
  if (errors?.length > 0) throw new Error(errors[0].message);
  // One letter beyond Latin-1 would double the script in memory, and a browser would take longer to read it.
  const contents = code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { path, contents };
}

import { basename, relative, resolve } from "node:path";
import { build } from "esbuild";
import { importsAtOnce, smallest } from "./build-worker.mjs";
import { webHalves } from "./web-halves.mjs";

/** Modules that the worker lends, for two copies would not know each other: see src/features/rules/open-rules.worker.ts. */
const SHARED = [
  "src/base/errors.ts",
  "src/base/json/exact/exact-number.ts",
  "src/base/platform/linear-patterns.ts",
  "src/store/record-rules.ts",
];

/** @type {import("esbuild").Plugin} */
const lent = {
  name: "lent",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const file = relative(".", resolve(resolveDir, path)).replaceAll("\\", "/");
      return SHARED.includes(file) ? { path: basename(file, ".ts"), external: true } : undefined;
    });
  },
};

/** `standin/worker/rules`: the compiler of rules, which `standin/worker` finds in the same script. */
export async function buildWorkerRules({ outdir, sourcemap = false }) {
  const { metafile, outputFiles } = await build({
    entryPoints: { "worker-rules": "src/features/rules/open-rules.ts" },
    outdir,
    bundle: true,
    format: "cjs",
    platform: "browser",
    target: "es2022",
    minify: !sourcemap,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
    plugins: [lent, webHalves(), importsAtOnce],
  });
  const [{ path, contents }] = outputFiles;
  const code = Buffer.from(contents).toString();
  const script =
    'globalThis[Symbol.for("standin.rules")] = (require) => {\n' +
    `const module = { exports: {} };\n${code}\nreturn module.exports;\n};\n`;
  return { metafile, files: [await smallest(path, script, sourcemap)] };
}

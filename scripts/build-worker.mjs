import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { minify } from "vite";
import { webHalves } from "./web-halves.mjs";

/**
 * Imports at once what others import when they need it, since service workers bar `import()`; the whole is smaller, too.
 *
 * @type {import("esbuild").Plugin}
 */
const importsAtOnce = {
  name: "imports-at-once",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const imports = [];
      const text = readFileSync(path, "utf8").replace(/(?<!typeof )\bimport\(("[^"]+")\)/g, (_, target) => {
        imports.push(`import * as imported${imports.length} from ${target};`);
        return `Promise.resolve(imported${imports.length - 1})`;
      });
      return { contents: `${text}\n${imports.join("\n")}`, loader: "ts" };
    });
  },
};

/** `standin/worker`, one file with all libraries in it: a service worker loads nothing later. */
export async function buildWorker({ outdir, version, sourcemap = false, plugins = [] }) {
  const { metafile, outputFiles } = await build({
    entryPoints: { worker: "src/app/worker.ts" },
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
    plugins: [...plugins, webHalves("worker"), importsAtOnce],
  });
  const files = await Promise.all(outputFiles.map(({ path, contents }) => smallest(path, contents, sourcemap)));
  return { metafile, files };
}

/** A second pass makes it a tenth smaller. */
async function smallest(path, contents, isWhole) {
  if (isWhole) return { path, contents };
  const { code, errors } = await minify(path, Buffer.from(contents).toString(), { module: true, sourcemap: false });
  if (errors?.length > 0) throw new Error(errors[0].message);
  return { path, contents: code };
}

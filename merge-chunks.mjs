import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";

/**
 * What a start and the parts loaded later share, esbuild cuts into many chunks, and to open each takes a millisecond of
 * every start. This puts all that an entry point needs at once into its own file. The chunks stay for the parts loaded
 * later, but only name what is in that file. Takes a build that was not written; changes its files.
 */
export async function mergeChunks({ outputFiles, metafile: { outputs } }, entryPoint) {
  const start = Object.keys(outputs).find((path) => outputs[path].entryPoint === entryPoint);
  const paths = new Set([start]);
  for (const path of paths) {
    for (const { kind, path: imported } of outputs[path].imports) {
      if (kind === "import-statement" && imported in outputs) paths.add(imported);
    }
  }
  const chunks = [...paths].map((path, position) => ({
    name: basename(path),
    file: outputFiles.find((one) => one.path === resolve(path)),
    // Two chunks may use a name for different things.
    exported: outputs[path].exports.map((name) => [name, position === 0 ? name : `$${position}_${name}`]),
  }));
  const merged = await build({
    stdin: {
      contents: chunks.map(({ name, exported }) => reexport(name, exported)).join(""),
      resolveDir: dirname(resolve(start)),
    },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20.19",
    plugins: [inMemory(outputFiles)],
    logLevel: "warning",
  });
  const [{ name: core }] = chunks;
  for (const { file, exported } of chunks.slice(1)) {
    file.contents = Buffer.from(
      reexport(
        core,
        exported.map(([name, alias]) => [alias, name]),
      ),
    );
  }
  chunks[0].file.contents = merged.outputFiles[0].contents;
}

function reexport(from, names) {
  return `export { ${names.map(([name, alias]) => `${name} as ${alias}`).join(", ")} } from "./${from}";\n`;
}

/** What is loaded later stays outside, and so do libraries. */
function inMemory(files) {
  return {
    name: "in-memory",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "import-statement" || !path.startsWith("./")) return { path, external: true };
        return { path: join(resolveDir, path), namespace: "memory" };
      });
      onLoad({ filter: /./, namespace: "memory" }, ({ path }) => ({
        contents: files.find((file) => file.path === path).contents,
        resolveDir: dirname(path),
      }));
    },
  };
}

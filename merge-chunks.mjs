import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";

/**
 * What a start and the parts loaded later share, esbuild cuts into many chunks, and to open each takes a millisecond of
 * every start. This puts all that the first part needs at once into its own file, together with other parts that are
 * always loaded. The chunks stay for the parts loaded later, but only name what is in that file. Takes a build that was
 * not written; changes its files.
 */
export async function mergeChunks({ outputFiles, metafile: { outputs } }, parts) {
  const entries = parts.map((part) => {
    const path = Object.keys(outputs).find((one) => outputs[one].entryPoint === part);
    if (path === undefined) throw new Error(`${part} is no longer loaded as a part of its own; see build.mjs.`);
    return path;
  });
  const paths = new Set(entries);
  for (const path of paths) {
    for (const { kind, path: imported } of outputs[path].imports) {
      if (kind === "import-statement" && imported in outputs) paths.add(imported);
    }
  }
  const chunks = [...paths].map((path, position) => ({
    name: basename(path),
    file: outputFiles.find((one) => one.path === resolve(path)),
    // Two chunks may use a name for different things; whoever imports a part asks for its own names.
    exported: outputs[path].exports.map((name) => [name, position < entries.length ? name : `$${position}_${name}`]),
  }));
  const [{ name: core }] = chunks;
  const merged = await build({
    stdin: {
      contents: chunks.map(({ name, exported }) => reexport(name, exported)).join(""),
      resolveDir: dirname(resolve(entries[0])),
    },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20.19",
    plugins: [inMemory(outputFiles, (code) => entries.reduce((text, entry) => importFrom(text, entry, core), code))],
    logLevel: "warning",
  });
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

/** A part that is in the file already need not be opened. */
function importFrom(code, part, core) {
  return code.replaceAll(`import("./${basename(part)}")`, `import("./${core}")`);
}

function reexport(from, names) {
  return `export { ${names.map(([name, alias]) => `${name} as ${alias}`).join(", ")} } from "./${from}";\n`;
}

/** What is loaded later stays outside, and so do libraries. */
function inMemory(files, change) {
  return {
    name: "in-memory",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "import-statement" || !path.startsWith("./")) return { path, external: true };
        return { path: join(resolveDir, path), namespace: "memory" };
      });
      onLoad({ filter: /./, namespace: "memory" }, ({ path }) => ({
        contents: change(files.find((file) => file.path === path).text),
        resolveDir: dirname(path),
      }));
    },
  };
}

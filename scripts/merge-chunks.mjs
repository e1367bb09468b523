import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";

/**
 * esbuild cuts the code that a start and later parts share into many chunks, and to open each takes a millisecond of
 * every start. This puts all that the first part needs at once into its own file, together with other parts that are
 * always loaded. Files that imported those chunks import from that file instead, which has the banner of them all once.
 * Takes a build that was not written; returns the files to write.
 */
export async function mergeChunks({ outputFiles, metafile: { outputs } }, parts, banner = { js: "" }) {
  const entries = parts.map((part) => {
    const path = Object.keys(outputs).find((one) => outputs[one].entryPoint === part);
    if (path === undefined) throw new Error(`${part} is no longer loaded as a part of its own; see scripts/build.mjs.`);
    return path;
  });
  const paths = new Set(entries);
  for (const path of paths) {
    for (const { kind, path: imported } of outputs[path].imports) {
      if (kind === "import-statement" && imported in outputs) paths.add(imported);
    }
  }
  addSmallChunks(outputs, paths);
  let count = 0;
  const chunks = [...paths].map((path, position) => ({
    name: basename(path),
    file: outputFiles.find((one) => one.path === resolve(path)),
    // Two chunks may use a name for different things; whoever imports a part asks for its own names.
    exported: outputs[path].exports.map((name) => [
      name,
      position < entries.length ? name : `$${(count++).toString(36)}`,
    ]),
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
    banner,
    plugins: [
      inMemory(outputFiles, (code) =>
        entries.reduce((text, entry) => importFrom(text, entry, core), code.replace(banner.js, "")),
      ),
    ],
    logLevel: "warning",
  });
  const names = new Map(chunks.map(({ name, exported }) => [name, new Map(exported)]));
  const kept = outputFiles.filter(({ path }) => basename(path) === core || !names.has(basename(path)));
  return kept.map(({ path, text }) => ({
    path,
    contents: basename(path) === core ? merged.outputFiles[0].contents : importMerged(text, names, core),
  }));
}

/** Chunks that are hardly longer than what a file of its own costs, and that need nothing but what is merged. */
function addSmallChunks(outputs, paths) {
  const isSmall = (path) =>
    !paths.has(path) &&
    outputs[path].entryPoint === undefined &&
    outputs[path].bytes < MAX_SMALL &&
    outputs[path].imports.every(({ path: imported }) => paths.has(imported) || !(imported in outputs));
  for (let found = [...paths]; found.length > 0; ) {
    found = Object.keys(outputs).filter((path) => path.endsWith(".js") && isSmall(path));
    for (const path of found) paths.add(path);
  }
}

const MAX_SMALL = 800;

/** Imports from the merged file, under the names that things have there. */
function importMerged(code, names, core) {
  const changed = code
    .replace(/import \{([^}]*)\} from "(\.\/(?:chunks\/)?)([\w-]+\.js)";/g, (whole, list, folder, file) => {
      const aliases = names.get(file);
      if (!aliases) return whole;
      const imported = list.split(",").map((one) => {
        const [name, local = name] = one.trim().split(" as ");
        return `${aliases.get(name)} as ${local}`;
      });
      return `import { ${imported.join(", ")} } from "${folder}${core}";`;
    })
    .replace(/import(\(?| )"(\.\/(?:chunks\/)?)([\w-]+\.js)"/g, (whole, how, folder, file) =>
      names.has(file) ? `import${how}"${folder}${core}"` : whole,
    );
  const left = [...names.keys()].find((name) => name !== core && changed.includes(name));
  if (left) throw new Error(`${left} is merged, but still imported; see scripts/merge-chunks.mjs.`);
  return changed;
}

/** A part that is in the file already need not be opened. */
function importFrom(code, part, core) {
  return code.replaceAll(`import("./${basename(part)}")`, `import("./${core}")`);
}

function reexport(from, names) {
  return `export { ${names.map(([name, alias]) => `${name} as ${alias}`).join(", ")} } from "./${from}";\n`;
}

/** Parts that are loaded later stay outside, and so do libraries. */
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

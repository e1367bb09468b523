import { relative, resolve } from "node:path";
import { build } from "esbuild";
import { importsAtOnce, smallest } from "./build-worker.mjs";
import { webHalves } from "./web-halves.mjs";

/**
 * Parts of a worker in files of their own, with the modules that the worker lends them: two copies would not know each
 * other, or would only take room. See src/features/rules/open-rules.worker.ts, for one.
 */
export const PARTS = {
  rules: {
    entry: "src/features/rules/open-rules.ts",
    shared: [
      "src/base/errors.ts",
      "src/base/json/exact/exact-number.ts",
      "src/base/platform/linear-patterns.ts",
      "src/store/record-rules.ts",
    ],
    library: "src/schema/rules/ajv.ts",
  },
  files: {
    entry: "src/features/files/open-uploads.ts",
    shared: [
      "src/base/errors.ts",
      "src/base/json/json.ts",
      "src/base/json/exact/exact-number.ts",
      "src/base/platform/crypto.ts",
      "src/features/rules/feature.ts",
      "src/http/body/body-type.ts",
      "src/http/call.ts",
      "src/http/pipeline.ts",
      "src/http/response/headers.ts",
      "src/http/router.ts",
      "src/http/routes/carry-out.ts",
      "src/store/slice.ts",
    ],
  },
  time: {
    entry: "src/features/hooks/open-hooks.ts",
    shared: [
      "src/base/background-timer.ts",
      "src/base/errors.ts",
      "src/base/json/json.ts",
      "src/base/nearest.ts",
      "src/base/platform/crypto.ts",
      "src/base/secrets/mask-body.ts",
      "src/base/secrets/mask-text.ts",
      "src/base/waiting-readers.ts",
      "src/features/live/feature.ts",
      "src/features/openapi-source/feature.ts",
      "src/features/rules/feature.ts",
      "src/features/sandboxes/feature.ts",
      "src/http/response/reply.ts",
      "src/http/routes/carry-out.ts",
      "src/openapi/write/parts.ts",
      "src/openapi/write/server-operations.ts",
      "src/query/filter.ts",
      "src/query/parse-query.ts",
      "src/store/ids.ts",
      "src/store/stored-record.ts",
    ],
  },
};

/** Modules are lent under the names of their files; every feature has a `feature.ts`. */
function lentName(file) {
  const [folder, name] = file.replace(/\.ts$/, "").split("/").slice(-2);
  return name === "feature" ? `${folder}/${name}` : name;
}

/** @returns {import("esbuild").Plugin} */
export const lent = (shared) => ({
  name: "lent",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const file = relative(".", resolve(resolveDir, path)).replaceAll("\\", "/");
      return shared.includes(file) ? { path: lentName(file), external: true } : undefined;
    });
  },
});

/**
 * `standin/worker/rules`, `standin/worker/files` and `standin/worker/time`, which `standin/worker` finds in the same
 * script. A library is in the package only once, in the part that needs it: a module beside it passes it on.
 */
export async function buildWorkerParts(options) {
  return (await Promise.all(Object.entries(PARTS).map(([name, part]) => buildPart(name, part, options)))).flat();
}

async function buildPart(name, { entry, shared, library }, options) {
  const part = await buildCode(`worker-${name}`, entry, library ? [...shared, library] : shared, options);
  const start = `globalThis[Symbol.for("standin.${name}")] = (require) => {\n`;
  const script = `${start}const module = { exports: {} };\n${part.code}\nreturn module.exports;\n};\n`;
  if (!library) return [await written(part, script, options)];
  const own = lentName(library);
  const built = await buildCode(own, library, [], options);
  const place = `globalThis[Symbol.for("standin.${own}")]`;
  const whole = `${place} = () => {\nconst module = { exports: {} };\n${built.code}\nreturn module.exports;\n};\n`;
  const lending = `const lend = require;\nrequire = (name) => name === "${own}" ? ${place}() : lend(name);\n`;
  return [
    await written(part, `${whole}${script.replace(start, () => `${start}${lending}`)}`, options),
    await written(built, `import "./worker-${name}.js";\nexport const { ${own} } = ${place}();\n`, options),
  ];
}

async function buildCode(name, entry, shared, { outdir, sourcemap = false }) {
  const { metafile, outputFiles } = await build({
    entryPoints: { [name]: entry },
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
    plugins: [lent(shared), webHalves(), importsAtOnce],
  });
  const [{ path, contents }] = outputFiles;
  return { metafile, path, code: Buffer.from(contents).toString() };
}

async function written({ metafile, path }, script, { sourcemap = false }) {
  return { metafile, files: [await smallest(path, script, sourcemap)] };
}

import { build } from "esbuild";
import { expect, test } from "vitest";
import { createProject } from "../support/installed-project.ts";

const PAGE =
  'import { createFetch, methods } from "standin/fetch";\nexport const open = createFetch;\nexport { methods };\n';

test("the packed standin/fetch bundles for browsers, without anything of Node", async () => {
  const { metafile, warnings } = await build({
    absWorkingDir: createProject({ "page.ts": PAGE }),
    entryPoints: ["page.ts"],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outdir: "out",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  const outputs = Object.values(metafile.outputs);
  expect(outputs.length).toBeGreaterThan(10);
  expect(outputs.flatMap(({ imports }) => imports.filter(({ external }) => external))).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((file) => /standin\/dist\/(?!web\/)/.test(file))).toEqual([]);
});

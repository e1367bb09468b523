import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createProject, packedPackage } from "../support/installed-project.ts";
import { testAtLength } from "../support/soak.ts";

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

test("the types of pages and workers lead to no type of Node or of another package", () => {
  const { folder } = packedPackage("standin");
  const reached = new Set(["fetch", "worker"].map((door) => join(folder, `dist/app/${door}.d.ts`)));
  const foreign: string[] = [];
  for (const file of reached) {
    const text = readFileSync(file, "utf8").replace(/\/\*.*?\*\//gs, "");
    for (const [, target = ""] of text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([^"]+)"/g)) {
      if (target.startsWith(".")) reached.add(resolve(dirname(file), target.replace(/\.[jt]s$/, ".d.ts")));
      else foreign.push(`${file}: ${target}`);
    }
    for (const [name] of text.matchAll(/\b(?:Buffer|NodeJS|AsyncDisposable)\b/g)) foreign.push(`${file}: ${name}`);
  }
  expect(reached.size).toBeGreaterThan(20);
  expect(foreign).toEqual([]);
});

const TYPED_PAGE = `import { createFetch, methods, type StandinFetch, StandinError } from "standin/fetch";
interface Data { posts: { id: number; title: string }[] }
const api: StandinFetch<Data> = await createFetch<Data>({ data: () => fetch("data.json"), base: "/api" });
const response: Response = await api.fetch(new Request("http://localhost/api/posts"));
const { title }: { title: string } = await api.db.posts.update(1, { title: "Cap" });
const matched: Promise<Response> | undefined = api.match(new Request("http://localhost/api/posts"));
// @ts-expect-error: there is no such collection
api.db.comments;
// @ts-expect-error: a page has no files
createFetch({ source: "db.json" });
api.faults.add({ fault: "status", status: 503 });
for (const { url, status } of api.requests({ method: "GET" })) url.slice(status);
const stop: () => void = api.on("change", ({ collection }) => collection);
export const { GET, POST } = methods(api);
export { matched, response, StandinError, stop, title };
`;

const TYPED_WORKER = `import { serve } from "standin/worker";
serve({ data: { posts: [{ id: 1 }] }, base: "/api", persist: "indexeddb", name: "shop" });
`;

const DISPOSED = `import { createFetch } from "standin/fetch";
await using api = await createFetch({ data: { posts: [{ id: 1 }] } });
await using sandbox = api.sandbox();
export const disposables: AsyncDisposable[] = [api, sandbox];
`;

testAtLength("the types of pages and workers need no types of Node", async () => {
  const cwd = createProject({ "page.ts": TYPED_PAGE, "sw.ts": TYPED_WORKER, "disposed.ts": DISPOSED });
  const programs = [
    ["page.ts", "es2022,dom,dom.iterable"],
    ["sw.ts", "es2022,webworker"],
    ["disposed.ts", "es2022,esnext.disposable,dom"],
  ].map(([name, lib]) => [
    ..."--noEmit --strict --target es2022 --module esnext --moduleResolution bundler".split(" "),
    ...["--typeRoots", "none", "--lib", lib, name],
  ]);
  const args = [resolve("test/support/type-check.mjs"), JSON.stringify(programs)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  expect(JSON.parse(stdout)).toEqual(["", "", ""]);
});

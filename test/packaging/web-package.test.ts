import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createProject } from "../support/installed-project.ts";
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

const TYPED_WORKER = ["worker", "worker-small"]
  .map((name, at) => {
    const call = `serve${at}({ data: { posts: [{ id: 1 }] }, base: "/api", persist: "indexeddb", name: "shop" });`;
    return `import { serve as serve${at} } from "standin/${name}";\n${call}\n`;
  })
  .join("");

testAtLength("the types of pages and workers need no types of Node where libraries are not checked", async () => {
  const cwd = createProject({ "page.ts": TYPED_PAGE, "sw.ts": TYPED_WORKER });
  const programs = [
    ["page.ts", "es2022,dom,dom.iterable"],
    ["sw.ts", "es2022,webworker"],
  ].map(([name, lib]) => [
    ..."--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler".split(" "),
    ...["--typeRoots", "none", "--lib", lib, name],
  ]);
  const args = [resolve("test/support/type-check.mjs"), JSON.stringify(programs)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  expect(JSON.parse(stdout)).toEqual(["", ""]);
});

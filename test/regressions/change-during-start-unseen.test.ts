import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Baseline } from "../../src/app/baseline.ts";
import { type Followed, followChanges, followedData, followedFile } from "../../src/app/follow-changes.ts";
import type { Service } from "../../src/http/contract.ts";
import { noRewriting } from "../../src/http/edge.ts";
import { DEFAULT_SETTINGS } from "../../src/http/settings.ts";
import type { Watcher } from "../../src/store/file/watch-folders.ts";
import type { Store } from "../../src/store/store.ts";
import { databaseOf, opened } from "../durability/opened.ts";
import { asFile, eventually } from "../durability/place.ts";
import { createFolder, printed } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

const watchers: Watcher[] = [];

afterEach(() => {
  for (const watcher of watchers.splice(0)) watcher.close();
});

function edgeOf(store: Store, said: string[] = []): Service {
  const say = (text: string) => void said.push(text);
  const reporter = { note: say, done: say, warn: say };
  return { store, reporter, steps: [], rewriter: noRewriting, settings: DEFAULT_SETTINGS } as unknown as Service;
}

function follow(store: Store, source: string): void {
  const service = edgeOf(store);
  const baseline = new Baseline();
  watch(service, followedData(service, source, baseline), baseline);
}

function watch(edge: Service, served: Followed | undefined, baseline: Baseline): void {
  watchers.push(followChanges({ edge, routes: undefined, startFiles: [], served: served ? [served] : [], baseline }));
}

for (const memory of [false, true]) {
  test(`a data file that changes after it was loaded and before it is watched${memory ? ", with --memory" : ""}`, async () => {
    const folder = createFolder({ "db.json": asFile({ notes: [] }) });
    const { store } = await opened(folder, { followsOutside: true, memory });
    writeFileSync(join(folder, "db.json"), asFile({ notes: [{ id: 7 }] }));
    follow(store, join(folder, "db.json"));
    await eventually(async () => JSON.stringify(await databaseOf(store)) === '{"notes":[{"id":7}]}');
  });
}

test("a folder in which files change, come and go after it was loaded and before it is watched", async () => {
  const folder = createFolder({ "a.json": "[]", "b.json": "[]" });
  const { store } = await opened(folder, { source: ".", followsOutside: true });
  writeFileSync(join(folder, "a.json"), asFile([{ id: 1 }]));
  rmSync(join(folder, "b.json"));
  writeFileSync(join(folder, "c.json"), "[]");
  follow(store, folder);
  await eventually(async () => JSON.stringify(await databaseOf(store)) === '{"a":[{"id":1}],"c":[]}');
});

test("a file of examples that changes while it is loaded", async () => {
  const folder = createFolder({ "examples.json": "{}" });
  const file = join(folder, "examples.json");
  const { store } = await opened(createFolder({ "db.json": "{}" }));
  const baseline = new Baseline([file]);
  writeFileSync(file, '{ "new": true }');
  const said: string[] = [];
  const edge = edgeOf(store, said);
  let reloads = 0;
  const reload = async () => void reloads++;
  watch(edge, followedFile({ file, edge, baseline, content: "examples", reload }), baseline);
  await eventually(() => said.length > 0);
  expect([reloads, said]).toEqual([1, [`Reloaded ${file} (changed on disk).`]]);
});

test("a rewrite file and an interceptor that change after they were read, in the middle of the start", async () => {
  const folder = createFolder({
    "db.json": { notes: [{ id: 1 }] },
    "routes.json": { "/old": "/notes/1" },
    // Interceptors are loaded after the rewrite rules.
    "mine.cjs": `const { writeFileSync } = require("node:fs");
      writeFileSync("routes.json", '{ "/new": "/notes/1" }');
      writeFileSync("mine.cjs", "module.exports = (req, res, next) => res.set('X-Version', '2') && next();");
      module.exports = (req, res, next) => next();`,
  });
  const server = await serveKept(["--watch", "--routes", "routes.json", "--middlewares", "./mine.cjs"], folder);
  await printed(server, /Reloaded routes\.json \(changed on disk\)/);
  await printed(server, /Reloaded \.\/mine\.cjs \(changed on disk\)/);
  const response = await fetch(`${server.url}/new`);
  expect([response.status, response.headers.get("X-Version")]).toEqual([200, "2"]);
  await server.stop();
});

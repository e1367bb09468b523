import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { testAtLength } from "../support/soak.ts";
import { ask } from "./client.ts";
import { crashedFolder, journalText, leaveJournal } from "./journal-file.ts";
import { create, databaseOf, opened } from "./opened.ts";
import { asFile, contentOf, crash, databaseAt, eventually, filesIn, untilSaved } from "./place.ts";
import { need } from "./spawned.ts";

const DATA = { notes: [{ id: 1 }], profile: { name: "Ann" } };

/** Whether a project in this folder would find a tool, there or in a parent folder. */
function hasTool(folder: string, name: string): boolean {
  try {
    createRequire(join(folder, "data.ts")).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Makes files, folders above them included. */
function tree(files: Readonly<Record<string, string>>): string {
  const folder = createFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe.concurrent("a folder with one file per collection", () => {
  const files = { "data/notes.json": asFile(DATA.notes), "data/profile.json": asFile(DATA.profile) };

  test("each is written back to its own file, and only those that changed", async () => {
    const folder = tree({
      ...files,
      "data/my%20list.json": "[]",
      "data/README.md": "theirs",
      "data/.hidden.json": "[]",
    });
    const server = await serveKept(["data"], folder);
    expect(server.output.stdout).toMatch(/Saved to {2}\S+\/data\n/);
    expect(await databaseAt(server.url)).toEqual({ "my list": [], ...DATA });
    const { ino } = statSync(join(folder, "data/profile.json"));
    await ask(server.url, "POST", "/notes", [{ n: 2 }, { n: 3 }]);
    await ask(server.url, "POST", "/my%20list", { n: 1 });
    await untilSaved(folder, (data) => (data as unknown as unknown[]).length === 3, "data/notes.json");
    expect(await server.stop()).toBe(0);
    expect(contentOf(folder)).toEqual({
      "data/.hidden.json": "[]",
      "data/README.md": "theirs",
      "data/my%20list.json": asFile([{ n: 1, id: 1 }]),
      "data/notes.json": asFile([{ id: 1 }, { n: 2, id: 2 }, { n: 3, id: 3 }]),
      "data/profile.json": files["data/profile.json"],
    });
    expect(statSync(join(folder, "data/profile.json")).ino).toBe(ino);
  });

  test("acknowledged changes of several files survive a crash", async () => {
    const folder = tree(files);
    const server = await serveCli(["data"], folder);
    const { body } = await ask(server.url, "POST", "/notes", {});
    await ask(server.url, "PATCH", "/profile", { name: "Bob" });
    await crash(server);
    const again = await serveKept(["data"], folder);
    expect(await databaseAt(again.url)).toEqual({ notes: [{ id: 1 }, body], profile: { name: "Bob" } });
    const second = runKept(["data", "--port", "0"], folder);
    expect(await second.exit).toBe(1);
    expect(second.output.stderr).toContain(`in use by another standin (pid ${again.child.pid})`);
    await again.stop();
    expect(filesIn(join(folder, "data"))).toEqual(["notes.json", "profile.json"]);
  });

  testAtLength("a restore makes and removes files, and survives a crash", async () => {
    const folder = tree({ ...files, "saved/other.json": JSON.stringify({ fresh: [{ id: 7 }] }) });
    const server = await serveCli(["data", "--snapshots", "saved"], folder);
    expect((await ask(server.url, "PUT", "/__snapshots__/other")).status).toBe(200);
    await crash(server);
    const again = await serveKept(["data"], folder);
    expect(await databaseAt(again.url)).toEqual({ fresh: [{ id: 7 }] });
    await again.stop();
    expect(contentOf(join(folder, "data"))).toEqual({ "fresh.json": asFile([{ id: 7 }]) });
  });

  test("a save that fails is tried again until it works", async () => {
    const folder = tree(files);
    const { store, warnings } = await opened(folder, { source: "data", followsOutside: true });
    // A file cannot take the place of a folder.
    rmSync(join(folder, "data/profile.json"));
    mkdirSync(join(folder, "data/profile.json/inside"), { recursive: true });
    await create(store, "notes", { n: 2 });
    await eventually(() => warnings.some((text) => text.includes("cannot be written")));
    rmSync(join(folder, "data/profile.json"), { recursive: true });
    writeFileSync(join(folder, "data/profile.json"), files["data/profile.json"]);
    await eventually(() => warnings.some((text) => text.includes("can be written again")));
    expect(await databaseOf(store)).toEqual({ notes: [{ id: 1 }, { n: 2, id: 2 }], profile: { name: "Ann" } });
    await store.close();
    expect(filesIn(join(folder, "data"))).toEqual(["notes.json", "profile.json"]);
  });

  test("a file that is broken or holds neither a collection nor a singleton stops the start and is named", async () => {
    for (const [text, said] of [
      ["[1,", /data\/notes\.json is not valid JSON: line 1, column 4/],
      ["7", /data: "notes" must be an array/],
    ] as const) {
      const folder = tree({ "data/notes.json": text });
      await expect(opened(folder, { source: "data" })).rejects.toThrow(said);
      expect(filesIn(folder)).toEqual(["data", "data/notes.json"]);
    }
  });

  test("a folder that is named like a command is served by its path", async () => {
    const folder = tree({ "snapshots/notes.json": asFile([{ id: 1 }]), "generate/notes.json": asFile([{ id: 2 }]) });
    for (const [source, id] of [
      ["./snapshots", 1],
      ["generate/", 2],
    ] as const) {
      const server = await serveKept([source], folder);
      expect(await databaseAt(server.url)).toEqual({ notes: [{ id }] });
      await server.stop();
    }
  });
});

describe.concurrent("a module", () => {
  const json = JSON.stringify(DATA);
  const modules: Readonly<Record<string, string>> = {
    "async.cjs": `module.exports = async () => { await null; return ${json}; };`,
    "transpiled.cjs": `exports.__esModule = true; exports.default = () => (${json});`,
    "function.js": `module.exports = () => (${json});`,
    "async.mjs": `const more = await Promise.resolve({}); export default async () => ({ ...${json}, ...more });`,
    "named.mjs": `export const notes = ${JSON.stringify(DATA.notes)}; export const profile = ${JSON.stringify(DATA.profile)};`,
    "project/package.json": '{ "type": "module" }',
    "project/value.js": `export default ${json};`,
  };

  const sources = Object.keys(modules).filter((file) => !file.endsWith(".json"));

  testAtLength(`exports data or a function, in any form: ${sources.join(", ")}`, async () => {
    const folder = tree(modules);
    const before = contentOf(folder);
    await Promise.all(
      sources.map(async (file) => {
        const server = await serveKept([file], folder);
        expect([file, await databaseAt(server.url)]).toEqual([file, DATA]);
        expect(server.output.stdout).toContain(`Saved to  memory only; ${file} is never written`);
        expect((await ask(server.url, "POST", "/notes", {})).status).toBe(201);
        expect(await server.stop()).toBe(0);
      }),
    );
    // In memory, never written.
    expect(contentOf(folder)).toEqual(before);
  });

  const typescript = `interface Note { id: number }\nconst notes: Note[] = [{ id: 1 }];\nexport default async (): Promise<object> => ({ notes, profile: { name: "Ann" } satisfies object });`;
  for (const tool of ["tsx", "esbuild"]) {
    test(`data.ts is read by the ${tool} of the user's project where Node cannot do it itself`, async (context) => {
      const folder = tree({ "data.ts": typescript, "node_modules/.keep": "" });
      const isAlone = tool === "tsx" || !hasTool(folder, "tsx/esm/api");
      need(context, "a temporary folder without a node_modules above it", isAlone);
      symlinkSync(resolve("node_modules", tool), join(folder, "node_modules", tool));
      const server = await serveKept(["data.ts"], folder);
      expect(await databaseAt(server.url)).toEqual(DATA);
      await server.stop();
    });
  }

  test("data.ts without any of them says what to do", async (context) => {
    const folder = tree({ "data.ts": typescript });
    const canRead = Boolean((process.features as { typescript?: unknown }).typescript);
    need(context, "a Node that cannot read TypeScript", !canRead);
    need(context, "a temporary folder without a node_modules above it", !hasTool(folder, "tsx/esm/api"));
    const run = runKept(["data.ts", "--port", "0"], folder);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toMatch(
      /^standin: .*data\.ts is TypeScript, which Node [\d.]+ cannot run by itself\. .*\n$/,
    );
  });

  for (const [text, said] of [
    ["export default () => { throw new Error('no luck') };", /data\.mjs gave no data: line 1, column 30: no luck/],
    ["export default () => {};", /data\.mjs gave no data: it exports undefined, but must export data/],
    ["export default [];", /data\.mjs: the data must be an object with one key per collection/],
    ["import './missing.mjs';", /data\.mjs cannot be loaded: /],
  ] as const) {
    test(`${text} stops the start and says why`, async () => {
      await expect(opened(tree({ "data.mjs": text }), { source: "data.mjs" })).rejects.toThrow(said);
    });
  }

  test("that is not code stops the start with one message", async () => {
    const run = runKept(["data.mjs", "--port", "0"], tree({ "data.mjs": "this is no code" }));
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toMatch(/^standin: data\.mjs cannot be loaded: .*\n$/);
  });
});

describe.concurrent("an address", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function provide(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    servers.push(server);
    await new Promise((listening) => server.once("listening", listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/db.json`;
  }

  test("is loaded once into memory, and nothing is written anywhere", async () => {
    let requests = 0;
    const url = await provide((_req, res) => {
      requests++;
      res.setHeader("content-type", "application/json").end(`\ufeff${JSON.stringify(DATA)}`);
    });
    const folder = createFolder();
    const server = await serveKept([url], folder);
    expect(server.output.stdout).toContain(`Saved to  memory only; ${url} is never written`);
    expect(await databaseAt(server.url)).toEqual(DATA);
    expect((await ask(server.url, "DELETE", "/notes/1")).status).toBe(200);
    expect((await ask(server.url, "POST", "/__reset")).body).toEqual({ counts: { notes: 1, profile: 1 } });
    await server.stop();
    expect(requests).toBe(1);
    expect(filesIn(folder)).toEqual([]);
  });

  for (const [name, listener, said] of [
    ["an error", (_req, res) => res.writeHead(404).end(), /cannot be loaded: the response was 404 Not Found\./],
    [
      "a page",
      (_req, res) => res.end("<html>"),
      /cannot be loaded: line 1, column 1: expected a value but found "<html>"/,
    ],
    ["an array", (_req, res) => res.end("[]"), /the data must be an object/],
    ["nothing at all", (req) => req.socket.destroy(), /cannot be loaded: fetch failed/],
  ] as readonly [string, RequestListener, RegExp][]) {
    test(`that gives ${name} stops the start`, async () => {
      const options = { idKey: "id", durability: "process", followsOutside: false, memory: false, warn() {} } as const;
      await expect(openStore(await provide(listener), options)).rejects.toThrow(said);
    });
  }
});

describe.concurrent("--memory", () => {
  for (const [name, make, source] of [
    ["a file", () => createFolder({ "db.json": asFile(DATA) }), "db.json"],
    [
      "a folder",
      () => tree({ "data/notes.json": asFile(DATA.notes), "data/profile.json": asFile(DATA.profile) }),
      "data",
    ],
  ] as const) {
    test(`never writes ${name}`, async () => {
      const folder = make();
      const before = contentOf(folder);
      const server = await serveKept([source, "--memory"], folder);
      expect(server.output.stdout).toMatch(/Saved to {2}memory only \(--memory\); \S+ is never written/);
      expect((await ask(server.url, "POST", "/notes", {})).status).toBe(201);
      expect((await ask(server.url, "POST", "/__reset")).status).toBe(200);
      expect((await ask(server.url, "DELETE", "/notes/1")).status).toBe(200);
      expect(await server.stop()).toBe(0);
      expect(contentOf(folder)).toEqual(before);
    });
  }

  test("shows the changes in the journal of a crashed process, and does not touch the journal, whatever its state", async () => {
    const add = { v: 2, edits: [["+", "notes", { id: 2 }]] } as const;
    const sound = journalText({ "db.json": asFile(DATA) }, [add]);
    const whole = { ...DATA, notes: [{ id: 1 }, { id: 2 }] };
    for (const [text, database] of [
      [sound, whole],
      [`${sound}1234`, whole],
      [`${sound}1234\nmore\n`, whole],
      [sound.slice(3), DATA],
      [journalText({ "db.json": "another file" }, [add]), DATA],
    ] as const) {
      const folder = crashedFolder(DATA, []);
      leaveJournal(folder, text);
      writeFileSync(join(folder, ".db.json.0123456789ab.tmp"), "half");
      writeFileSync(join(folder, ".standin/db.json.journal.tmp"), "half");
      const before = contentOf(folder);
      const { store } = await opened(folder, { memory: true });
      expect(await databaseOf(store)).toEqual(database);
      await create(store, "notes", {});
      await store.close();
      expect(contentOf(folder)).toEqual(before);
    }
  });
});

test.concurrent("a source that is none of these is refused with what can be one", async () => {
  const folder = createFolder({ "data.yaml": "a: 1", noextension: "{}" });
  for (const source of ["noextension", "missing-folder"]) {
    await expect(opened(folder, { source })).rejects.toThrow(
      /cannot be served\. A source is a \.json, |no command, file or folder/,
    );
  }
  const run = runKept(["ftp://example.com/db.json", "--port", "0"], folder);
  expect(await run.exit).toBe(1);
  expect(run.output.stderr).toMatch(/^standin: ftp:\S+ cannot be served\. A source is a \.json, .*\n$/);
  expect(filesIn(folder)).toEqual(["data.yaml", "noextension"]);
});

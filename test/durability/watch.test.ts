import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createFolder, printed, type Served } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { ask, Client } from "./client.ts";
import { create, databaseOf, opened } from "./opened.ts";
import { asFile, databaseAt, dataIn, eventually, filesIn, matching, recordsOf, untilSaved } from "./place.ts";

/** A data file whose records all say the same edition, so that a mixture of two would show. */
function edition(number: number, count = 50): string {
  return asFile({ notes: Array.from({ length: count }, (_, index) => ({ id: index + 1, edition: number })) });
}

async function editionAt({ url }: Served): Promise<unknown> {
  return recordsOf(await databaseAt(url), "notes")[0]?.edition;
}

function untilServed(server: Served, number: number): Promise<unknown> {
  return eventually(async () => (await editionAt(server)) === number);
}

function saveByRename(folder: string, text: string, file = "db.json"): void {
  writeFileSync(join(folder, "editor.tmp"), text);
  renameSync(join(folder, "editor.tmp"), join(folder, file));
}

describe.concurrent("--watch follows the file", () => {
  const ways: readonly [name: string, save: (folder: string, text: string) => void][] = [
    ["written over", (folder, text) => writeFileSync(join(folder, "db.json"), text)],
    ["renamed into place", saveByRename],
    [
      "saved with a backup beside it",
      (folder, text) => {
        renameSync(join(folder, "db.json"), join(folder, "db.json~"));
        writeFileSync(join(folder, "db.json"), text);
      },
    ],
    [
      "removed and made again",
      (folder, text) => {
        rmSync(join(folder, "db.json"));
        writeFileSync(join(folder, "db.json"), text);
      },
    ],
    ["in another layout", (folder, text) => writeFileSync(join(folder, "db.json"), JSON.stringify(JSON.parse(text)))],
  ];

  test(`however an editor saves it: ${ways.map(([name]) => name).join(", ")}`, async () => {
    const folder = createFolder({ "db.json": edition(0) });
    const server = await serveKept(["--watch"], folder);
    for (const [index, [, save]] of ways.entries()) {
      save(folder, edition(index + 1));
      await untilServed(server, index + 1);
    }
    await printed(server, /Reloaded db\.json \(changed on disk\)\./);
    // A reset goes back to what was last loaded from outside.
    await ask(server.url, "DELETE", "/notes/1");
    expect((await ask(server.url, "POST", "/__reset")).body).toEqual({ counts: { notes: 50 } });
    expect(await editionAt(server)).toBe(ways.length);
    expect(await server.stop()).toBe(0);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(`${JSON.stringify(JSON.parse(edition(ways.length)))}\n`);
  });

  test("with a file beside it that never comes to rest", async () => {
    const folder = createFolder({ "db.json": edition(0) });
    const server = await serveKept(["--watch"], folder);
    const noise = setInterval(() => appendFileSync(join(folder, "some.log"), "line\n"), 5);
    try {
      writeFileSync(join(folder, "db.json"), edition(1));
      await untilServed(server, 1);
    } finally {
      clearInterval(noise);
    }
    await server.stop();
  });

  test("what is half written or broken keeps the old data and says where; the next good version is taken", async () => {
    const folder = createFolder({ "db.json": edition(0) });
    const server = await serveKept(["--watch"], folder);
    const bad: readonly [text: string, said: string][] = [
      ['{\n  "notes": [{ "id": 1 },, ]\n}', 'line 2, column 25: expected a value but found ", ]\\n}"'],
      [edition(1).slice(0, 100), "expected"],
      ["[]", "the data must be an object"],
      ['{ "notes": 5 }', '"notes" must be an array'],
    ];
    for (const [text, said] of bad) {
      const seen = server.output.stdout.length;
      writeFileSync(join(folder, "db.json"), text);
      await eventually(() => server.output.stdout.slice(seen).includes(said));
      expect(server.output.stdout.slice(seen)).toMatch(/Kept the current data: .*db\.json/);
      expect(await editionAt(server)).toBe(0);
      expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(text);
    }
    writeFileSync(join(folder, "db.json"), edition(2));
    await untilServed(server, 2);
    await server.stop();
  });

  test("a slow writer is waited for, and nothing of the first half is ever served", async () => {
    const folder = createFolder({ "db.json": edition(0) });
    const server = await serveKept(["--watch"], folder);
    const text = edition(1);
    writeFileSync(join(folder, "db.json"), "");
    for (let at = 0; at < text.length; at += 700) {
      appendFileSync(join(folder, "db.json"), text.slice(at, at + 700));
      await sleep(25);
      expect([0, 1]).toContain(await editionAt(server));
    }
    await untilServed(server, 1);
    await server.stop();
  });

  test("its own writes are not mistaken for outside edits", async () => {
    const folder = createFolder({ "db.json": edition(0) });
    const server = await serveKept(["--watch"], folder);
    for (let round = 1; round <= 4; round++) {
      for (let n = 0; n < 10; n++) await ask(server.url, "POST", "/notes", { edition: 0 });
      await untilSaved(folder, (data) => recordsOf(data, "notes").length === 50 + 10 * round);
    }
    expect(server.output.stdout).not.toMatch(/Reloaded|outside/);
    // The next one is, and by then it would have said so of those before it.
    writeFileSync(join(folder, "db.json"), edition(1));
    await untilServed(server, 1);
    await printed(server, /Reloaded/);
    expect(server.output.stdout.match(/Reloaded/g)).toHaveLength(1);
    await server.stop();
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  test("a removed file is made again by the next write", async () => {
    const folder = createFolder({ "db.json": edition(0, 1) });
    const server = await serveKept(["--watch"], folder);
    rmSync(join(folder, "db.json"));
    await printed(server, /db\.json is gone; still serving the last version\./);
    const { body } = await ask(server.url, "POST", "/notes", {});
    await eventually(() => existsSync(join(folder, "db.json")));
    expect(dataIn(folder)).toEqual({ notes: [{ id: 1, edition: 0 }, body] });
    expect(await server.stop()).toBe(0);
  });

  test("of --memory the copy follows the file, too, and the file is never written", async () => {
    const folder = createFolder({ "db.json": edition(0) });
    const server = await serveKept(["--watch", "--memory"], folder);
    await ask(server.url, "DELETE", "/notes/1");
    writeFileSync(join(folder, "db.json"), edition(1));
    await untilServed(server, 1);
    await ask(server.url, "DELETE", "/notes/1");
    await server.stop();
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(edition(1));
    expect(filesIn(folder)).toEqual(["db.json"]);
  });
});

const CLIENTS = Number(process.env.STANDIN_WATCH_CLIENTS ?? 30);

test(`20 outside edits under ${CLIENTS} clients: no request fails, no connection is dropped, no response mixes two editions`, async () => {
  const folder = createFolder({ "db.json": edition(0) });
  const server = await serveKept(["--watch"], folder);
  const clients = Array.from({ length: CLIENTS }, () => new Client(server.url));
  let isOver = false;
  let answers = 0;
  const failures: string[] = [];
  const asking = clients.map(async (client, number) => {
    while (!isOver) {
      const path = number % 2 === 0 ? "/notes" : "/notes?_sort=id&_limit=10";
      const { status, body } = await client.send("GET", path);
      const editions = new Set((body as { edition: number }[]).map((note) => note.edition));
      if (status !== 200 || editions.size !== 1) failures.push(`${path}: ${status}, editions ${[...editions]}`);
      answers++;
      // As people and pages do; a flood would only show how fast this machine is.
      await sleep(500);
    }
  });
  for (let number = 1; number <= 20; number++) {
    if (number % 2 === 0) saveByRename(folder, edition(number));
    else writeFileSync(join(folder, "db.json"), edition(number));
    await untilServed(server, number);
  }
  isOver = true;
  await Promise.all(asking);
  expect(failures).toEqual([]);
  expect(answers).toBeGreaterThan(CLIENTS);
  expect(clients.map((client) => client.connections)).toEqual(clients.map(() => 1));
  for (const client of clients) client.close();
  expect(await server.stop()).toBe(0);
});

describe.concurrent("--watch follows what else was given", () => {
  test("the rewrite file: new rules count at once, broken ones keep the old and say where", async () => {
    const folder = createFolder({ "db.json": edition(0), "routes.json": { "/old": "/notes/1" } });
    const server = await serveKept(["--watch", "--routes", "routes.json"], folder);
    const status = async (path: string): Promise<number> => (await ask(server.url, "GET", path)).status;
    expect(await status("/old")).toBe(200);
    writeFileSync(join(folder, "routes.json"), '{\n  "/new": /notes/2\n}');
    await printed(server, /Kept the current rewrite rules: The rewrite file routes\.json .*line 2, column 11/);
    expect(await status("/old")).toBe(200);
    saveByRename(folder, '{ "/new": "/notes/2" }', "routes.json");
    await printed(server, /Reloaded routes\.json \(changed on disk\)/);
    expect([await status("/new"), await status("/old")]).toEqual([200, 404]);
    await server.stop();
  });

  test("a changed config file or .env is announced as needing a restart, once for each change", async () => {
    const folder = createFolder({ "db.json": edition(0), "standin.json": { watch: true }, ".env": "KEY=1" });
    const server = await serveKept([], folder);
    writeFileSync(join(folder, "standin.json"), '{ "watch": true, "pretty": true }');
    await printed(server, /standin\.json changed; restart standin to use it\./);
    writeFileSync(join(folder, ".env"), "KEY=2");
    await printed(server, /\.env changed; restart standin to use it\./);
    writeFileSync(join(folder, "db.json"), edition(1));
    await untilServed(server, 1);
    expect(server.output.stdout.match(/restart standin/g)).toHaveLength(2);
    expect(server.output.stdout).not.toContain("KEY");
    await server.stop();
  });

  for (const [file, before, after, broken] of [
    [
      "mine.cjs",
      "module.exports = (req, res, next) => next();",
      "module.exports = (req, res) => res.send('mine');",
      "(",
    ],
    ["mine.mjs", "export default (req, res, next) => next();", "export default (req, res) => res.send('mine');", "("],
  ] as const) {
    test(`an interceptor: ${file} is loaded again, and stays as it is while it is broken`, async () => {
      const folder = createFolder({ "db.json": edition(0), [file]: before });
      const server = await serveKept(["--watch", "--middlewares", `./${file}`], folder);
      const text = async (): Promise<string> => (await fetch(`${server.url}/notes/1`)).text();
      expect(JSON.parse(await text())).toEqual({ id: 1, edition: 0 });
      writeFileSync(join(folder, file), broken);
      await printed(server, new RegExp(`Kept the current version of \\./${file}: `));
      expect(JSON.parse(await text())).toEqual({ id: 1, edition: 0 });
      saveByRename(folder, after, file);
      await printed(server, new RegExp(`Reloaded \\./${file} \\(changed on disk\\)`));
      expect(await text()).toBe("mine");
      await server.stop();
    });
  }

  test("a folder: files that are changed, added or removed, also when it was empty at the start", async () => {
    const folder = createFolder();
    const server = await serveKept([".", "--watch"], folder);
    const names = async (): Promise<string> => Object.keys(await databaseAt(server.url)).join();
    writeFileSync(join(folder, "b.json"), asFile([{ id: 1 }]));
    await eventually(async () => (await names()) === "b");
    writeFileSync(join(folder, "a.json"), asFile([{ id: 1 }]));
    await eventually(async () => (await names()) === "a,b");
    writeFileSync(join(folder, "a.json"), asFile([{ id: 1 }, { id: 2 }]));
    await eventually(async () => recordsOf(await databaseAt(server.url), "a").length === 2);
    rmSync(join(folder, "b.json"));
    await eventually(async () => (await names()) === "a");
    await server.stop();
    expect(filesIn(folder)).toEqual(["a.json"]);
  });

  test("a module with the data: it runs again when it changes", async () => {
    const text = (number: number): string => `export default () => ({ notes: [{ id: 1, edition: ${number} }] });`;
    const folder = createFolder({ "data.mjs": text(0) });
    const server = await serveKept(["data.mjs", "--watch"], folder);
    await printed(server, /watching data\.mjs for changes/);
    writeFileSync(join(folder, "data.mjs"), "export default 5;");
    await printed(server, /Kept the current data: data\.mjs: the data must be an object/);
    writeFileSync(join(folder, "data.mjs"), text(1));
    await untilServed(server, 1);
    expect(server.output.stdout).not.toContain("restart");
    await server.stop();
  });

  test("that files which a module imports are not reloaded is said once, at the start", async () => {
    const plugin = 'import { name } from "./part.mjs";\nexport default { name };';
    const folder = createFolder({
      "db.json": edition(0),
      "mine.mjs": plugin,
      "part.mjs": 'export const name = "mine";',
    });
    const server = await serveKept(["--watch", "--plugins", "mine.mjs"], folder);
    await printed(
      server,
      /mine\.mjs is reloaded, but not the files that it imports: restart standin after changing those\./,
    );
    await server.stop();
  });
});

describe.concurrent("an outside change that meets changes of our own which are not saved yet", () => {
  test("wins with --watch; what loses is saved beside it, said so, and nothing more", async () => {
    const folder = createFolder({ "db.json": edition(0, 2) });
    const { store, warnings } = await opened(folder, { followsOutside: true });
    await create(store, "notes", { edition: 0, text: "acknowledged" });
    writeFileSync(join(folder, "db.json"), edition(1, 2));
    await store.reload();
    expect(await databaseOf(store)).toEqual(JSON.parse(edition(1, 2)));
    const [lost, ...more] = matching(folder, /^db\.unsaved-\d+\.json$/);
    expect(more).toEqual([]);
    expect(dataIn(folder, lost!.slice(folder.length))).toEqual({
      notes: [...recordsOf(JSON.parse(edition(0, 2)), "notes"), { edition: 0, text: "acknowledged", id: 3 }],
    });
    expect(warnings).toEqual([
      `${join(folder, "db.json")} was changed from outside while changes were unsaved; these changes are in ${lost}.`,
    ]);
    await store.close();
    expect(filesIn(folder)).toEqual(["db.json", lost!.slice(folder.length + 1)]);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(edition(1, 2));
  });

  test("wins with --watch also when it is first seen by a save", async () => {
    const folder = createFolder({ "db.json": edition(0, 2) });
    const { store, warnings } = await opened(folder, { followsOutside: true });
    await create(store, "notes", { edition: 0, text: "acknowledged" });
    writeFileSync(join(folder, "db.json"), edition(1, 2));
    await eventually(async () => JSON.stringify(await databaseOf(store)) === JSON.stringify(JSON.parse(edition(1, 2))));
    await eventually(() => warnings.length > 0);
    expect(matching(folder, /^db\.unsaved-/)).toHaveLength(1);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(edition(1, 2));
  });

  test("under writes that never stop is followed all the same, and leaves one file with what lost", async () => {
    const folder = createFolder({ "db.json": edition(0, 2) });
    const { store } = await opened(folder, { followsOutside: true });
    let isOver = false;
    const written: number[] = [];
    const writing = (async () => {
      for (let n = 1; !isOver; n++) {
        await create(store, "notes", { n });
        written.push(n);
      }
    })();
    await eventually(() => written.length > 20);
    writeFileSync(join(folder, "db.json"), edition(1, 2));
    await store.reload();
    const seen = written.length;
    await eventually(() => written.length > seen + 20);
    isOver = true;
    await writing;
    await store.close();
    const lost = matching(folder, /^db\.unsaved-/);
    expect(lost).toHaveLength(1);
    const numbers = [lost[0]!.slice(folder.length), "db.json"]
      .flatMap((file) => recordsOf(dataIn(folder, file), "notes"))
      .flatMap(({ n }) => (n === undefined ? [] : [n]));
    expect(numbers).toEqual(written);
    expect(filesIn(folder)).toHaveLength(2);
  });

  test("and a disk that does not take the losing version: it stays in the journal, under a new name", async () => {
    const begin = async () => {
      const folder = createFolder({ "db.json": edition(0, 2) });
      const { store, warnings } = await opened(folder, { followsOutside: true });
      await create(store, "notes", { text: "acknowledged" });
      writeFileSync(join(folder, "db.json"), edition(1, 2));
      // Whatever name it wants to take within the next second is taken by a folder.
      const now = Date.now();
      for (let ms = 0; ms < 1000; ms++) mkdirSync(join(folder, `db.unsaved-${now + ms}.json`));
      await store.reload();
      return { folder, store, warnings, isInTime: Date.now() < now + 1000 };
    };
    let begun = await begin();
    while (!begun.isInTime) begun = await begin();
    const { folder, store, warnings } = begun;
    const [aside] = matching(folder, /\.aside$/);
    expect(readFileSync(aside!, "utf8")).toContain('"text":"acknowledged"');
    expect(warnings.join("\n")).toContain(`but are in ${aside}.`);
    await create(store, "notes", { text: "afterwards" });
    await store.close();
    expect(recordsOf(dataIn(folder), "notes").at(-1)).toEqual({ text: "afterwards", id: 3 });
  });

  test("without --watch is saved beside the file before it is overwritten, and said so", async () => {
    const folder = createFolder({ "db.json": edition(0, 1) });
    const server = await serveKept([], folder);
    writeFileSync(join(folder, "db.json"), "{ not even JSON");
    const { body } = await ask(server.url, "POST", "/notes", {});
    await eventually(
      () => readFileSync(join(folder, "db.json"), "utf8") === asFile({ notes: [{ id: 1, edition: 0 }, body] }),
    );
    const [kept, ...more] = matching(folder, /^db\.outside-\d+\.json$/);
    expect(more).toEqual([]);
    expect(readFileSync(kept!, "utf8")).toBe("{ not even JSON");
    await eventually(() => server.output.stdout.includes(`That version is kept as ${kept}; use --watch to`));
    await ask(server.url, "POST", "/notes", {});
    await untilSaved(folder, (data) => recordsOf(data, "notes").length === 3);
    expect(await server.stop()).toBe(0);
    expect(filesIn(folder)).toEqual(["db.json", kept!.slice(folder.length + 1)]);
  });

  test("without --watch and without a write of ours stays as it is", async () => {
    const folder = createFolder({ "db.json": edition(0) });
    const server = await serveKept([], folder);
    const watching = await serveKept(["--watch", "--memory"], folder);
    writeFileSync(join(folder, "db.json"), edition(1));
    await untilServed(watching, 1);
    expect(await editionAt(server)).toBe(0);
    await watching.stop();
    expect(await server.stop()).toBe(0);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(edition(1));
  });

  test("while a large file is being loaded or saved is not overlooked", async () => {
    const folder = createFolder({ "db.json": edition(0, 2) });
    const { store, warnings } = await opened(folder, { followsOutside: true });
    for (let number = 1; number <= 15; number++) {
      const done = create(store, "notes", { number });
      await sleep(number * 4);
      saveByRename(folder, edition(number, 2));
      await done;
      await store.reload();
      expect(
        recordsOf(await databaseOf(store), "notes")
          .filter((note) => "edition" in note)
          .map((note) => note.edition),
      ).toEqual([number, number]);
    }
    expect(warnings.filter((text) => text.includes("cannot"))).toEqual([]);
  });
});

describe.concurrent("a folder without --watch", () => {
  test("keeps a changed file beside before it overwrites it, under a name that is not a collection", async () => {
    const folder = createFolder({ "a.json": asFile([{ id: 1 }]), "b.json": asFile([{ id: 1 }]) });
    const { store, warnings } = await opened(folder, { source: "." });
    writeFileSync(join(folder, "a.json"), asFile([{ id: 1, by: "hand" }]));
    for (let round = 0; round < 3; round++) {
      await create(store, "a", {});
      await untilSaved(folder, (data) => (data as unknown as unknown[]).length === round + 2, "a.json");
    }
    await store.close();
    const kept = matching(folder, /outside/);
    expect(kept).toHaveLength(1);
    expect(JSON.parse(readFileSync(kept[0]!, "utf8"))).toEqual([{ id: 1, by: "hand" }]);
    expect(warnings).toHaveLength(1);
    const { store: again } = await opened(folder, { source: "." });
    expect(Object.keys(await databaseOf(again))).toEqual(["a", "b"]);
  });

  test("leaves a file alone that another program added", async () => {
    const folder = createFolder({ "a.json": asFile([]) });
    const { store, warnings } = await opened(folder, { source: "." });
    writeFileSync(join(folder, "new.json"), "[ ]");
    for (let round = 0; round < 3; round++) {
      await create(store, "a", {});
      await untilSaved(folder, (data) => (data as unknown as unknown[]).length === round + 1, "a.json");
    }
    await store.close();
    expect(warnings).toEqual([]);
    expect(filesIn(folder)).toEqual(["a.json", "new.json"]);
    expect(readFileSync(join(folder, "new.json"), "utf8")).toBe("[ ]");
  });

  test("what loses to a change from outside with --watch is not a collection either", async () => {
    const folder = createFolder({ "a.json": asFile([]) });
    const { store } = await opened(folder, { source: ".", followsOutside: true });
    await create(store, "a", { text: "acknowledged" });
    writeFileSync(join(folder, "a.json"), asFile([{ id: 9 }]));
    await store.reload();
    expect(await databaseOf(store)).toEqual({ a: [{ id: 9 }] });
    expect(await store.reload()).toBe(false);
    await store.close();
    expect(matching(folder, /unsaved/)).toHaveLength(1);
    expect((await databaseOf((await opened(folder, { source: "." })).store)).a).toEqual([{ id: 9 }]);
  });
});

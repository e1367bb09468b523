import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json/json.ts";
import { renderDatabase } from "../../src/store/file/render-database.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { ask, Client } from "./client.ts";
import { create, databaseOf, opened } from "./opened.ts";
import { asFile, dataIn, eventually, filesIn, recordsOf, untilSaved } from "./place.ts";
import { isRoot, need } from "./spawned.ts";

const DATA = {
  $schema: "https://example.com/shop.json",
  zebras: [
    { name: "last in the alphabet, first in the file", id: 7, deep: { b: [], a: {}, c: [1, [2, { d: null }]] } },
  ],
  apples: [],
  "weird name/☃": [{ id: "é", text: 'quote " backslash \\ newline \n tab \t nul \u0000 line separator \u2028 𝄞' }],
  profile: { z: 1, a: 2 },
  nothing: {},
};

test.concurrent("after changes of every kind the file is what JSON.stringify makes of the database, with a final newline", async () => {
  const folder = createFolder({ "db.json": DATA });
  const { url, stop } = await serveKept([], folder);
  expect((await ask(url, "POST", "/apples", { b: 1, a: { y: 1, x: 2 } })).status).toBe(201);
  expect((await ask(url, "POST", "/apples", [{ n: 2 }, { n: 3, list: [] }])).status).toBe(201);
  expect((await ask(url, "PUT", "/apples/2", { n: "two" })).status).toBe(200);
  expect((await ask(url, "DELETE", "/apples/3")).status).toBe(200);
  expect((await ask(url, "PATCH", "/zebras/7", { stripes: true, name: "Zoë" })).status).toBe(200);
  expect((await ask(url, "PATCH", "/profile", { m: 3, z: 0 })).status).toBe(200);
  const expected = {
    ...DATA,
    zebras: [{ ...DATA.zebras[0], name: "Zoë", stripes: true }],
    apples: [
      { b: 1, a: { y: 1, x: 2 }, id: 1 },
      { n: "two", id: 2 },
    ],
    profile: { z: 0, a: 2, m: 3 },
  };
  expect(await stop()).toBe(0);
  expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(asFile(expected));
  expect(filesIn(folder)).toEqual(["db.json"]);
});

describe("a save keeps the form of the file", () => {
  const write = (indent?: number | string) => (data: unknown) => `${JSON.stringify(data, null, indent)}\n`;
  const FORMS: Readonly<Record<string, (data: unknown) => string>> = {
    "on one line": write(),
    "indented by 4 spaces": write(4),
    "indented by 3 spaces": write(3),
    "indented by tabs": write("\t"),
    "with line breaks of Windows": (data) => asFile(data).replaceAll("\n", "\r\n"),
    "with a byte order mark": (data) => `\uFEFF${asFile(data)}`,
    "on one line after a byte order mark": (data) => `\uFEFF${write()(data)}`,
  };
  // Texts and lists so long that they are rendered in pieces.
  const long = { id: 8, text: 'a\n "b": [\n '.repeat(20_000), list: Array.from({ length: 3000 }, (_, at) => [at, {}]) };
  const data = { ...DATA, zebras: [...DATA.zebras, long], apples: [] };
  const after = { ...data, apples: [{ a: { b: 1 }, id: 1 }] };

  test.each(Object.entries(FORMS))("%s", async (_name, form) => {
    const folder = createFolder({
      "db.json": form(data),
      "all/zebras.json": form(data.zebras),
      "all/apples.json": "[]",
    });
    for (const source of ["db.json", "all"]) {
      const { store } = await opened(folder, { source });
      await create(store, "apples", { a: { b: 1 } });
      await store.apply({ kind: "patch", collection: "zebras", id: "8", body: { text: long.text } });
      await store.close();
    }
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(form(after));
    expect(readFileSync(join(folder, "all/zebras.json"), "utf8")).toBe(form(data.zebras));
    // Empty, it had none.
    expect(readFileSync(join(folder, "all/apples.json"), "utf8")).toBe(asFile(after.apples));
  });

  test("that it got from outside while the server runs", async () => {
    const folder = createFolder({ "db.json": write(4)({ apples: [] }) });
    const { store } = await opened(folder, { followsOutside: true });
    writeFileSync(join(folder, "db.json"), write()({ apples: [{ id: 1 }] }));
    await store.reload();
    await create(store, "apples", {});
    await store.close();
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(write()({ apples: [{ id: 1 }, { id: 2 }] }));
  });
});

test.concurrent("any database is written as JSON.stringify writes it", () => {
  const member = fc.oneof(
    fc.array(fc.jsonValue(), { maxLength: 6 }),
    fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), member, { maxKeys: 5 }), (database) => {
      const plain = JSON.parse(JSON.stringify(database)) as Record<string, Json>;
      const members = new MemoryStore(State.load(plain, "id")).peek();
      expect([...renderDatabase(members)].join("")).toBe(asFile(plain));
    }),
  );
});

test.concurrent("a file without changes is not touched, whatever its layout", async () => {
  const text = '\ufeff{\r\n\t"notes" : [ ],"n":{"a":1}}';
  const folder = createFolder({ "db.json": text });
  const { mtimeMs, ino } = statSync(join(folder, "db.json"));
  const { url, stop } = await serveKept(["--watch"], folder);
  await ask(url, "GET", "/notes");
  await ask(url, "DELETE", "/notes/1");
  expect(await stop()).toBe(0);
  const now = statSync(join(folder, "db.json"));
  expect([now.mtimeMs, now.ino]).toEqual([mtimeMs, ino]);
  expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(text);
  expect(filesIn(folder)).toEqual(["db.json"]);
});

test.concurrent("a file that is not UTF-8 is refused, for its letters would be lost with the first save", async () => {
  const folder = createFolder();
  for (const bytes of [
    Buffer.from('{"notes":[{"id":1,"name":"Zo\xeb"}]}', "latin1"),
    Buffer.from('\ufeff{"notes":[]}', "utf16le"),
  ]) {
    writeFileSync(join(folder, "db.json"), bytes);
    await expect(opened(folder)).rejects.toThrow("db.json is not UTF-8 text. Convert it, for example with iconv.");
    expect(readFileSync(join(folder, "db.json"))).toEqual(bytes);
    expect(filesIn(folder)).toEqual(["db.json"]);
  }
});

describe.concurrent("what the file is", () => {
  test("a symbolic link stays one, and the file behind it gets the data; ours lies beside that file", async () => {
    const folder = createFolder();
    mkdirSync(join(folder, "shared"));
    writeFileSync(join(folder, "shared/real.json"), asFile({ notes: [] }));
    symlinkSync("shared/real.json", join(folder, "link.json"));
    symlinkSync("link.json", join(folder, "db.json"));
    const { url, stop } = await serveKept([], folder);
    await ask(url, "POST", "/notes", {});
    await untilSaved(folder, (data) => recordsOf(data, "notes").length === 1);
    expect(filesIn(folder)).toContain("shared/.standin/real.json.lock");
    expect(await stop()).toBe(0);
    expect([readlinkSync(join(folder, "db.json")), readlinkSync(join(folder, "link.json"))]).toEqual([
      "link.json",
      "shared/real.json",
    ]);
    expect(lstatSync(join(folder, "shared/real.json")).isFile()).toBe(true);
    expect(filesIn(folder)).toEqual(["db.json", "link.json", "shared", "shared/real.json"]);
  });

  test("a link to a file that is missing stays one, and the file is made where it points", async () => {
    const folder = createFolder();
    mkdirSync(join(folder, "shared"));
    symlinkSync("shared/real.json", join(folder, "db.json"));
    const server = await serveKept([], folder);
    expect(await server.stop()).toBe(0);
    expect(readlinkSync(join(folder, "db.json"))).toBe("shared/real.json");
    expect(recordsOf(dataIn(folder, "shared/real.json"), "products")).toHaveLength(100);
  });

  test("its mode stays", async () => {
    for (const mode of [0o600, 0o640, 0o664, 0o606]) {
      const folder = createFolder({ "db.json": asFile({ notes: [] }) });
      chmodSync(join(folder, "db.json"), mode);
      const { store } = await opened(folder);
      await create(store, "notes", {});
      await store.close();
      expect(recordsOf(dataIn(folder), "notes")).toHaveLength(1);
      expect((statSync(join(folder, "db.json")).mode & 0o7777).toString(8)).toBe(mode.toString(8));
    }
  });

  test("its owner and group stay", async (context) => {
    need(context, "to be root", isRoot);
    const folder = createFolder({ "db.json": asFile({ notes: [] }) });
    chownSync(join(folder, "db.json"), 4321, 1234);
    const { store } = await opened(folder);
    await create(store, "notes", {});
    await store.close();
    const { uid, gid } = statSync(join(folder, "db.json"));
    expect([uid, gid]).toEqual([4321, 1234]);
  });
});

describe.concurrent("when it is current", () => {
  test("shortly after the last write, without a stop", async () => {
    const folder = createFolder({ "db.json": asFile({ notes: [] }) });
    const { url, stop } = await serveKept([], folder);
    for (let count = 1; count <= 3; count++) {
      await ask(url, "POST", "/notes", {});
      await untilSaved(folder, (data) => recordsOf(data, "notes").length === count);
      // Saved means that nothing is left to recover.
      await eventually(() => !filesIn(folder).includes(".standin/db.json.journal"));
    }
    await stop();
  });

  test("also while writes never stop coming", async () => {
    const folder = createFolder({ "db.json": asFile({ notes: [] }) });
    const { url, stop } = await serveKept([], folder);
    const client = new Client(url);
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await client.send("POST", "/notes", {});
        await sleep(5);
      }
    })();
    let saves = 0;
    for (let last = 0; saves < 2; ) {
      const { length } = recordsOf(dataIn(folder), "notes");
      if (length > last) saves++;
      last = length;
      await sleep(20);
    }
    isOver = true;
    await writing;
    client.close();
    await stop();
  });

  test("for every kind of stop: nothing but the data file is left, and it has everything", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const folder = createFolder({ "db.json": asFile({ notes: [] }) });
      const { url, child, exit } = await serveCli([], folder);
      const { body } = await ask(url, "POST", "/notes", { text: signal });
      child.kill(signal);
      expect(await exit).toBe(0);
      expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(asFile({ notes: [body] }));
      expect(filesIn(folder)).toEqual(["db.json"]);
    }
  });

  test("several writes in one turn are in it together", async () => {
    const folder = createFolder({ "db.json": asFile({ notes: [] }) });
    const { store } = await opened(folder);
    await Promise.all(Array.from({ length: 500 }, (_, n) => create(store, "notes", { n })));
    await store.close();
    expect(dataIn(folder)).toEqual(await databaseOf(store));
    expect(recordsOf(dataIn(folder), "notes")).toHaveLength(500);
  });
});

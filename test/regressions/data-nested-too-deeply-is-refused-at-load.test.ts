import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { router } from "../../src/json-server/module.ts";
import { readMembers } from "../../src/store/postgres/load/read-members.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";

/** A record with this many levels, as text. */
function nested(levels: number): string {
  return `{"id":1,"a":${'{"b c":['.repeat((levels - 1) / 2)}1${"]}".repeat((levels - 1) / 2)}}`;
}

const DEEPEST = `{"notes":[${nested(999)}]}`;
const TOO_DEEP = `{"notes":[{"id":7},${nested(6001)}]}`;
const MESSAGE = /notes\[1\]\.a\["b c"\]\[0\]\["b c"\]\[0\]\S*( c"\])?\.\.\. is nested deeper than 1000 levels\./;

async function urlOf(text: string): Promise<string> {
  const server = createServer((_req, res) => res.end(text)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`;
}

async function imported(text: string): Promise<void> {
  const file = join(createFolder({ "db.json": text }), "db.json");
  for await (const member of readMembers(file)) {
    if (member.kind === "collection") for await (const _value of member.values);
  }
}

async function served(source: string): Promise<void> {
  await (await createStandin({ source, persist: true })).close();
}

const SOURCES: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  "a data file": (text) => served(join(createFolder({ "db.json": text }), "db.json")),
  "a folder": (text) => {
    const folder = createFolder();
    const data = JSON.parse(text) as JsonObject;
    for (const [name, member] of Object.entries(data)) {
      // Written piece by piece: the whole is deeper than JSON.stringify can go.
      const inner = text.slice(text.indexOf("["), -1);
      mkdirSync(join(folder, "data"));
      writeFileSync(join(folder, `data/${name}.json`), Array.isArray(member) ? inner : "[]");
    }
    return served(join(folder, "data"));
  },
  "a module": (text) =>
    served(join(createFolder({ "data.mjs": `export default JSON.parse(${JSON.stringify(text)})` }), "data.mjs")),
  "an address": async (text) => served(await urlOf(text)),
  "an object": async (text) => (await createStandin({ data: JSON.parse(text) as JsonObject })).close(),
  "a router": async (text) => router(join(createFolder({ "db.json": text }), "db.json")).ready,
  import: imported,
};

describe("6,000 levels are refused, with the path of the record", () => {
  for (const [name, load] of Object.entries(SOURCES)) {
    test(name, async () => {
      await expect(load(TOO_DEEP)).rejects.toThrow(MESSAGE);
    });
  }

  test("100,000 levels, and an object that holds itself", async () => {
    await expect(SOURCES["a data file"]!(`{"notes":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).rejects.toThrow(
      "notes[0][0][0][0][0][0]... is nested deeper than 1000 levels.",
    );
    const self: JsonObject = { id: 1 };
    self.self = self;
    await expect(createStandin({ data: { notes: [self] } })).rejects.toThrow(
      /notes\[0\]\.self\.self.* is nested deeper/,
    );
  });
});

test("a snapshot that is too deep is not restored, and the data stays", async () => {
  const snapshots = createFolder({ "deep.json": TOO_DEEP });
  const standin = await createStandin({ data: { notes: [{ id: 1 }] }, snapshots });
  onTestFinished(() => standin.close());
  const { status, body } = await askAt(standin.url, "PUT /__snapshots__/deep");
  expect([status, body]).toMatchObject([409, { code: "SNAPSHOT_DAMAGED", message: expect.stringMatching(MESSAGE) }]);
  expect((await askAt(standin.url, "GET /notes")).body).toEqual([{ id: 1 }]);
});

test("999 levels are loaded from every source", async () => {
  for (const load of Object.values(SOURCES)) await load(DEEPEST);
});

test("a record of 999 levels is served, searched, changed, saved and loaded again", async () => {
  const folder = createFolder({ "db.json": DEEPEST });
  const source = join(folder, "db.json");
  const standin = await createStandin({ source, persist: true });
  for (const line of ["GET /notes", "GET /notes?q=1&_sort=a", "GET /db", "GET /notes/1", "GET /__openapi.json"]) {
    expect([line, (await askAt(standin.url, line)).status]).toEqual([line, 200]);
  }
  expect((await askAt(standin.url, "PATCH /notes/1", { body: { seen: true } })).status).toBe(200);
  await standin.close();
  expect(JSON.stringify(JSON.parse(readFileSync(source, "utf8")))).toBe(DEEPEST.replace(/}]}$/, ',"seen":true}]}'));
  await served(source);
});

test("the program cannot write what would not load again", async () => {
  const standin = await createStandin({ data: { notes: [] as JsonObject[] } });
  onTestFinished(() => standin.close());
  await standin.db.notes.create(JSON.parse(nested(999)));
  await expect(standin.db.notes.create(JSON.parse(nested(1001)))).rejects.toMatchObject({ code: "BODY_TOO_DEEP" });
  await expect(standin.db.notes.create(JSON.parse(nested(100_001)))).rejects.toMatchObject({ code: "BODY_TOO_DEEP" });
});

test("nor can a chain on router.db", async () => {
  const { db } = router({ notes: [{ id: 1 }] });
  const add = (levels: number): unknown =>
    db
      .get("notes")
      .push(JSON.parse(nested(levels)))
      .write();
  expect(() => add(1001)).toThrow("nested deeper than 1000 levels");
});

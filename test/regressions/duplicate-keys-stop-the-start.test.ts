import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDuplicateKey } from "../../src/base/json/duplicate-keys.ts";
import { createStandin } from "../../src/index.ts";
import { readSource } from "../../src/store/sources/read-source.ts";
import { askAt } from "../support/api.ts";
import { createFolder, printed } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

/** A bad merge: one write to `/b` would delete the first `a`. */
const MERGED = `{
  "a": [{ "id": 1 }],
  "b": [],
  "a": [{ "id": 9 }]
}
`;
const IN_RECORD = `{
  "a": [
    { "id": 1, "name": "x" },
    { "id": 2, "name": "y",
      "nested": { "p": [{ "k": 1 }, { "k": 2, "k": 3 }] } }
  ]
}
`;

describe("a file", () => {
  const files: [string, string, string][] = [
    ["at the top level", MERGED, 'has the key "a" twice in one object, in lines 2 and 4.'],
    ["inside a record", IN_RECORD, 'has the key "k" twice in one object, in line 5.'],
  ];
  test.each(files)("with a key twice %s: the start stops, and the file stays", async (_where, text, message) => {
    const file = join(createFolder({ "db.json": text }), "db.json");
    await expect(createStandin({ source: file, persist: true })).rejects.toThrow(message);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("of a folder stops the start, too", async () => {
    const folder = createFolder({ "data/a.json": '[{"id":1,\n"x":1,\n"x":2}]', "data/b.json": "[]" });
    await expect(createStandin({ source: join(folder, "data") })).rejects.toThrow(
      /a\.json has the key "x" twice in one object, in lines 2 and 3/,
    );
  });

  test("that gets one under --watch: the data stays, and the terminal says why", async () => {
    const folder = createFolder({ "db.json": '{"a":[{"id":1}]}' });
    const server = await serveKept(["--watch"], folder);
    writeFileSync(join(folder, "db.json"), MERGED);
    await printed(server, /has the key "a" twice in one object, in lines 2 and 4/);
    expect((await askAt(server.url, "GET /a")).body).toEqual([{ id: 1 }]);
  });

  test.each([
    ["at the top level", MERGED, 'the key "a" twice in one object, in lines 2 and 4'],
    ["inside a record", IN_RECORD, 'the key "k" twice in one object, in line 5'],
  ])("read in pieces, with a key twice %s", async (_where, text, message) => {
    const file = join(createFolder({ "db.json": text }), "db.json");
    const reading = readSource(file, { idKey: "id", maxLoadedBytes: 0 } as never, async (read) => {
      for await (const member of read()) {
        if (member.kind === "collection") for await (const _value of member.values);
      }
    });
    await expect(reading).rejects.toThrow(message);
  });
});

test.each([
  '{"a":":","b":"\\":","c":[{"d" : 1},{"d"\n:2}],"":{"":1}}',
  `{"a":"${" ".repeat(70_000)}","b"${" ".repeat(70_000)}:1}`,
  '{"\\u0061":1,"b":"\u033a\u0322"}',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
])("%# has no key twice", (text) => {
  expect(findDuplicateKey(text, JSON.parse(text))).toBeUndefined();
});

test.each([
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"a":1,"a" :2}', "a"],
  ['{"a":":","b":1,"b"\t: 2}', "b"],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  [`{"x":[${'{"a":1},'.repeat(9000)}{"b":1,"c":":","b":2}]}`, "b"],
])("%# has one twice", (text, key) => {
  expect(findDuplicateKey(text, JSON.parse(text))?.key).toBe(key);
});

test("any JSON value has no key twice; with one added, it has", () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, 2), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      expect(findDuplicateKey(text, JSON.parse(text))).toBeUndefined();
      const key = Object.keys(object)[0]!;
      const twice = `${text.slice(0, -1)},${JSON.stringify(key)}:0}`;
      expect(findDuplicateKey(twice, JSON.parse(twice))?.key).toBe(key);
    }),
    { numRuns: 300 },
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../console/src/api/json.ts";
import { guessType } from "../../../console/src/data/files/cell-types.ts";
import { readCsv } from "../../../console/src/data/files/csv-read.ts";
import { csvLines } from "../../../console/src/data/files/csv-write.ts";
import { exportRequest } from "../../../console/src/data/files/export-request.ts";
import { readImport, recordsIn } from "../../../console/src/data/files/import-file.ts";
import { parseListQuery } from "../../../console/src/data/list-query.ts";
import { NOTHING, select } from "../../../console/src/data/rows/selection.ts";

const cells = (text: string) => readCsv(text).rows.map((row) => row.cells.map((cell) => cell.text));
const csvOf = (records: readonly JsonObject[], columns: readonly string[], keepsFormulas = false) =>
  [...csvLines(records, { columns, keepsFormulas })].join("");

describe("CSV", () => {
  test.each([
    [
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "\ufeffa;b\r\n1;2,5\r\n\r\n",
      [
        ["a", "b"],
        ["1", "2,5"],
      ],
    ],
    [
      "a\tb\r1\t2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      'a,b\n"x ""y"", z","1\n2"\n',
      [
        ["a", "b"],
        ['x "y", z', "1\n2"],
      ],
    ],
    [
      '"a,b";c\n1;',
      [
        ["a,b", "c"],
        ["1", ""],
      ],
    ],
  ])("%j is read", (text, rows) => {
    expect(readCsv(text).problems).toEqual([]);
    expect(cells(text)).toEqual(rows);
  });

  test("a quote that never ends, and text behind one, are named with their lines", () => {
    expect(readCsv('a,b\n"x\ny",1\n"z" q,2\n"never\n').problems).toEqual([
      { line: 4, message: 'After a closing quote there is " q".' },
      { line: 5, message: "A quoted cell begins here and never ends." },
    ]);
  });

  test("whatever texts records hold, they come back as they were", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab1 ,;\"\n\r\t|=+-@'é😀") });
    fc.assert(
      fc.property(fc.array(fc.record({ a: text, b: text, c: fc.integer() }), { minLength: 1 }), (records) => {
        const fields = ["a", "b"].map((name) => ({ name, types: ["string" as const] }));
        const read = recordsIn(
          readImport(`a,b,c\r\n${csvOf(records, ["a", "b", "c"]).replace(/^.*\r\n/, "")}`, fields),
          {},
        );
        expect(read).toMatchObject({ problems: [], records });
      }),
      { numRuns: 200 },
    );
  });

  test("a spreadsheet runs no text of a record as a formula, unless that is wanted", () => {
    const records = [{ "=n": "=HYPERLINK(1)", b: -5, c: "'=x", d: "+49", e: "@a", f: "'plain" }];
    const columns = Object.keys(records[0] as object);
    expect(csvOf(records, columns)).toBe("'=n,b,c,d,e,f\r\n'=HYPERLINK(1),-5,''=x,'+49,'@a,'plain\r\n");
    expect(recordsIn(readImport(csvOf(records, columns), []), {}).records).toEqual(records);
    expect(csvOf(records, columns, true)).toBe("=n,b,c,d,e,f\r\n=HYPERLINK(1),-5,'=x,+49,@a,'plain\r\n");
  });

  test("nothing, null and an empty text; lists and objects", () => {
    const records: JsonObject[] = [{ a: null, b: "", c: [1], d: { x: "y" } }, { c: [] }];
    const text = csvOf(records, ["a", "b", "c", "d"]);
    expect(text).toBe('a,b,c,d\r\n,"",[1],"{""x"":""y""}"\r\n,,[],\r\n');
    expect(recordsIn(readImport(text, []), {}).records).toEqual([{ b: "", c: [1], d: { x: "y" } }, { c: [] }]);
  });

  test.each<[string, readonly string[], ...(readonly ["string" | "number"])[]]>([
    ["number", ["1", "", "-2.50", "1e3"]],
    ["text", ["1", "007"]],
    ["text", ["+49 30"]],
    ["text", ["12345678901234567890"]],
    ["true or false", ["true", "FALSE", ""]],
    ["JSON", ['{"a":1}', "[]"]],
    ["text", ["[draft]"]],
    ["text", [""]],
    ["text", ["1", "2"], ["string"]],
    ["number", ["x"], ["number"]],
  ])("the type %s is guessed for %j", (type, texts, known) => {
    expect(guessType(texts, known)).toBe(type);
  });
});

describe("an import", () => {
  const read = (text: string, types = {}) => recordsIn(readImport(text, []), types);

  test("names every line that does not fit", () => {
    expect(read("id,price,id,\n1,2,3\n").problems).toEqual([
      { place: "Line 1", message: "Two columns are called id." },
      { place: "Line 1", message: "Column 4 has no name." },
      { place: "Line 2", message: "There are 3 cells; the first line has 4." },
    ]);
    const file = readImport('name,price\nHat,10\n"Two\nlines",ten\nBag,\n', []);
    const { problems, records, rejected } = recordsIn(file, { price: "number" });
    expect(rejected).toEqual([{}, { price: "ten" }, {}]);
    expect(problems).toEqual([{ place: "Line 3", message: 'price: "ten" is not a number.' }]);
    expect(records).toEqual([{ name: "Hat", price: 10 }, { name: "Two\nlines" }, { name: "Bag" }]);
    expect(recordsIn(file, { price: "not imported" }).records[0]).toEqual({ name: "Hat" });
    const odd = read("id,__proto__,toString\n1,x,y\n");
    expect([odd.problems, JSON.stringify(odd.records)]).toEqual([[], '[{"id":1,"__proto__":"x","toString":"y"}]']);
    expect(read("a\n").problems).toEqual([{ place: "", message: "It has a line with names, and no records below." }]);
    expect(read("").problems).toEqual([{ place: "", message: "There is nothing in it." }]);
  });

  test("changes no digit of a long number", () => {
    const number = "12345678901234567890";
    const file = readImport(`account\n${number}\n`, [{ name: "account", types: ["number"] }]);
    expect(recordsIn(file, {}).problems).toEqual([
      { place: "Line 2", message: `account: "${number}" has more digits than a number keeps.` },
    ]);
    expect(recordsIn(file, { account: "text" }).records).toEqual([{ account: number }]);
    expect(read(`[{"a":${number}}]`).problems[0]?.message).toContain(`${number} has more digits`);
    expect(read(`[{"a":"\\"${number}","b":0.1234567890123456789,"c":1e21,"d":9007199254740992}]`).problems).toEqual([]);
  });

  test("takes a JSON list, one object, or one on each line", () => {
    const both: Json = [{ a: 1 }, { a: null }];
    expect(read(JSON.stringify(both)).records).toEqual(both);
    expect(read('{"a":1}\n{"a":null}\n').records).toEqual(both);
    expect(read('{"a":1}').records).toEqual([{ a: 1 }]);
    expect(read('[{"a":1},2]').problems).toEqual([{ place: "Record 2", message: "This is not an object." }]);
    expect(read('{"a":1}\n{"a"\n').problems).toEqual([{ place: "Line 2", message: "This is not valid JSON." }]);
    expect(read("[1,").problems[0]?.message).toContain("not valid JSON");
    expect(read("[]").problems).toEqual([{ place: "", message: "The list is empty." }]);
  });
});

test("an export asks for what is picked, for what the list shows, or for everything", () => {
  const query = parseListQuery("price:gt=10&q=hat&_sort=-price");
  const wish = { collection: "my things", idKey: "id", format: "csv", keepsFormulas: false, query } as const;
  const columns = ["name", "price"];
  expect(exportRequest({ ...wish, selection: undefined, columns })).toEqual({
    method: "GET",
    path: "/my%20things?price:gt=10&q=hat&_sort=-price&_fields=name,price",
    body: undefined,
  });
  expect(exportRequest({ ...wish, selection: select(NOTHING, ["1", "a"], true), columns: undefined })).toEqual({
    method: "QUERY",
    path: "/my%20things",
    body: { _sort: "-price", _where: { id: { in: ["1", "a"] } } },
  });
  const all = { ...wish, query: parseListQuery("") };
  expect(exportRequest({ ...all, selection: undefined, columns: undefined }).path).toBe("/my%20things");
  const but = { kind: "allBut", ids: new Set(["3"]) } as const;
  expect(exportRequest({ ...all, selection: but, columns }).path).toBe("/my%20things?id:nin=3&_fields=name,price");
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { csvFormat } from "../../src/store/file/formats/csv-format.ts";
import { json5Format } from "../../src/store/file/formats/json5-format.ts";
import { yamlFormat } from "../../src/store/file/formats/yaml-format.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const HATS = [{ id: 1, name: "Hat", price: 9.5, isNew: true }];
/** The build replaces the tables of letters that names are made of. */
const JSON5_TEXT = "{ größen2: [], products: [{ id: 1, name: 'Hat', price: 9.5, isNew: true, }] }";
const JSONC_TEXT = '{ "products": [{ "id": 1, "name": "Hat", "price": 9.5, "isNew": true, },], }';
const YAML_TEXT = "products:\n  - id: 1\n    name: Hat\n    price: 9.5\n    isNew: true\n";
const CSV_TEXT = "id,name,price,isNew\n1,Hat,9.5,true\n";

const add = (url: string, record: object) =>
  fetch(`${url}/products`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(record),
  });
const products = async (url: string) => (await fetch(`${url}/products`)).json();

describe("a source in another format is served, and keeps writes over a restart", () => {
  for (const [file, text, saved] of [
    ["db.json5", JSON5_TEXT, '"name": "Cap"'],
    ["db.jsonc", JSONC_TEXT, '"name": "Cap"'],
    ["db.yaml", YAML_TEXT, "name: Cap"],
    ["products.csv", CSV_TEXT, '2,"Cap",3,false'],
  ] as const) {
    test.concurrent(file, async () => {
      const folder = createFolder({ [file]: text });
      const first = await serveKept([file], folder);
      expect(await products(first.url)).toEqual(HATS);
      const cap = { id: 2, name: "Cap", price: 3, isNew: false };
      expect((await add(first.url, cap)).status).toBe(201);
      await first.stop();
      expect(readFileSync(join(folder, file), "utf8")).toContain(saved);
      const second = await serveKept([file], folder);
      expect(await products(second.url)).toEqual([...HATS, cap]);
      await second.stop();
    });
  }

  test.concurrent("a folder of them", async () => {
    const folder = createFolder({
      "data/products.csv": CSV_TEXT,
      "data/tags.yaml": "- id: 1\n",
      "data/notes.jsonc": '[{ "id": 1, }]',
      "data/users.json": "[]",
    });
    const server = await serveKept(["data"], folder);
    expect(await (await fetch(`${server.url}/db`)).json()).toEqual({
      notes: [{ id: 1 }],
      products: HATS,
      tags: [{ id: 1 }],
      users: [],
    });
    expect((await add(server.url, { name: "Cap" })).status).toBe(201);
    await server.stop();
    expect(readFileSync(join(folder, "data/products.csv"), "utf8")).toBe(
      'id,name,price,isNew\n1,"Hat",9.5,true\n2,"Cap",,\n',
    );
  });
});

describe("comments", () => {
  for (const [file, text, line] of [
    ["db.json5", '{\n  "a": [], // mine\n}', 2],
    ["db.jsonc", '{ "url": "http://x", \n\n/* two */ "a": [] }', 3],
    ["db.yaml", 'a: []\nb:\n  - id: "# no comment"\n  - id: 2 # a comment\n', 4],
  ] as const) {
    test.concurrent(`in ${file}: refused with the line and two ways on, served with --memory`, async () => {
      const folder = createFolder({ [file]: file === "db.jsonc" ? text.replace('"url": "http://x", ', "") : text });
      const { output, exit } = runKept([file, "--port", "0"], folder);
      expect(await exit).toBe(1);
      expect(output.stderr).toBe(
        `standin: ${file} has a comment in line ${line}, which a save would lose. Add --memory to serve it without saving, or convert it: standin convert ${file} db.json\n`,
      );
      const server = await serveKept([file, "--memory"], folder);
      expect((await fetch(`${server.url}/a`)).status).toBe(200);
      await server.stop();
      const converted = runKept(["convert", file, "db.json"], folder);
      expect(await converted.exit).toBe(0);
      expect(JSON.parse(readFileSync(join(folder, "db.json"), "utf8"))).toHaveProperty("a", []);
      const again = runKept(["convert", file, "db.json"], folder);
      expect(await again.exit).toBe(1);
      expect(again.output.stderr).toBe("standin: db.json already exists. Add --overwrite to replace it.\n");
    });
  }

  test("are told from texts", () => {
    expect(json5Format.commentLine?.(`{ a: "// no", b: '/* no' }`)).toBeUndefined();
    expect(yamlFormat.commentLine?.('a: "x # no"\nb: |\n  # no\n  text\nc: d#e\n')).toBeUndefined();
    expect(yamlFormat.commentLine?.("# yes\na: 1\n")).toBe(1);
    expect(yamlFormat.commentLine?.("\n")).toBeUndefined();
  });
});

describe("CSV", () => {
  for (const [text, value] of [
    [
      "id,zip,born\n1,007,1990\n2,12,1991\n",
      [
        { id: 1, zip: "007", born: 1990 },
        { id: 2, zip: "12", born: 1991 },
      ],
    ],
    ['"id","on"\r\n"1","true"\r\n"2",""\r\n', [{ id: 1, on: true }, { id: 2 }]],
    ['id;tags;note\n1;"[1,2]";"say ""x""\nand"\n', [{ id: 1, tags: [1, 2], note: 'say "x"\nand' }]],
    ['id,code\n1,"5"\n', [{ id: 1, code: "5" }]],
    ["id,name\n1,\n", [{ id: 1 }]],
    ["id;price\n1;9,50\n", [{ id: 1, price: "9,50" }]],
    ["id,note\n1,one; two\n2,,\n", [{ id: 1, note: "one; two" }, { id: 2 }]],
  ] as const) {
    test(`${JSON.stringify(text)} -> ${JSON.stringify(value)}`, () => {
      expect(csvFormat.parse(text)).toEqual(value);
    });
  }

  test("a cell without a name, which a save would drop, is refused with its line", () => {
    expect(() => csvFormat.parse('id,name\n1,"a\nb"\n2,Doe, Jane\n')).toThrow(
      'line 4: more cells than the 2 names in the first line. A cell with "," needs double quotes.',
    );
  });

  test("what is saved is read again", () => {
    const records = [
      { id: 1, code: "5", flag: "true", list: [{ a: 1 }], text: 'a "b", c\nd', price: -1.5, ok: false },
      { id: 2, code: "", text: " " },
    ];
    expect(csvFormat.parse(csvFormat.render(records))).toEqual(records);
    expect(csvFormat.parse(csvFormat.render([]))).toEqual([]);
  });

  test("a file holds one collection", async () => {
    const server = await serveKept(["products.csv"], createFolder({ "products.csv": CSV_TEXT }));
    const made = await fetch(`${server.url}/__collections`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"name":"tags"}',
    });
    expect(made.status).toBeGreaterThanOrEqual(400);
    expect(made.status).toBeLessThan(500);
    expect((await made.json()).message).toContain("holds one collection");
    await server.stop();
  });
});

test("a mistake is named with its line", async () => {
  for (const [file, text, said] of [
    ["db.json5", "{\n a: [1 2] }", /^standin: db\.json5 cannot be read: line 2, column 8: /],
    ["db.yaml", "a: [\nb: 1", /^standin: db\.yaml cannot be read: line 2, column \d+: /],
    ["db.yaml", "- 1\n", /^standin: db\.yaml is neither an OpenAPI document nor data: /],
    ["a.csv", 'id\n"1', /^standin: a\.csv cannot be read: line 2: /],
    ["db.json", "{\n // x\n}", /JSON does not allow comments\. Rename the file to \.jsonc\.$/m],
  ] as const) {
    const { output, exit } = runKept([file, "--port", "0"], createFolder({ [file]: text }));
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(said);
  }
});

test("--watch takes edits over", async () => {
  const folder = createFolder({ "db.yaml": YAML_TEXT });
  const server = await serveKept(["db.yaml", "--watch"], folder);
  writeFileSync(join(folder, "db.yaml"), YAML_TEXT.replace("Hat", "Cup"));
  await expect.poll(() => products(server.url), { timeout: 20_000 }).toEqual([{ ...HATS[0], name: "Cup" }]);
  await server.stop();
});

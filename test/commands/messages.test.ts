import { expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const SHOP = { products: [{ id: 1, name: "Hat" }] };

/** A command line in a folder with files, and the one line that it prints. */
const CASES: readonly [argv: string[], files: Record<string, unknown>, said: string | RegExp][] = [
  [["nothere/db.json"], {}, "nothere/db.json cannot be created: the folder nothere does not exist."],
  ...["shop.json", "--memory shop.json", "init --data shop.json"].map((line): (typeof CASES)[number] => [
    line.split(" "),
    { "db.json": SHOP, "package.json": { name: "x" } },
    'shop.json does not exist; beside it there is db.json. Did you mean "db.json"? To create it with generated data: standin generate shop.json',
  ]),
  [
    ["data/shp.json"],
    { "data/shop.yaml": "products:\n  - id: 1\n", "data/api.json": { openapi: "3.1.0", paths: {} } },
    'data/shp.json does not exist; beside it there are api.json, shop.yaml. Did you mean "shop.yaml"? To create it with generated data: standin generate data/shp.json',
  ],
  [["types", "nofile.json"], {}, "nofile.json does not exist."],
  [["types", "nofile.yaml"], {}, "nofile.yaml does not exist."],
  [
    ["client", "--out", "gone/shop.ts"],
    { "db.json": SHOP },
    "gone/shop.ts was not written: the folder gone does not exist.",
  ],
  [
    ["convert", "db.json", "db.xml"],
    { "db.json": SHOP },
    "db.xml cannot be written: convert writes .json, .json5, .jsonc, .yaml and .csv files.",
  ],
  [["foo"], {}, 'There is no command, file or folder "foo". standin --help lists the commands.'],
  [["help", "generat"], {}, 'There is no command "generat". Did you mean "generate"? standin help lists the commands.'],
  [["d.yaml"], { "d.yaml": "- 1\n" }, /^standin: d\.yaml is neither an OpenAPI document nor data: /],
  [
    ["db.json"],
    { "db.json": '{ "products": [{ "id": 1 }, ] }' },
    'db.json is not valid JSON: line 1, column 27: JSON does not allow a comma before "]".',
  ],
  [
    ["db.json"],
    { "db.json": '{\n // mine\n "products": [] }' },
    "db.json is not valid JSON: line 2, column 2: JSON does not allow comments. Rename the file to .jsonc.",
  ],
  [
    ["--middlewares", "api-key"],
    { "db.json": SHOP },
    'The api-key layer needs "keys": a list of keys, each a string or { key, permissions, name }. Add "layers": { "api-key": { "keys": ... } } to standin.json.',
  ],
  [["client", "--lang", "cobol"], { "db.json": SHOP }, "--lang cobol: --lang expects typescript or csharp."],
  [["client", "--out"], { "db.json": SHOP }, "--out needs a file name: --out <file>"],
  [["check", "--rules"], { "db.json": SHOP }, "--rules needs a file name: --rules <file>"],
  [["hosted", "export", "--format", "x"], { "db.json": SHOP }, "Unknown flag --format. Add --help to list all flags."],
  [
    ["check", "--rules", "r.json"],
    { "db.json": SHOP, "r.json": { type: "object", properties: {} } },
    'r.json is one schema; rules have one for each collection: { "products": { ... } }.',
  ],
  [
    ["syn.mjs"],
    { "syn.mjs": "export default {\n  products: [}\n" },
    "syn.mjs cannot be loaded: line 2, column 14: Unexpected token '}'",
  ],
  [["boom.mjs"], { "boom.mjs": "\nthrow new Error('boom');" }, "boom.mjs cannot be loaded: line 2, column 7: boom"],
  [
    ["late.mjs"],
    { "late.mjs": "export default () => {\n  throw new Error('late');\n};" },
    "late.mjs gave no data: line 2, column 9: late",
  ],
  [
    ["uses.mjs"],
    { "uses.mjs": "import './lib/part.mjs';", "lib/part.mjs": "null.x;" },
    /^standin: uses\.mjs cannot be loaded: lib\/part\.mjs, line 1, column 6: Cannot read/,
  ],
  [
    ["needs.mjs"],
    { "needs.mjs": 'import "node:fs";\nimport x from "not-there/part";\n' },
    'needs.mjs cannot be loaded: line 2, column 15: the package "not-there" is not installed: npm install not-there',
  ],
  [
    ["--plugins", "p.mjs"],
    { "db.json": SHOP, "p.mjs": 'import "./lib.mjs";', "lib.mjs": '\nimport "@me/gone";' },
    'p.mjs cannot be loaded: lib.mjs, line 2, column 8: the package "@me/gone" is not installed: npm install @me/gone',
  ],
  [
    ["--middlewares", "./needs.cjs"],
    { "db.json": SHOP, "needs.cjs": 'const x = require("not-there");' },
    /needs\.cjs cannot be loaded: line 1, column 11: the package "not-there" is not installed: npm install not-there\n$/,
  ],
  [
    ["db.json"],
    { "db.json": SHOP, "standin.config.mjs": 'export { x } from "./gone.mjs";' },
    /^standin: standin\.config\.mjs cannot be loaded: line 1, column 19: there is no file .*gone\.mjs\.\n$/,
  ],
  [
    ["db.json"],
    { "db.json": SHOP, "standin.config.mjs": "export default () => nope;" },
    "standin.config.mjs gave no options: line 1, column 22: nope is not defined",
  ],
  [
    ["--rules", "r.json"],
    { "db.json": SHOP, "r.json": '{ "products": {}, }' },
    'The rules file r.json cannot be read: line 1, column 17: JSON does not allow a comma before "}".',
  ],
  [["d.yaml"], { "d.yaml": "products:\n  - id: 1\n   name: x\n" }, /^standin: d\.yaml .*line 3, column \d+: .*\.\n$/],
  [
    ["--middlewares", "./mid.cjs"],
    { "db.json": SHOP, "mid.cjs": "module.exports = (;" },
    /mid\.cjs cannot be loaded: line 1, column 19: Unexpected token ';'/,
  ],
];

for (const [argv, files, said] of CASES) {
  test.concurrent(`standin ${argv.join(" ")}: ${said}`, async () => {
    const { output, exit } = runKept(
      [...argv, ...(argv[0]?.match(/^(types|client|check|convert|requests|hosted|help)$/) ? [] : ["--port", "0"])],
      createFolder(files),
    );
    expect([await exit, output.stdout]).toEqual([1, ""]);
    if (typeof said === "string") expect(output.stderr).toBe(`standin: ${said}\n`);
    else expect(output.stderr).toMatch(said);
  });
}

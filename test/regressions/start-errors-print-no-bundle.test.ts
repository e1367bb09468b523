import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtPackage } from "../support/build.ts";
import { createFolder } from "../support/cli.ts";
import { testAtLength } from "../support/soak.ts";

/** Node prints the line that throws: of a minified bundle that is all of it, with the message far below. */

const PROGRAMS: Readonly<Record<string, string>> = {
  "router.cjs": 'require("standin/json-server").router("db.json");',
  "rewriter.cjs": 'require("standin/json-server").rewriter({ "/a/*": "$1" });',
  "address.cjs": 'require("standin/json-server").router("postgres://localhost/shop");',
  "router.mjs": 'import jsonServer from "standin/json-server"; jsonServer.router("db.json");',
  "program.mjs": 'import { createStandin } from "standin"; await createStandin({ source: "db.json" });',
};
const SAID = /not valid JSON|must be a path|served by the command/;

for (const [file, text] of Object.entries(PROGRAMS)) {
  // The soak starts the others.
  const run = ["router.cjs", "program.mjs"].includes(file) ? test : testAtLength;
  run(`${file}: ${text}`, async () => {
    const folder = createFolder({ "db.json": '{ "posts": [ }', [file]: text });
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(builtPackage(), join(folder, "node_modules/standin"));
    const stderr = await new Promise<string>((resolve) => {
      execFile(process.execPath, [file], { cwd: folder }, (_error, _stdout, told) => resolve(told));
    });
    expect(stderr).toMatch(SAID);
    // The line, an arrow below it, and the stack.
    expect(stderr.length).toBeLessThan(4000);
  });
}

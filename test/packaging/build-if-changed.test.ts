import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";

/** Says in a file that it has run. */
const TELL = 'require("node:fs").appendFileSync("built.txt", "x");';

test("npm start builds when a source or the result has changed, and says so", () => {
  const folder = createFolder({
    "package.json": "{}",
    "package-lock.json": "{}",
    "tsconfig.json": "{}",
    "src/cli.ts": "",
    "console/index.html": "",
    "clients/client.ts": "",
    "README.md": "",
    "docs/page.md": "",
    "scripts/prune-types.mjs": "",
    "scripts/pack-folder.mjs": "export function packFolder() {}",
    "scripts/docs/site.mjs": "",
    "scripts/build.mjs": `import { createRequire } from "node:module"; const require = createRequire(import.meta.url); ${TELL} require("node:fs").mkdirSync("dist", { recursive: true }); require("node:fs").writeFileSync("dist/cli.js", "");`,
    "node_modules/typescript/bin/tsc": "",
    "node_modules/vite/bin/vite.js": "",
  });
  cpSync(resolve("scripts/package.mjs"), join(folder, "scripts/package.mjs"));
  const start = (): [built: number, said: string] => {
    rmSync(join(folder, "built.txt"), { force: true });
    const command = `"${process.execPath}" scripts/package.mjs --if-changed 2>&1`;
    const said = execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
    return [existsSync(join(folder, "built.txt")) ? readFileSync(join(folder, "built.txt"), "utf8").length : 0, said];
  };
  expect(start()).toEqual([1, expect.stringMatching(/^Building standin.*\nBuilt in \d+ s\.\n$/)]);
  expect(start()).toEqual([0, ""]);
  writeFileSync(join(folder, "src/cli.ts"), "export {};");
  expect(start()[0]).toBe(1);
  rmSync(join(folder, "dist"), { recursive: true });
  expect(start()[0]).toBe(1);
  expect(start()[0]).toBe(0);
});

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";

/** Says in a file that it has run, and leaves a program. */
const BUNDLER = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
export async function build({ input }) {
  if (!input.cli) return { output: [] };
  appendFileSync("built.txt", "x");
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/cli.js", "");
  return { output: [] };
}
`;

test("npm start builds when a source or the result has changed, and says so", () => {
  const folder = createFolder({
    "package.json": { version: "1.0.0", exports: {}, dependencies: {} },
    "package-lock.json": "{}",
    "tsconfig.json": "{}",
    "src/cli.ts": "",
    "console/index.html": "",
    "clients/client.ts": "",
    "README.md": "",
    "docs/page.md": "",
    "scripts/docs/site.mjs": "",
    "node_modules/rolldown/package.json": { type: "module", exports: "./index.js" },
    "node_modules/rolldown/index.js": BUNDLER,
    "node_modules/typescript/bin/tsc":
      'require("node:fs").mkdirSync("dist", { recursive: true }); require("node:fs").writeFileSync("dist/cli.d.ts", "");',
    "node_modules/vite/bin/vite.js": "",
  });
  cpSync(resolve("scripts/build.mjs"), join(folder, "scripts/build.mjs"));
  const start = (): [built: number, said: string] => {
    rmSync(join(folder, "built.txt"), { force: true });
    const command = `"${process.execPath}" scripts/build.mjs --if-changed 2>&1`;
    const said = execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
    return [existsSync(join(folder, "built.txt")) ? readFileSync(join(folder, "built.txt"), "utf8").length : 0, said];
  };
  const [built, said] = start();
  expect(built).toBe(1);
  expect(said).toMatch(/^Building standin: programs, types, console and guide \.\.\.\n/);
  for (const part of ["programs", "types", "console", "guide"])
    expect(said).toMatch(new RegExp(`^  ${part} in \\d`, "m"));
  expect(start()).toEqual([0, ""]);
  writeFileSync(join(folder, "src/cli.ts"), "export {};");
  expect(start()[0]).toBe(1);
  rmSync(join(folder, "dist"), { recursive: true });
  expect(start()[0]).toBe(1);
  expect(start()[0]).toBe(0);
});

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createFolder } from "./cli.ts";

/** A copy of the sources, in which recipes of CONTRIBUTING.md are carried out. */
export interface RecipeFolder {
  readonly folder: string;
  /** The code of a recipe: the blocks that are indented by four. */
  blocksOf(title: string): string[];
  write(path: string, text: string): void;
  edit(path: string, change: (text: string) => string): void;
  run(...args: string[]): Ran;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

export function recipeFolder(): RecipeFolder {
  const folder = createFolder();
  for (const name of ["src", "scripts/docs", "clients", "console/src", "docs"])
    cpSync(name, join(folder, name), { recursive: true });
  cpSync("package.json", join(folder, "package.json"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const write = (path: string, text: string): void => writeFileSync(createParent(join(folder, path)), text);
  return {
    folder,
    blocksOf,
    write,
    edit: (path, change) => write(path, change(readFileSync(join(folder, path), "utf8"))),
    run: (...args) => spawnSync(process.execPath, ["--import", "tsx", ...args], { cwd: folder, encoding: "utf8" }),
  };
}

function blocksOf(title: string): string[] {
  const [, section = ""] = readFileSync("CONTRIBUTING.md", "utf8").split(`## ${title}\n`);
  const blocks = section.split("\n## ", 1)[0]!.match(/^ {4}.*(?:\n(?: {4}.*)?)*/gm) ?? [];
  return blocks.map((block) => block.replace(/^ {4}/gm, "").trimEnd());
}

function createParent(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/command-table.ts";
import { createFolder } from "../support/cli.ts";

describe("every command is its file and its line of the table", () => {
  test("every file that defines a command is in the table", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && / = defineCommand\(/.test(readFileSync(join("src", name), "utf8")),
    );
    const listed = Object.keys(COMMANDS).map((name) => join("commands", `${name.replace(" ", "-")}.ts`));
    expect(files.sort()).toEqual(listed.sort());
  });

  for (const [name, load] of Object.entries(COMMANDS)) {
    test(`${name} has the name of its line, and a summary`, async () => {
      const { usage, summary } = await load();
      expect(`${usage} `.startsWith(`${name} `)).toBe(true);
      expect(summary).not.toBe("");
    });
  }
});

/** The recipe of CONTRIBUTING.md, carried out in a copy of the sources: a file and a line, and nothing else. */
describe("the recipe for a command", () => {
  let folder: string;

  beforeAll(() => {
    folder = createFolder();
    for (const name of ["src", "scripts/docs"]) cpSync(name, join(folder, name), { recursive: true });
    cpSync("package.json", join(folder, "package.json"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "docs/reference"), { recursive: true });
    const [file, line] = blocksOf("How to add a command");
    writeFileSync(join(folder, "src/commands/greet.ts"), file!);
    const table = join(folder, "src/commands/command-table.ts");
    writeFileSync(table, readFileSync(table, "utf8").replace("\n};\n", `\n${line}\n};\n`));
  });

  test("runs it", () => {
    expect(run("src/cli.ts", "greet", "Ada", "--greeting", "Good morning").stdout).toBe("Good morning, Ada\n");
  });

  test("prints its help", () => {
    const { stdout } = run("src/cli.ts", "greet", "--help");
    expect(stdout).toContain("standin greet [name]   say hello");
    expect(stdout).toContain("--greeting  Words to begin with [Hello]");
    expect(stdout).toContain("Example\n  standin greet Ada");
  });

  test("lists it among the commands", () => {
    expect(run("src/cli.ts", "--help", "all").stdout).toMatch(/standin greet \[name\] +say hello/);
  });

  test("suggests it for a misspelt name", () => {
    const { stderr, status } = run("src/cli.ts", "gret");
    expect(stderr).toContain('Did you mean "standin greet"?');
    expect(status).toBe(1);
  });

  test("describes its options on the reference page", () => {
    run("scripts/docs/write-reference.ts");
    const page = readFileSync(join(folder, "docs/reference/options.md"), "utf8");
    expect(page).toContain("## standin greet [name]\n\n| flag |");
  });

  function run(...args: string[]) {
    return spawnSync(process.execPath, ["--import", "tsx", ...args], { cwd: folder, encoding: "utf8" });
  }
});

/** The code of a section of CONTRIBUTING.md: what is indented by four. */
function blocksOf(title: string): string[] {
  const [, section = ""] = readFileSync("CONTRIBUTING.md", "utf8").split(`## ${title}\n`);
  const blocks = section.split("\n## ", 1)[0]!.match(/^ {4}.*(?:\n(?: {4}.*)?)*/gm) ?? [];
  return blocks.map((block) => block.replace(/^ {4}/gm, "").trimEnd());
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { copyForRecipe, type RecipeFolder } from "../support/recipe.ts";

/** The recipe of CONTRIBUTING.md, carried out in a copy of the sources: a file and a line, and nothing else. */
describe("the recipe for a command", () => {
  let recipe: RecipeFolder;
  const run = (...args: string[]) => recipe.run(...args);

  beforeAll(() => {
    recipe = copyForRecipe("How to add a command");
    const [file, line] = recipe.blocks;
    recipe.write("src/commands/greet.ts", file!);
    recipe.edit("src/commands/command-table.ts", (table) => table.replace("\n};\n", `\n${line}\n};\n`));
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
    const page = readFileSync(join(recipe.folder, "docs/reference/options.md"), "utf8");
    expect(page).toContain("## standin greet [name]\n\n| flag |");
  });
});

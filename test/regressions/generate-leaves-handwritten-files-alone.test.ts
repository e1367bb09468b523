import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generateCommand } from "../../src/commands/generate.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const GENERATED = ["--products", "1", "--companies", "1", "--quiet"];

function isGenerated(file: string): boolean {
  const { products, companies } = JSON.parse(readFileSync(file, "utf8"));
  return products.length === 1 && companies.length === 1;
}

describe("generate leaves alone", () => {
  const left = [
    ["a file with other collections", '{ "posts": [{ "id": 1 }] }', "it has no products and no companies"],
    ["a file with one of the two", '{ "products": [], "users": [] }', "it has no companies"],
    ["a file with a mistake", '{ "products": [], "companies": [', "it is not a data file"],
    ["a file that begins well and ends otherwise", '{ "products": [1, }, "companies": [] }', "it is not a data file"],
    ["a list", '[{ "id": 1 }]', "it is not a data file"],
    ["anything else", "# notes\n", "it is not a data file"],
  ] as const;
  for (const [name, text, reason] of left) {
    test(name, async () => {
      const file = join(createFolder(), "notes.json");
      writeFileSync(file, text);
      const refused = generateCommand.run([file, ...GENERATED]);
      await expect(refused).rejects.toThrow(`${file} does not look generated`);
      await expect(refused).rejects.toThrow(reason);
      await expect(refused).rejects.toThrow("add --overwrite to replace it");
      expect(readFileSync(file, "utf8")).toBe(text);
      await generateCommand.run([file, ...GENERATED, "--overwrite"]);
      expect(isGenerated(file)).toBe(true);
    });
  }

  test("and the command says so, with exit code 1", async () => {
    const folder = createFolder({ "db.json": { posts: [] } });
    const { output, exit } = runKept(["generate"], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain("standin: db.json does not look generated");
  });
});

describe("generate replaces", () => {
  const replaced = [
    ["a generated file", '{ "products": [{ "id": 1 }], "companies": [{ "id": 1 }] }'],
    ["a generated file that got another collection", '{ "users": [], "companies": [], "products": [] }'],
    ["a file with nothing in it", ""],
    ["a blank file", " \n"],
    ["a file with an empty object", "{}\n"],
  ] as const;
  for (const [name, text] of replaced) {
    test(name, async () => {
      const file = join(createFolder(), "db.json");
      writeFileSync(file, text);
      await generateCommand.run([file, ...GENERATED]);
      expect(isGenerated(file)).toBe(true);
    });
  }
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/command-table.ts";

describe("every command is its file and its line of the table", () => {
  test("every file that defines a command is in the table", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && / = defineCommand\(/.test(readFileSync(join("src", name), "utf8")),
    );
    const listed = Object.keys(COMMANDS).map((name) => join("commands", `${name.replace(" ", "-")}.ts`));
    expect(files.sort()).toEqual(listed.sort());
  });

  test("examples spell operators with a colon, as the guide does", () => {
    for (const name of readdirSync("src/commands", { recursive: true, encoding: "utf8" })) {
      if (name.endsWith(".ts"))
        expect(readFileSync(join("src/commands", name), "utf8")).not.toMatch(/\?\w+_(gte|lte|ne|like)=/);
    }
  });

  for (const [name, load] of Object.entries(COMMANDS)) {
    test(`${name} has the name of its line, and a summary`, async () => {
      const { usage, summary } = await load();
      expect(`${usage} `.startsWith(`${name} `)).toBe(true);
      expect(summary).not.toBe("");
    });
  }
});

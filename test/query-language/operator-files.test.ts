import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OPERATOR_NAMES, OPERATORS } from "../../src/query/operator-table.ts";

const FOLDER = "src/query/operators";
/** Made from the table, or of another language: that of json-server 1.0. */
const REPEATING = ["console/src/api/operator-table.ts", "clients/client.ts", "clients/client.cs"];
/** Those that read the signs and words of other languages. */
const OTHER_LANGUAGES = [
  "src/features/dialect/where.ts",
  "src/features/openapi-source/lists/search-clauses.ts",
  "src/openapi/bind/query/filter-language.ts",
  "src/openapi/bind/query/filter-names.ts",
  "src/openapi/bind/query/told-operators.ts",
  "src/openapi/bind/query/worded-ranges.ts",
  "console/src/data/filters/typed-filters.ts",
];
/** Names of operators that mean nothing else in code. */
const TELLING = OPERATOR_NAMES.filter(
  (name) => !["eq", "in", "null", "contains", "startsWith", "endsWith"].includes(name),
).map((name) => new RegExp(`["'|(_]${name}["'|)]`));

describe("every operator is its file and its line of the table", () => {
  test("every file of the folder defines one operator, which is in the table under its name", () => {
    const fileOf = (name: string): string => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
    expect(readdirSync(FOLDER).sort()).toEqual(OPERATOR_NAMES.map(fileOf).sort());
    for (const name of OPERATOR_NAMES) {
      const text = readFileSync(join(FOLDER, fileOf(name)), "utf8");
      expect(text.match(/ = define\w+\(\{\n {2}name: "(\w+)"/)?.[1]).toBe(name);
    }
  });

  test("every operator reads as a sentence, and has an example", () => {
    for (const { words, description, example } of OPERATORS) {
      expect(words).toMatch(/^[a-z]/);
      expect(description).toMatch(/^[a-z].*[^.]$/);
      expect(example.value).not.toBe("");
    }
  });

  test("no other source lists operators", () => {
    const listing = ["src", "console/src", "clients", "scripts"]
      .flatMap((room) => readdirSync(room, { recursive: true, encoding: "utf8" }).map((name) => join(room, name)))
      .filter((file) => /\.(tsx?|cs|mjs)$/.test(file) && !file.startsWith(FOLDER) && !REPEATING.includes(file))
      .filter((file) => listsOperators(readFileSync(file, "utf8")));
    expect(listing.sort()).toEqual(OTHER_LANGUAGES.toSorted());
  });
});

/** Whether six lines in a row name three operators, each in quotes or as an alternative of a pattern. */
function listsOperators(text: string): boolean {
  const inText = TELLING.filter((name) => name.test(text));
  if (inText.length < 3) return false;
  const lines = text.split("\n");
  return lines.some((_, at) => {
    const few = lines.slice(at, at + 6).join("\n");
    return inText.filter((name) => name.test(few)).length >= 3;
  });
}

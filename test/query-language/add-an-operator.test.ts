import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_NAMES, OPERATORS } from "../../src/query/operator-table.ts";
import { copyForRecipe, type RecipeFolder } from "../support/recipe.ts";

const FOLDER = "src/query/operators";
/** Made from the table, or of another language: that of json-server 1.0. */
const REPEATING = ["console/src/api/operator-table.ts", "clients/client.ts", "clients/client.cs"];
/** Those that read the signs of other languages. */
const OTHER_LANGUAGES = ["src/features/dialect/where.ts", "src/features/openapi-source/search-clauses.ts"];
/** Names of operators that mean nothing else in code. */
const TELLING = OPERATOR_NAMES.filter(
  (name) => !["eq", "in", "null", "contains", "startsWith", "endsWith"].includes(name),
);

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
    expect(listing).toEqual(OTHER_LANGUAGES);
  });
});

/** Whether six lines in a row name three operators, each in quotes or as an alternative of a pattern. */
function listsOperators(text: string): boolean {
  const lines = text.split("\n");
  return lines.some((_, at) => {
    const few = lines.slice(at, at + 6).join("\n");
    return TELLING.filter((name) => new RegExp(`["'|(_]${name}["'|)]`).test(few)).length >= 3;
  });
}

/** The recipe of CONTRIBUTING.md, carried out in a copy of the sources: a file and a line, and nothing else. */
describe("the recipe for an operator", () => {
  let recipe: RecipeFolder;

  beforeAll(() => {
    recipe = copyForRecipe("How to add an operator");
    const [file, entry] = recipe.blocks;
    recipe.write(`${FOLDER}/multiple-of.ts`, file!);
    recipe.edit("src/query/operator-table.ts", (table) => {
      const listed = table.replace("\n] as const;", `\n  ${entry}\n] as const;`);
      return `import { multipleOfOperator } from "./operators/multiple-of.ts";\n${listed}`;
    });
    expect(recipe.run("scripts/docs/write-reference.ts").stderr).toBe("");
  });

  test("filters by parameter, in _or, in _where and in find, and refuses a misspelt name with it", () => {
    const program = `
      import { createStandin } from "./src/index.ts";
      const api = await createStandin({ data: { things: [4, 5, "6", [7, 10]].map((price, at) => ({ id: at + 1, price })) } });
      const idsOf = async (search) => (await (await fetch(api.url + "/things?" + search)).json()).map(({ id }) => id);
      console.log(JSON.stringify([
        await idsOf("price:multipleOf=5"),
        await idsOf("price:!multipleOf=5"),
        await idsOf("_or=price:multipleOf=5&_or=price:multipleOf=3"),
        await idsOf("_where=" + encodeURIComponent('{"price":{"multipleOf":2}}')),
        (await api.db.things.find({ price: { multipleOf: 5 } })).map(({ id }) => id),
        (await (await fetch(api.url + "/things?price:multipleof=2")).json()).message,
        (await (await fetch(api.url + "/__openapi.json")).text()).includes("multipleOf"),
      ]));
      await api.close();`;
    recipe.write("ask.mts", program);
    const [ours, others, either, where, found, message, isDescribed] = JSON.parse(recipe.run("ask.mts").stdout);
    expect([ours, others, either, where, found]).toEqual([
      [2, 4],
      [1, 3],
      [2, 3, 4],
      [1, 3, 4],
      [2, 4],
    ]);
    expect(message).toContain('Did you mean "multipleOf"?');
    expect(isDescribed).toBe(true);
  });

  const written: readonly [file: string, text: string][] = [
    ["docs/reference/query.md", "| `multipleOf` | `price:multipleOf=5` | is a multiple of the number |"],
    ["clients/client.ts", "readonly multipleOf?: V;"],
    ["clients/client.cs", 'MultipleOf(TValue value) => On("multipleOf", value);'],
    ["console/src/api/operator-table.ts", 'name: "multipleOf",'],
  ];
  for (const [file, text] of written) {
    test(`${file} has it`, () => {
      expect(readFileSync(join(recipe.folder, file), "utf8")).toContain(text);
    });
  }
});

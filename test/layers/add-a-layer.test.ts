import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../../src/base/errors.ts";
import { LAYER_NAMES, loadLayerTraits } from "../../src/layers/registry.ts";
import { copyForRecipe, type RecipeFolder } from "../support/recipe.ts";

describe("every layer is its file and its line of the registry", () => {
  test("each has the name of its line", async () => {
    expect((await loadLayerTraits()).map(({ name }) => name)).toEqual(LAYER_NAMES);
  });

  test("every file that defines a layer is listed", () => {
    // The worker has a stand-in for a layer that does not fit into it.
    const files = readdirSync("src/layers").filter(
      (name) =>
        !name.endsWith(".worker.ts") && /: LayerDefinition = \{/.test(readFileSync(`src/layers/${name}`, "utf8")),
    );
    expect(files.map((name) => name.replace(/\.ts$/, "")).sort()).toEqual(LAYER_NAMES.toSorted());
  });

  test("its codes are those that its file throws", async () => {
    for (const { name, codes = [] } of await loadLayerTraits()) {
      const text = readFileSync(`src/layers/${name}.ts`, "utf8").split(": LayerDefinition = {")[0]!;
      const thrown = Object.keys(ERRORS).filter((code) => text.includes(`"${code}"`));
      expect(thrown.filter((code) => !code.startsWith("LOGIN_") && code !== "METHOD_NOT_ALLOWED").sort()).toEqual(
        codes.toSorted(),
      );
    }
  });

  test("nothing outside of src/layers repeats the list", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const repeating = files.filter((name) => {
      const text = readFileSync(`src/${name}`, "utf8");
      return !name.startsWith("layers") && LAYER_NAMES.filter((layer) => text.includes(`"${layer}"`)).length > 2;
    });
    expect(repeating).toEqual([]);
  });
});

const SCRIPT = `
import { createStandin } from "./src/index.ts";
const warnings: string[] = [];
const options = { data: { products: [{ id: 1 }] }, layers: { tenant: { names: ["acme"] } }, warn: (text: string) => warnings.push(text) };
await using api = await createStandin({ ...options, middlewares: ["tenant", "cors"] });
const headers = { "X-Tenant": "acme" };
const refused = await api.request("GET /products");
const passed = await api.request("GET /products", { headers });
const requests = [{ method: "GET", path: "/products/1" }];
const batch = await api.request("POST /__batch", { body: { requests }, headers });
const document = (await api.request("GET /__openapi.json", { headers })).body;
console.log(JSON.stringify({
  refused: refused.status, passed: passed.status, header: passed.headers.get("X-Known-Tenants"), batch: batch.status, warnings,
  scheme: document.components.securitySchemes.tenant, security: document.paths["/products"].get.security,
  responses: Object.keys(document.paths["/products"].get.responses),
  headers: Object.keys(document.paths["/products"].get.responses[200].headers),
}));
`;

/** The recipe of CONTRIBUTING.md, carried out in a copy of the sources: a file and a line, and nothing else. */
describe("the recipe for a layer", () => {
  let recipe: RecipeFolder;

  beforeAll(() => {
    recipe = copyForRecipe("How to add a layer");
    const [file, line] = recipe.blocks;
    recipe.write("src/layers/tenant.ts", file!);
    recipe.edit("src/layers/registry.ts", (text) => text.replace("\n} as const", `\n${line}\n} as const`));
    recipe.write("script.mts", SCRIPT);
  });

  test("it guards requests and batches, and OpenAPI and the warnings know it", () => {
    const { stdout, stderr } = recipe.run("script.mts");
    expect(stderr).toBe("");
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    expect(seen).toMatchObject({
      refused: 401,
      passed: 200,
      header: "1",
      batch: 200,
      warnings: ['"cors" is listed after "tenant", which refuses preflights; list "cors" first.'],
      scheme: { type: "apiKey", in: "header", name: "X-Tenant" },
      security: [{ tenant: [] }],
      responses: expect.arrayContaining(["200", "401"]),
      headers: expect.arrayContaining(["X-Known-Tenants"]),
    });
  });

  test("a misspelt name is corrected", () => {
    recipe.write("db.json", '{ "products": [] }');
    expect(recipe.run("src/cli.ts", "db.json", "--middlewares", "tenat").stderr).toContain('Did you mean "tenant"?');
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../src/base/errors.ts";
import { LAYER_NAMES, loadLayerTraits } from "../../src/layers/registry.ts";

describe("every layer is its file and its line of the registry", () => {
  test("each has the name of its line", async () => {
    expect((await loadLayerTraits()).map(({ name }) => name)).toEqual(LAYER_NAMES);
  });

  test("every file that defines a layer is listed", () => {
    // The worker has a stand-in for a layer that does not fit into it.
    const files = readdirSync("src/layers").filter(
      (name) =>
        !/\.(?:web|worker)\.ts$/.test(name) &&
        /: LayerDefinition = \{/.test(readFileSync(`src/layers/${name}`, "utf8")),
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

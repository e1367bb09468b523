import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyForRecipe, type RecipeFolder } from "../support/recipe.ts";

const SCRIPT = `
import { openService } from "./src/app/open-service.ts";
import { silentReporter } from "./src/base/reporter.ts";
import { withDefaults } from "./src/config/defaults.ts";
import { SERVE_OPTIONS } from "./src/config/options.ts";
import { createInProcess } from "./src/app/in-process.ts";
import { mottoFeature } from "./src/features/motto/feature.ts";
const seen: unknown[] = [];
for (const motto of ["Less is more", undefined]) {
  const service = await openService(withDefaults(SERVE_OPTIONS, { source: "db.json", memory: true, motto }), {
    reporter: silentReporter,
    place: "standin.json",
  });
  const { status, body } = await createInProcess(service, "http://localhost").request("GET /__motto");
  seen.push(status, body, service.offer(mottoFeature) ?? "off");
  await service.store.close();
}
console.log(JSON.stringify(seen));
process.exit();
`;

/** The recipe of CONTRIBUTING.md, carried out in a copy of the sources: a folder and a line, and nothing else. */
let recipe: RecipeFolder;

beforeAll(() => {
  recipe = copyForRecipe("How to add a feature");
  const [door, inside, line] = recipe.blocks;
  recipe.write("src/features/motto/feature.ts", door!);
  recipe.write("src/features/motto/open-motto.ts", inside!);
  recipe.edit("src/features/list.ts", (list) =>
    `import { mottoFeature } from "./motto/feature.ts";\n${list}`.replace("\n] as const", `\n  ${line}\n] as const`),
  );
  recipe.write("db.json", '{ "products": [] }');
  recipe.write("script.mts", SCRIPT);
});

test("its route responds while it is on, its offer is there, and its path is reserved", () => {
  const { stdout, stderr } = recipe.run("script.mts");
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toMatchObject([200, { motto: "Less is more" }, "Less is more", 404, {}, "off"]);
});

test("its option is in --help, and on the reference page", () => {
  expect(recipe.run("src/cli.ts", "--help", "all").stdout).toMatch(/--motto <words> +Words for GET \/__motto/);
  recipe.run("scripts/docs/write-reference.ts");
  expect(readFileSync(join(recipe.folder, "docs/reference/options.md"), "utf8")).toContain("Words for GET /__motto");
});

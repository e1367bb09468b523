import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Ran, recipeFolder } from "../support/recipe.ts";

/** Uses all that the recipes have added, in one process: to load the sources takes most of the time. */
const PROGRAM = `
import { createInProcess } from "./src/app/in-process.ts";
import { openService } from "./src/app/open-service.ts";
import { silentReporter } from "./src/base/reporter.ts";
import { runCommandLine } from "./src/commands/command-table.ts";
import { withDefaults } from "./src/config/defaults.ts";
import { SERVE_OPTIONS } from "./src/config/options.ts";
import { mottoFeature } from "./src/features/motto/feature.ts";
import { createStandin } from "./src/index.ts";

async function withMotto(motto: string | undefined): Promise<unknown[]> {
  const service = await openService(withDefaults(SERVE_OPTIONS, { source: "db.json", memory: true, motto }), {
    reporter: silentReporter,
    place: "standin.json",
  });
  const { status, body } = await createInProcess(service, "http://localhost").request("GET /__motto");
  await service.store.close();
  return [status, body, service.offer(mottoFeature) ?? "off"];
}

async function printedBy(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (chunk: unknown) => printed.push(String(chunk)) > 0;
  try {
    await runCommandLine(args);
  } catch (thrown) {
    printed.push((thrown as Error).message);
  } finally {
    process.stdout.write = write;
  }
  return printed.join("");
}

async function withOperator(): Promise<unknown> {
  const data = { things: [4, 5, "6", [7, 10]].map((price, at) => ({ id: at + 1, price })) };
  await using api = await createStandin({ data });
  const request = async (search: string) => (await api.request("GET /things?" + search)).body;
  const idsOf = async (search: string) => (await request(search)).map(({ id }) => id);
  return {
    found: [
      await idsOf("price:multipleOf=5"),
      await idsOf("price:!multipleOf=5"),
      await idsOf("_or=price:multipleOf=5&_or=price:multipleOf=3"),
      await idsOf("_where=" + encodeURIComponent('{"price":{"multipleOf":2}}')),
      (await api.db.things.find({ price: { multipleOf: 5 } })).map(({ id }) => id),
    ],
    message: (await request("price:multipleof=2")).message,
    document: JSON.stringify((await api.request("GET /__openapi.json")).body),
  };
}

async function withLayer(): Promise<unknown> {
  const warnings: string[] = [];
  const options = { data: { products: [{ id: 1 }] }, layers: { tenant: { names: ["acme"] } }, warn: (text: string) => warnings.push(text) };
  await using api = await createStandin({ ...options, middlewares: ["tenant", "cors"] });
  const headers = { "X-Tenant": "acme" };
  const refused = await api.request("GET /products");
  const passed = await api.request("GET /products", { headers });
  const requests = [{ method: "GET", path: "/products/1" }];
  const batch = await api.request("POST /__batch", { body: { requests }, headers });
  const document = (await api.request("GET /__openapi.json", { headers })).body;
  return {
    refused: refused.status, passed: passed.status, header: passed.headers.get("X-Known-Tenants"), batch: batch.status, warnings,
    scheme: document.components.securitySchemes.tenant, security: document.paths["/products"].get.security,
    responses: Object.keys(document.paths["/products"].get.responses),
    headers: Object.keys(document.paths["/products"].get.responses[200].headers),
    misspelt: await createStandin({ data: {}, middlewares: ["tenat"] }).catch(({ message }) => message),
  };
}

const features = [await withMotto("Less is more"), await withMotto(undefined)];
const [operator, layer] = [await withOperator(), await withLayer()];
const printed = {
  help: await printedBy("--help", "all"),
  greeting: await printedBy("greet", "Ada", "--greeting", "Good morning"),
  greetHelp: await printedBy("greet", "--help"),
  misspelt: await printedBy("gret"),
};
await import("./scripts/docs/write-reference.ts");
console.log(JSON.stringify({ features, operator, layer, printed }));
process.exit();
`;

/** The recipes of CONTRIBUTING.md, all in one copy of the sources: files and lines as they say, and nothing else. */
const recipe = recipeFolder();
let ran: Ran;
let seen: Record<"operator" | "layer", Record<string, unknown>> & {
  readonly features: unknown[];
  readonly printed: Record<"help" | "greeting" | "greetHelp" | "misspelt", string>;
};

beforeAll(() => {
  const [door, inside, feature] = recipe.blocksOf("How to add a feature");
  recipe.write("src/features/motto/feature.ts", door!);
  recipe.write("src/features/motto/open-motto.ts", inside!);
  recipe.edit("src/features/list.ts", (list) =>
    `import { mottoFeature } from "./motto/feature.ts";\n${list}`.replace("\n] as const", `\n  ${feature}\n] as const`),
  );
  const [command, ofCommand] = recipe.blocksOf("How to add a command");
  recipe.write("src/commands/greet.ts", command!);
  recipe.edit("src/commands/command-table.ts", (table) => table.replace("\n};\n", `\n${ofCommand}\n};\n`));
  const [operator, ofOperator] = recipe.blocksOf("How to add an operator");
  recipe.write("src/query/operators/multiple-of.ts", operator!);
  recipe.edit("src/query/operator-table.ts", (table) => {
    const listed = table.replace("\n] as const;", `\n  ${ofOperator}\n] as const;`);
    return `import { multipleOfOperator } from "./operators/multiple-of.ts";\n${listed}`;
  });
  const [layer, ofLayer] = recipe.blocksOf("How to add a layer");
  recipe.write("src/layers/tenant.ts", layer!);
  recipe.edit("src/layers/registry.ts", (text) => text.replace("\n} as const", `\n${ofLayer}\n} as const`));
  recipe.write("db.json", '{ "products": [] }');
  recipe.write("program.mts", PROGRAM);
  ran = recipe.run("program.mts");
  seen = JSON.parse(ran.stdout || "{}");
});

test("nothing is complained of", () => {
  expect(ran.stderr).toBe("");
});

describe("the recipe for a feature", () => {
  test("its route responds while it is on, its offer is there, and its path is reserved", () => {
    expect(seen.features).toMatchObject([
      [200, { motto: "Less is more" }, "Less is more"],
      [404, {}, "off"],
    ]);
  });

  test("its option is in --help", () => {
    expect(seen.printed.help).toMatch(/--motto <words> +Words for GET \/__motto/);
  });
});

describe("the recipe for a command", () => {
  test("runs it", () => {
    expect(seen.printed.greeting).toBe("Good morning, Ada\n");
  });

  test("prints its help, and lists it among the commands", () => {
    const { help, greetHelp } = seen.printed;
    expect(greetHelp).toContain("standin greet [name]   say hello");
    expect(greetHelp).toContain("--greeting  Words to begin with [Hello]");
    expect(greetHelp).toContain("Example\n  standin greet Ada");
    expect(help).toMatch(/standin greet \[name\] +say hello/);
  });

  test("suggests it for a misspelt name", () => {
    expect(seen.printed.misspelt).toContain('Did you mean "standin greet"?');
  });
});

describe("the recipe for an operator", () => {
  test("filters by parameter, in _or, in _where and in find, and refuses a misspelt name with it", () => {
    const { found, message, document } = seen.operator;
    expect(found).toEqual([
      [2, 4],
      [1, 3],
      [2, 3, 4],
      [1, 3, 4],
      [2, 4],
    ]);
    expect(message).toContain('Did you mean "multipleOf"?');
    expect(document).toContain("multipleOf");
  });
});

test("the recipe for a layer: it guards requests and batches; OpenAPI, warnings and hints know it", () => {
  expect(seen.layer).toMatchObject({
    refused: 401,
    passed: 200,
    header: "1",
    batch: 200,
    warnings: ['"cors" is listed after "tenant", which refuses preflights; list "cors" first.'],
    scheme: { type: "apiKey", in: "header", name: "X-Tenant" },
    security: [{ tenant: [] }],
    responses: expect.arrayContaining(["200", "401"]),
    headers: expect.arrayContaining(["X-Known-Tenants"]),
    misspelt: expect.stringContaining('Did you mean "tenant"?'),
  });
});

/** Written by `npm run docs`. */
const WRITTEN: readonly [file: string, text: string][] = [
  ["docs/reference/options.md", "Words for GET /__motto"],
  ["docs/reference/options.md", "## standin greet [name]\n\n| flag |"],
  ["docs/reference/query.md", "| `multipleOf` | `price:multipleOf=5` | is a multiple of the number |"],
  ["clients/client.ts", "readonly multipleOf?: V;"],
  ["clients/client.cs", 'MultipleOf(TValue value) => On("multipleOf", value);'],
  ["console/src/api/operator-table.ts", 'name: "multipleOf",'],
];
for (const [file, text] of WRITTEN) {
  test(`${file} has ${text.split("\n")[0]}`, () => {
    expect(readFileSync(join(recipe.folder, file), "utf8")).toContain(text);
  });
}

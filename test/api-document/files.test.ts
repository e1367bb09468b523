import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { ApiDocument, CodedResponse } from "../../src/openapi/read/api-document.ts";
import type { Document } from "../../src/openapi/read/document.ts";
import { loadApiDocument, readApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { isApiDocument } from "../../src/store/sources/recognise-document.ts";
import { createFolder } from "../support/cli.ts";

const API = `
openapi: 3.1.0
info: { title: Teas, version: "1" }
paths:
  /teas: { $ref: paths/teas.yaml }
  /cups:
    get:
      responses:
        "200": { content: { application/json: { schema: { $ref: "schemas/cup.json#/$defs/Cup" } } } }
components:
  schemas:
    Kind: { enum: [black, green] }
    Unused: { $ref: "nowhere.yaml" }
`;
const FILES = {
  "api.yaml": API,
  "paths/teas.yaml": `
get:
  responses:
    "200": { content: { application/json: { schema: { $ref: ../schemas/tea.yaml } } } }
`,
  "schemas/tea.yaml": `
type: object
properties:
  kind: { $ref: "../api.yaml#/components/schemas/Kind" }
  cup: { $ref: "cup.json#/$defs/Cup" }
`,
  "schemas/cup.json": { $defs: { Cup: { type: "object", properties: { tea: { $ref: "./tea.yaml" } } } } },
};

async function load(files: Readonly<Record<string, unknown>>, allowsOutside = false): Promise<ApiDocument> {
  return loadApiDocument(join(createFolder(files), "api.yaml"), allowsOutside);
}

function firstContent({ operations }: ApiDocument, method = 0): CodedResponse["contents"][number] {
  return operations[method]!.responses[0]!.contents[0]!;
}

/** Serves texts by path on the loopback until the test is over. */
async function serveTexts(texts: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((req, res) => {
    const text = texts[req.url!];
    res.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("references into other files", () => {
  test("are relative to the file they stand in, and may lead in circles", async () => {
    const document = await load(FILES);
    const { references } = document;
    expect(document.otherFiles.map((file) => relative(dirname(document.file), file)).sort()).toEqual([
      join("paths", "teas.yaml"),
      join("schemas", "cup.json"),
      join("schemas", "tea.yaml"),
    ]);
    expect(document.operations.map(({ method, path, place }) => `${method} ${path.text} ${place}`)).toEqual([
      "GET /teas paths/teas.yaml#/get",
      "GET /cups #/paths/~1cups/get",
    ]);
    const tea = references.object(firstContent(document).schema!)!;
    expect(tea.place).toBe("schemas/tea.yaml#");
    const properties = references.members({ value: tea.value.properties, place: `${tea.place}/properties` });
    const [kind, cup] = properties.map(([, property]) => property);
    expect([kind!.place, cup!.place]).toEqual(["#/components/schemas/Kind", "schemas/cup.json#/$defs/Cup"]);
    expect(kind).toMatchObject({ value: { enum: ["black", "green"] } });
  });

  test("keep their meaning in schemas that were merged and go by another place", async () => {
    const { references } = await load(FILES);
    const tea = references.object({ value: { $ref: "schemas/tea.yaml" }, place: "#/x" })!;
    const { cup } = tea.value.properties as Record<string, { $ref: string }>;
    expect(references.resolve({ value: cup!, place: "#/paths" }).place).toBe("schemas/cup.json#/$defs/Cup");
  });

  test("may leave the folder of the document only if that is allowed", async () => {
    const folder = createFolder({
      "apis/api.yaml": API.replace("paths/teas.yaml", "../paths/teas.yaml").replace("schemas/cup", "../schemas/cup"),
      ...FILES,
    });
    const file = join(folder, "apis/api.yaml");
    await expect(loadApiDocument(file)).rejects.toThrow(
      /"\.\.\/paths\/teas\.yaml": .*teas\.yaml is outside the document's folder; --allow-outside-refs/,
    );
    const document = await loadApiDocument(file, true);
    expect(document.references.resolve(firstContent(document).schema!).place).toBe("../schemas/tea.yaml#");
  });

  test("that are missing or broken stop the start with file, place and target, unless nothing needs them", async () => {
    await expect(load({ ...FILES, "schemas/tea.yaml": "a: [" })).rejects.toThrow(
      /api\.yaml: paths\/teas\.yaml#\/get\/responses\/200\/content\/application~1json\/schema\/\$ref: "\.\.\/schemas\/tea\.yaml": schemas\/tea\.yaml is not valid YAML: line 1/,
    );
    await expect(load({ ...FILES, "schemas/cup.json": {} })).rejects.toThrow(
      /#\/paths\/~1cups\/.*"schemas\/cup\.json#\/\$defs\/Cup" does not exist\.$/,
    );
    for (const odd of ["file://elsewhere/tea.yaml", "http://[", "%00.yaml"]) {
      await expect(load({ ...FILES, "api.yaml": API.replace("paths/teas.yaml", `"${odd}"`) })).rejects.toThrow(
        /": .* cannot be (read|loaded)/,
      );
    }
  });

  test("over the network are loaded before serving, relative ones from the same host", async () => {
    const host = await serveTexts({
      "/a/tea.yaml": "{ type: object, properties: { cup: { $ref: ../cup.json } } }",
      "/cup.json": '{"type":"string"}',
      "/api.yaml": API.replace(/\$ref: paths.*/, "get: { responses: { 200: { $ref: 'file:///etc/hostname' } } } }"),
      "/whole.yaml": `${API.split("/cups")[0]!.replace("paths/teas.yaml", "item.json")}`,
      "/item.json": '{"post":{"responses":{"201":{"description":"made"}}}}',
    });
    const files = { ...FILES, "paths/teas.yaml": FILES["paths/teas.yaml"].replace("../schemas", `${host}/a`) };
    await expect(load(files)).rejects.toThrow(/tea\.yaml is on a private host; --allow-outside-refs allows that/);
    const document = await load(files, true);
    const tea = document.references.object(firstContent(document).schema!)!;
    expect(tea.place).toBe(`${host}/a/tea.yaml#`);
    const cup = (tea.value.properties as Record<string, { $ref: string }>).cup!;
    expect(document.references.resolve({ value: cup, place: tea.place })).toEqual({
      value: { type: "string" },
      place: `${host}/cup.json#`,
    });
    const whole = await loadApiDocument(`${host}/whole.yaml`);
    expect(whole.operations.map(({ method, responses }) => [method, responses[0]!.code])).toEqual([["POST", "201"]]);
    await expect(loadApiDocument(`${host}/api.yaml`)).rejects.toThrow(
      /a document from the network cannot refer to files/,
    );
    await expect(loadApiDocument(`${host}/none.yaml`)).rejects.toThrow(/none\.yaml cannot be loaded: .*404/);
  });
});

test("a shared schema that is missing is noted; any value fits it", async () => {
  const schema = { $ref: "#/components/schemas/Gone" };
  const responses = { 200: { description: "", content: { "application/json": { schema } } } };
  const { notes, references } = await load({
    "api.yaml": { openapi: "3.0.3", info: { title: "T", version: "1" }, paths: { "/a": { get: { responses } } } },
  });
  expect(notes).toEqual(["no such schema in the document, so any value fits: #/components/schemas/Gone"]);
  expect(references.resolve({ value: schema, place: "#/x" }).value).toEqual({});
});

test("a $ref within an example's value is followed; one that leads nowhere is part of it", async () => {
  const content = (example: string): string => `
openapi: 3.0.3
paths:
  /a: { get: { responses: { 200: { content: { application/json: ${example} } } } } }
components:
  examples: { tea: { value: { id: 1, cup: { $ref: "#/x-cup" } } } }
x-cup: { size: 3, self: { $ref: "#/x-cup" } }
`;
  const tea = { id: 1, cup: { size: 3, self: { $ref: "#/x-cup" } } };
  for (const [example, expected] of [
    ['{ example: { $ref: "#/components/examples/tea" } }', tea],
    ['{ example: [{ $ref: "#/components/examples/tea/value" }, { $ref: "#/nowhere" }] }', [tea, { $ref: "#/nowhere" }]],
    ['{ examples: { a: { $ref: "#/components/examples/tea" } } }', tea],
  ] as const) {
    expect(firstContent(await load({ "api.yaml": content(example) })).examples[0]!.value).toEqual(expected);
  }
});

test("externalValue is loaded as references are; a value that cannot be loaded is left out", async () => {
  const api = (examples: string): string =>
    `{ openapi: 3.0.3, paths: { /a: { get: { responses: { 200: { content: { application/json: { examples: ${examples} } } } } } } } }`;
  const examples =
    "{ a: { externalValue: ./tea.json }, b: { externalValue: none.png }, c: { externalValue: tea.xml } }";
  const document = await load({ "api.yaml": api(examples), "tea.json": { id: 1 }, "tea.xml": "<tea/>" });
  expect(firstContent(document).examples).toEqual([
    { name: "a", value: { id: 1 } },
    { name: "c", value: "<tea/>" },
  ]);
});

test("OpenAPI 3.2: query and additional operations; a path with a reference and members of its own", async () => {
  const document = await load({
    "api.yaml": `
openapi: 3.2.0
paths:
  /teas:
    $ref: "#/components/pathItems/teas"
    query: { responses: { 200: { description: found } } }
    additionalOperations: { LINK: { responses: { 204: { description: linked } } } }
components:
  pathItems:
    teas: { parameters: [{ name: a, in: query }], get: {}, patch: { responses: {} } }
`,
  });
  expect(document.version).toBe("3.2");
  expect(document.operations.map(({ method, parameters }) => [method, parameters.length])).toEqual([
    ["GET", 1],
    ["PATCH", 1],
    ["QUERY", 1],
    ["LINK", 1],
  ]);
  expect(document.notes).toEqual(["no response in the document, so 204 without a body: GET /teas, PATCH /teas"]);
});

test("YAML that is named .json, and quoted texts that are indented too little, are read", async () => {
  const text = `# made by a program
openapi: 3.1.0
info:
    title: "Teas and
  cups
  of all kinds"
    version: '1

 beta'
paths: {}
`;
  const file = join(createFolder({ "api.json": text }), "api.json");
  expect(isApiDocument(file)).toBe(true);
  expect((await loadApiDocument(file)).title).toBe("Teas and cups of all kinds");
});

describe("definitions of a schema alone", () => {
  const document = (paths: JsonObject): Document => ({
    file: "api.json",
    root: { openapi: "3.1.0", info: { title: "Teas", version: "1" }, paths },
  });
  const post = (schema: JsonObject): JsonObject => ({
    "/teas": { post: { responses: { 200: { description: "", content: { "application/json": { schema } } } } } },
  });
  const leaf = () => ({ properties: { leaf: { $ref: "#/$defs/Leaf" } } });

  test("are found in the schema around a reference, the nearest first", async () => {
    const cup = { $defs: { Leaf: { type: "integer" } }, ...leaf() };
    const tea = { $defs: { Leaf: { type: "string" } }, properties: { ...leaf().properties, cup } };
    const { operations, references, notes } = await readApiDocument(document(post(tea)));
    const schema = operations[0]?.responses[0]?.contents[0]?.schema;
    const typeAt = (...path: string[]): unknown => {
      const place = path.reduce((at, step) => `${at}/properties/${step}`, schema?.place ?? "");
      return references.object({ value: references.target(place)?.value, place })?.value.type;
    };
    expect([typeAt("leaf"), typeAt("cup", "leaf")]).toEqual(["string", "integer"]);
    expect(notes).toEqual([]);
  });

  test("that nothing has allow any value, and the start says so", async () => {
    const { notes } = await readApiDocument(document(post(leaf())));
    expect(notes).toEqual(["no such schema in the document, so any value fits: #/$defs/Leaf"]);
  });
});

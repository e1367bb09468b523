import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin } from "../../../src/index.ts";
import { StarterRules } from "../../../src/schema/rules/starter-rules.ts";
import { startApi } from "../../support/api.ts";
import { describedBy, expectValid } from "../../support/open-api.ts";

const SHA = "a".repeat(64);
const FILE = { name: "hat.png", type: "image/png", size: 70, sha256: SHA, url: `/__files/${SHA}/hat.png` };
const REFERENCE = { $ref: "#/components/schemas/StandinFile" };
const BINARY = { type: "string", format: "binary" };

const DATA = (): JsonObject => ({
  products: [
    { id: 1, name: "Hat", photo: { ...FILE }, manuals: [{ ...FILE, size: 71 }] },
    { id: 2, name: "Cap", photo: null, manuals: [] },
  ],
  pictures: [{ id: 1, text: "No file", sizes: { name: "hat.png", type: "png", size: 1, sha256: "short", url: "/" } }],
  files: [{ id: 1, path: "/etc" }],
});

test("OpenAPI describes files in records, forms that send them, and their addresses", async () => {
  const api = await startApi({ data: DATA() });
  const document = await describedBy(api.ask);
  await expectValid(document);
  const { schemas } = document.components;
  expect(schemas.Product).toMatchObject({
    properties: {
      photo: { anyOf: [REFERENCE, { type: "null" }] },
      manuals: { type: "array", items: REFERENCE },
    },
  });
  expect(schemas.StandinFile).toMatchObject({ properties: { sha256: { type: "string" }, size: { type: "integer" } } });
  expect(schemas.Picture).toMatchObject({ properties: { sizes: { properties: { sha256: { type: "string" } } } } });
  for (const [path, method] of [
    ["/products", "post"],
    ["/products/{id}", "put"],
    ["/products/{id}", "patch"],
  ] as const) {
    expect(document.paths[path]?.[method]).toMatchObject({
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: { properties: { name: { type: "string" }, photo: BINARY, manuals: { items: BINARY } } },
          },
        },
      },
    });
  }
  const content = { content: { "application/octet-stream": { schema: BINARY } } };
  expect(document.paths["/products/{id}/photo"]).toMatchObject({
    get: { responses: { 200: content } },
    put: { requestBody: content },
    delete: {},
  });
  expect(Object.keys(document.paths)).not.toContain("/products/{id}/manuals");
  expect(JSON.stringify(document.paths["/pictures"])).not.toContain("multipart");
  expect(document.paths["/__files"]).toMatchObject({
    post: { requestBody: { content: { "multipart/form-data": { schema: { properties: { file: BINARY } } } } } },
  });
  expect(document.paths["/__files/{sha256}/{name}"]).toMatchObject({ get: { responses: { 206: content } } });
  // The console and the tools of agents read it there.
  const overview = (await api.ask("GET /__overview")).body as { fields: { products: { file?: string }[] } };
  expect(overview.fields.products.map(({ file }) => file)).toEqual([undefined, undefined, "one", "list"]);
});

test("types name files once, whatever the data is called", async () => {
  await using api = await createStandin({ data: DATA() });
  const types = async (lang: string): Promise<string> => (await fetch(`${api.url}/__types?lang=${lang}`)).text();
  const typescript = await types("typescript");
  expect(typescript).toContain("photo: StandinFile | null;\n  manuals: StandinFile[];");
  expect(typescript.match(/export interface StandinFile/g)).toHaveLength(1);
  expect(typescript).toContain("export interface File {");
  const csharp = await types("csharp");
  expect(csharp).toContain("public StandinFile? Photo { get; init; }");
  expect(csharp).toContain("public required IReadOnlyList<StandinFile> Manuals { get; init; }");
  expect(csharp).toContain("public long Size { get; init; }");
});

test("rules made from data allow other files", async () => {
  const rules = new StarterRules({ idKeyOf: () => "id", foreignKeySuffix: undefined, ranges: true });
  await rules.addCollection("products", [{ id: 1, photo: FILE }]);
  const { photo } = (rules.finish().products as { properties: { photo: JsonObject } }).properties;
  expect(photo).toMatchObject({ type: "object", properties: { size: { type: "integer" } } });
  expect(JSON.stringify(photo)).not.toMatch(/minimum|maxLength/);
});

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../console/src/api/json.ts";
import { exampleOf } from "../../../console/src/reference/example.ts";
import { splitFilters } from "../../../console/src/reference/filters.ts";
import { type Operation, readReference } from "../../../console/src/reference/reference.ts";
import { schemaFacts } from "../../../console/src/reference/schema-facts.ts";
import { search } from "../../../console/src/reference/search.ts";
import { bodyText, draftOfTrial, keyOf } from "../../../console/src/reference/trial.ts";
import { addressOf } from "../../../console/src/request/request-draft.ts";
import { inlineParts, parseBlocks } from "../../../console/src/ui/markdown-blocks.ts";

const DOCUMENT: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Shelter", version: "1.0.0" },
  servers: [{ url: "http://localhost:3000/v1/" }],
  tags: [{ name: "pets", description: "All animals." }, { name: "unused" }],
  security: [{ key: [] }],
  paths: {
    "/pets": {
      get: {
        operationId: "listPets",
        tags: ["pets"],
        parameters: [
          { name: "status", in: "query", schema: { $ref: "#/components/schemas/Status" } },
          { name: "tag", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "ids", in: "query", explode: false, schema: { type: "array", items: { type: "integer" } } },
          { name: "where", in: "query", style: "deepObject", schema: { type: "object" } },
        ],
        responses: { default: {}, "4XX": {}, 404: {}, 200: { $ref: "#/components/responses/Pets" } },
      },
    },
    "/pets/{id}/toys/{toy}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      put: { operationId: "listPets", requestBody: { content: { "application/json": {} } }, responses: {} },
    },
  },
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    responses: {
      Pets: {
        description: "A page",
        content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Pet" } } } },
      },
    },
    schemas: {
      Status: { type: "string", enum: ["available", "adopted"] },
      Named: { type: "object", required: ["name"], properties: { name: { type: "string", example: "Rex" } } },
      Pet: {
        allOf: [
          { $ref: "#/components/schemas/Named" },
          {
            type: "object",
            required: ["id"],
            properties: {
              id: { type: "integer", readOnly: true, minimum: 1 },
              status: { $ref: "#/components/schemas/Status" },
              born: { type: "string", format: "date", nullable: true },
              friends: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
              secret: { type: "string", writeOnly: true },
            },
          },
        ],
      },
      Elsewhere: { $ref: "other.yaml#/Thing" },
      Circle: { $ref: "#/components/schemas/Circle" },
    },
  },
};

const reference = readReference(DOCUMENT);
const [list, put] = reference.groups.flatMap(({ operations }) => operations) as [Operation, Operation];
const pet = { $ref: "#/components/schemas/Pet" };

describe("an API description", () => {
  test("is read into groups: by tag, or by the first segment of the path", () => {
    expect(reference.groups.map(({ name, operations }) => [name, operations.map(({ key }) => key)])).toEqual([
      ["pets", ["listPets", "PUT /pets/{id}/toys/{toy}"]],
    ]);
    expect(reference).toMatchObject({ title: "Shelter", basePath: "/v1", isOwn: false });
    expect(list.responses.map(({ status }) => status)).toEqual(["200", "404", "4XX", "default"]);
    expect(list.responses[0]?.description).toBe("A page");
  });

  test("every placeholder of a path is a parameter, and so are credentials", () => {
    expect(put.parameters.map(keyOf)).toEqual(["path id", "path toy", "header X-Key"]);
  });

  test("a part of another shape counts as absent", () => {
    const odd = { info: 1, paths: { "/a": { get: { parameters: "x", responses: [] } }, "/b": null }, tags: {} };
    expect(readReference(odd as unknown as JsonObject).groups.map(({ name }) => name)).toEqual(["a"]);
  });

  test("schemas are put together and described in words", () => {
    const facts = schemaFacts(DOCUMENT, { type: "array", items: pet });
    expect(facts).toMatchObject({ type: "array of Pet", name: "Pet" });
    expect(facts.properties.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["name", true],
      ["id", true],
      ["status", false],
      ["born", false],
      ["friends", false],
      ["secret", false],
    ]);
    const born = facts.properties.find(({ name }) => name === "born")?.schema;
    expect(schemaFacts(DOCUMENT, born).type).toBe("string (date) or null");
    expect(schemaFacts(DOCUMENT, { type: ["integer", "null"], minimum: 1, default: 2 })).toMatchObject({
      type: "integer or null",
      limits: ["at least 1", "2 unless given"],
    });
    expect(schemaFacts(DOCUMENT, { $ref: "#/components/schemas/Elsewhere" }).type).toBe("any value");
    expect(schemaFacts(DOCUMENT, { $ref: "#/components/schemas/Circle" }).type).toBe("Circle");
  });

  test("types end, even if a schema is made of itself", () => {
    const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const value = { oneOf: [{ type: "string" }, { type: "array", items: to("Value") }] };
    const matter = { allOf: [...Array(5).fill(to("Matter")), { type: "object", properties: { weight: {} } }] };
    const list = { type: "array", items: to("List") };
    const root = {
      components: { schemas: { Value: value, Matter: matter, List: list, Either: { anyOf: [to("Either")] } } },
    };
    const typeOf = (name: string) => schemaFacts(root, to(name)).type;
    expect(["Value", "List", "Either", "Matter"].map(typeOf)).toEqual([
      "string or array of Value",
      "array of List",
      "Either",
      "Matter",
    ]);
    expect(schemaFacts(root, to("Matter")).properties.map(({ name }) => name)).toEqual(["weight"]);
    expect(exampleOf(root, to("Matter"), "response")).toEqual({ weight: {} });
  });

  test("examples end, even if a schema contains itself, and know who may send a field", () => {
    expect(exampleOf(DOCUMENT, pet, "request")).toEqual({
      name: "Rex",
      status: "available",
      born: "2026-01-31",
      friends: [],
      secret: "string",
    });
    expect(exampleOf(DOCUMENT, pet, "response")).toEqual({
      name: "Rex",
      id: 1,
      status: "available",
      born: "2026-01-31",
      friends: [],
    });
  });

  test("a search needs every word, in any order", () => {
    const keys = (text: string) => search(reference, text).groups.flatMap(({ operations }) => operations).length;
    expect(["pets", "toys put", "status get", "get toys"].map(keys)).toEqual([2, 1, 1, 0]);
    expect(search(reference, "stat").schemas).toEqual(["Status"]);
  });

  test("a search ranks the very path first, then those that begin with it", () => {
    const [operation] = reference.groups.flatMap(({ operations }) => operations);
    const paths = ["/categories/{id}/products", "/products/{id}", "/products"];
    const operations = paths.map((path) => ({ ...operation!, key: path, summary: "", path }));
    const groups = [{ ...reference.groups[0]!, name: "a", operations }];
    const found = search({ ...reference, groups }, "/products").groups.flatMap((group) => group.operations);
    expect(found.map(({ path }) => path)).toEqual(["/products", "/products/{id}", "/categories/{id}/products"]);
  });
});

describe("a request to try", () => {
  const address = (values: Record<string, string>, operation = list) =>
    addressOf(draftOfTrial(operation, "/v1", { values, type: undefined, body: "" }));
  test.each([
    [{}, "/v1/pets"],
    [{ "query status": "" }, "/v1/pets"],
    [{ "query status": "adopted" }, "/v1/pets?status=adopted"],
    [{ "query tag": "a\n b,c \n" }, "/v1/pets?tag=a&tag=b,c"],
    [{ "query ids": "1,2" }, "/v1/pets?ids=1,2"],
    [{ "query where": "age=3&name=Rex" }, "/v1/pets?where[age]=3&where[name]=Rex"],
  ])("%j is %s", (values, expected) => {
    expect(decodeURIComponent(address(values))).toBe(expected);
  });

  test("values of a path are escaped; one that lacks stays visible", () => {
    expect(address({ "path id": "a/b" }, put)).toBe("/v1/pets/a%2Fb/toys/{toy}");
  });

  test.each([
    ["application/json", '{\n  "a": "x y"\n}'],
    ["application/x-www-form-urlencoded", "a=x+y"],
    ["multipart/form-data", '--standin-form\nContent-Disposition: form-data; name="a"\n\nx y\n--standin-form--\n'],
    ["application/xml", ""],
  ])("a body as %s", (type, text) => {
    expect(bodyText(type, { a: "x y" })).toBe(text);
  });

  test("a form names its boundary and ends its lines as HTTP wants it", () => {
    const draft = draftOfTrial(put, "", { values: {}, type: "multipart/form-data", body: "a\nb" });
    expect(draft).toMatchObject({ body: "a\r\nb" });
    expect(draft.headers).toEqual([["Content-Type", "multipart/form-data; boundary=standin-form"]]);
  });
});

test("filters are shown by field, all other parameters one by one", () => {
  const parameter = (name: string, description: string) =>
    ({ ...list.parameters[0], name, description, place: "query" }) as Operation["parameters"][number];
  const { fields, others } = splitFilters([
    parameter("price", "`price` is"),
    parameter("price_gte", "`price` is at least"),
    parameter("q", "Some value contains this."),
  ]);
  expect(fields.map(({ field, filters }) => [field, filters.map(({ words }) => words)])).toEqual([
    ["price", ["is", "is at least"]],
  ]);
  expect(others.map(({ name }) => name)).toEqual(["q"]);
});

describe("descriptions", () => {
  test("are paragraphs, lists, headings, tables and code, and HTML is only text", () => {
    const text =
      "# Title\nfirst\nline\n\n- a\n  more\n- b\n\n```json\n{}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n<p>x<script>alert(1)</script></p>";
    expect(parseBlocks(text)).toEqual([
      { kind: "heading", text: "Title" },
      { kind: "paragraph", text: "first line" },
      { kind: "list", items: ["a more", "b"] },
      { kind: "code", text: "{}" },
      {
        kind: "table",
        rows: [
          ["a", "b"],
          ["1", "2"],
        ],
      },
      { kind: "paragraph", text: "xalert(1)" },
    ]);
  });

  test("code keeps what looks like HTML", () => {
    expect(parseBlocks("Add `_delay=<ms>`<br>now")).toEqual([
      { kind: "paragraph", text: "Add `_delay=<ms>`" },
      { kind: "paragraph", text: "now" },
    ]);
  });

  test("only web addresses are links", () => {
    expect(inlineParts("see `a` **b** [c](https://x.example/) [d](javascript:alert)")).toEqual([
      { kind: "text", text: "see " },
      { kind: "code", text: "a" },
      { kind: "text", text: " " },
      { kind: "strong", text: "b" },
      { kind: "text", text: " " },
      { kind: "link", text: "c", href: "https://x.example/" },
      { kind: "text", text: " " },
      { kind: "text", text: "d" },
    ]);
  });
});

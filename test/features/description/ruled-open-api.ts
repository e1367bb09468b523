import { Agent } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/base/json/json.ts";
import { createRandom } from "../../../src/base/random.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { FORMATS } from "../../../src/schema/rules/formats.ts";
import { type AskOptions, askAt, startApi } from "../../support/api.ts";
import { describedBy, type OpenApi } from "../../support/open-api.ts";
import { COLLECTIONS, DATA, RULES } from "../../support/rules-in-every-form.ts";
import { IS_SOAK } from "../../support/soak.ts";

const BODIES = IS_SOAK ? 200 : 60;

const FULL = {
  name: "Cap",
  price: 2,
  state: "used",
  sku: "AB",
  made_at: "2026-02-01T10:00:00Z",
  company_id: 1,
  count: 3,
  tags: ["a", "b"],
  address: { city: "Rome", geo: null },
  tree: { inner: [{ inner: [] }] },
  pair: ["a", { lat: 1 }],
  kind: "thing",
  other: "XY",
  parts: [] as Json[],
  any: [null],
  "x-note": "a",
};

/** Values for each field, some of which break its rules. */
const VALUES: Readonly<Record<string, readonly Json[]>> = {
  name: ["Cap", "", 1, null],
  price: [2, 0, "2", 1e300],
  state: ["new", "used", "old", null],
  sku: ["AB", "ABCDE", "ab", 5],
  made_at: ["2026-02-01T10:00:00Z", "2026-02-30T10:00:00Z", "today"],
  company_id: [1, 1.5, "1"],
  count: [3, 10, null, 2.5],
  tags: [["a"], ["a", "a"], ["a", "b", "c"], [1], "a"],
  address: [{ city: "Rome" }, { city: "Rome", geo: { lat: "1" } }, {}, { city: "Rome", street: "x" }, null],
  tree: [{}, { inner: [{ inner: [{ inner: 1 }] }] }, { a: 1, b: 2, c: 3 }, { a: 1, inner: [] }],
  pair: [[], ["a"], ["a", null], ["a", { lng: 1 }], ["a", null, 1], [1]],
  kind: ["thing", "other"],
  other: ["XY", "xy"],
  parts: [[], [{}], [{ ...FULL, id: 5 }], [FULL]],
  never: [1],
  any: [true, {}],
  extra: ["x", 1, null],
  "x-note": ["a", 1],
  id: [77, "seven"],
};

function randomBody(random: () => number): JsonObject {
  const body: JsonObject = {};
  for (const [field, values] of Object.entries(VALUES)) {
    if (random() < 0.35) continue;
    const isFine = random() < 0.93;
    if (field === "never" && isFine) continue;
    body[field] = (isFine ? values[0] : values[Math.floor(random() * values.length)])!;
  }
  return body;
}

/** Compares the API description of a server with rules to what the server does. */
export function testRuledDocument(): void {
  let api: Standin<object>;
  let document: OpenApi;
  const ajv = new Ajv2020({ strict: false, logger: false });
  const agent = new Agent({ keepAlive: true });
  const ask = (line: string, options?: AskOptions) => askAt(api.url, line, { ...options, agent });
  const rehearse = (line: string, body: Json) => ask(line, { body, headers: { Prefer: "tx=rollback" } });

  beforeAll(async () => {
    api = await createStandin({ data: DATA(), rules: RULES, collections: COLLECTIONS });
    document = await describedBy(ask);
    for (const [format, { test }] of FORMATS) ajv.addFormat(format, test);
    ajv.addSchema({ $id: "document", components: document.components } as JsonObject);
    return () => {
      agent.destroy();
      return api.close();
    };
  });

  /** Judges values by a schema of the document, by a validator without any of our own code but the formats. */
  function judgeFor(ref: string): (value: unknown) => boolean {
    const isValid = ajv.compile({ $ref: `document#/components/${ref}` });
    return (value) => isValid(value) as boolean;
  }

  /** The name of the schema that the document has for a body. */
  function schemaOf(path: string, method: string): string {
    const operation = document.paths[path]![method] as unknown as {
      requestBody: { content: Record<string, { schema: { $ref: string } }> };
    };
    return operation.requestBody.content["application/json"]!.schema.$ref.replace("#/components/", "");
  }

  describe("the API description of records with rules", () => {
    test("has the fields of the rules, and what server and data add to them", () => {
      const { Product, Company, Event, Settings, ...others } = document.components.schemas;
      expect(Product!.properties).toMatchObject({
        id: { type: "integer" },
        name: { type: "string", minLength: 1, description: "As it is on the label." },
        state: { type: "string", enum: ["new", "used"] },
        sku: { pattern: "^[A-Z]{2,4}$", description: "Unique." },
        made_at: { format: "date-time", readOnly: true },
        company_id: { description: "Refers to companies." },
        maker: { description: "Refers to companies." },
        address: { $ref: "#/components/schemas/Address" },
        company: { $ref: "#/components/schemas/Company", description: "With `_expand`." },
        extra: { type: "string" },
      });
      expect(Object.keys(Product!.properties).slice(0, 3)).toEqual(["id", "name", "price"]);
      expect(Object.keys(Product!.properties).at(-1)).toBe("company");
      expect(Product!.required).toEqual(["id", "name", "price", "state", "made_at", "company_id"]);
      expect(Product!["x-unique"]).toEqual(["sku"]);
      expect(Product!["x-references"]).toMatchObject({ maker: { collection: "companies", onDelete: "allow" } });
      expect(Company!.properties.products).toMatchObject({ description: "With `_embed`." });
      expect(Event!.properties).not.toHaveProperty("kind");
      expect(Settings).toMatchObject({ required: ["theme"], additionalProperties: false });
      expect(
        Object.keys(others).filter((name) => /^(Address|Geo|Tree|Kind|Named|ProductSku)$/.test(name)),
      ).toHaveLength(6);
      expect(document.components.schemas["Product.Input"]!.required).toEqual(["name", "price", "company_id"]);
      expect(document.components.schemas["Product.Input"]!.properties).toMatchObject({
        maker: { description: "Refers to companies." },
        extra: { description: "Not in the rules: any value is accepted." },
      });
      expect(document.components.schemas["Product.Replacement"]!.required).toContain("state");
      expect(document.components.schemas["Product.Input_of_Company"]!.required).toEqual(["name", "price"]);
      expect(document.components.schemas["Note.Patch"]).toBeUndefined();
    });

    test("documents refusals where rules can refuse, and nowhere else", () => {
      const response = (path: string, method: string, status: number): string | undefined =>
        document.paths[path]![method]!.responses[status]?.$ref?.split("/").at(-1);
      for (const path of ["/products", "/events"]) expect(response(path, "post", 422)).toBe("RecordInvalid");
      for (const method of ["put", "patch"]) expect(response("/products/{id}", method, 422)).toBe("RecordInvalid");
      expect(response("/companies/{id}/products", "post", 422)).toBe("RecordInvalid");
      expect(response("/settings", "put", 422)).toBe("RecordInvalid");
      expect(response("/notes", "post", 422)).toBe("Error422");
      expect(response("/notes/{id}", "put", 422)).toBeUndefined();
      expect(response("/companies/{id}", "delete", 409)).toBe("Error409");
      expect(response("/companies", "delete", 409)).toBe("Error409");
      expect(response("/products/{id}", "delete", 409)).toBeUndefined();
      expect(JSON.stringify(document.components.responses.Error409)).toContain("RECORD_REFERENCED");
    });

    test("has a schema that the response to a violation keeps", async () => {
      const { status, body } = await rehearse("POST /products", [{ name: "" }, { name: 1, price: -1 }]);
      expect(status).toBe(422);
      expect(judgeFor("responses/RecordInvalid/content/application~1json/schema")(body)).toBe(true);
      expect(JSON.stringify(body)).toContain('"index":1');
    });

    test("says nothing about rules where there are none", async () => {
      const plain = await startApi({ data: DATA() });
      const text = (await plain.ask("GET /__openapi.json")).text;
      expect(text.match(/RECORD_(INVALID|REFERENCED)/g)).toHaveLength(2);
      expect(text).not.toMatch(/RecordInvalid|\.Patch|Warning|lenient|Rules judge/);
    });
  });

  describe("the schemas of bodies accept what the server accepts, and refuse what it refuses", () => {
    const cases: readonly (readonly [line: string, path: string, bodies: readonly Json[]])[] = [
      ["POST /companies", "/companies", [{ name: "A" }, {}, { name: 1 }, { name: "A", more: 1 }]],
      [
        "POST /events",
        "/events",
        [
          { kind: "a", x: 1 },
          { kind: "a" },
          { kind: "b" },
          { kind: "b", y: { city: "Rome" } },
          { kind: "b", y: {} },
          { kind: "c" },
          { kind: "b", z: 1 },
          { kind: "b", at: "2026-02-30" },
        ],
      ],
      ["PUT /settings", "/settings", [{ theme: "dark" }, {}, { theme: "blue" }, { theme: "light", more: 1 }]],
      ["POST /settings", "/settings", [{ theme: "dark" }, {}]],
      ["PUT /products/1", "/products/{id}", [FULL, { ...FULL, state: undefined } as unknown as Json, { name: "A" }]],
      [
        "POST /companies/1/products",
        "/companies/{id}/products",
        [{ name: "A", price: 1 }, { name: "A" }, { name: "A", price: 1, state: "used" }],
      ],
    ];
    for (const [line, path, bodies] of cases) {
      const method = line.split(" ")[0]!.toLowerCase();
      test(line, async () => {
        const accepts = judgeFor(schemaOf(path, method));
        for (const body of bodies) {
          const { status } = await rehearse(line, body);
          expect([body, accepts(body)]).toEqual([body, status < 400]);
        }
      });
    }

    test(`POST /products, ${BODIES} bodies`, async () => {
      const accepts = judgeFor(schemaOf("/products", "post"));
      const random = createRandom(19);
      const outcomes = { true: 0, false: 0 };
      for (let at = 0; at < BODIES; at++) {
        const body = randomBody(random);
        const { status } = await rehearse("POST /products", body);
        expect([201, 422]).toContain(status);
        expect([body, accepts(body)]).toEqual([body, status === 201]);
        outcomes[`${status === 201}`]++;
      }
      expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(BODIES / 10);
    });

    test("PATCH requires nothing, and refuses nothing that the server accepts", async () => {
      const accepts = judgeFor(schemaOf("/products/{id}", "patch"));
      expect(accepts({})).toBe(true);
      for (const [field, values] of Object.entries(VALUES)) {
        for (const value of field === "id" ? [] : values) {
          const body = { [field]: value };
          const { status } = await rehearse("PATCH /products/1", body);
          if (status === 200) expect([body, accepts(body)]).toEqual([body, true]);
        }
      }
      for (const body of [{ name: "" }, { price: 0 }, { address: {} }, { never: 1 }, { "x-a": 1 }]) {
        expect([body, accepts(body)]).toEqual([body, false]);
      }
    });
  });
}

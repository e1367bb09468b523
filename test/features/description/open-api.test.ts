import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { generateDataset } from "../../../src/schema/generate/dataset.ts";
import { startApi } from "../../support/api.ts";
import { startLayered } from "../../support/layers.ts";
import { ODD_DATABASES } from "../../support/odd-databases.ts";
import { describedBy, expectValid, type OpenApi } from "../../support/open-api.ts";
import { COLLECTIONS, DATA, RULES } from "../../support/rules-in-every-form.ts";
import { testRuledDocument } from "./ruled-open-api.ts";

const generated = (): JsonObject =>
  JSON.parse([...generateDataset({ products: 100, companies: 20, seed: 1 })].join("")) as JsonObject;

describe("/__openapi.json is valid OpenAPI 3.1", () => {
  test("for the data of a first start", async () => {
    const api = await startApi({ data: generated() });
    const document = await describedBy(api.ask);
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: expect.stringMatching(`^http://.*:${api.port}$`) }]);
    await expectValid(document);
  });

  test("and the judge would notice if it were not", async () => {
    const api = await startApi();
    const document = await describedBy(api.ask);
    document.paths["/products"]!.get!.parameters!.push({ name: "x", in: "nowhere" });
    await expect(expectValid(document)).rejects.toThrow();
  });

  for (const [name, data] of Object.entries(ODD_DATABASES)) {
    test(`for ${name}`, async () => {
      const api = await startApi({ data: structuredClone(data) });
      const document = await describedBy(api.ask);
      await expectValid(document);
      // Every address in it that needs no id leads to what it says.
      for (const [path, { get }] of Object.entries(document.paths)) {
        if (!get || path.includes("{") || path === "/__events") continue;
        expect([path, (await api.ask(`GET ${path}`)).status]).toEqual([path, 200]);
      }
    });
  }

  test("for records with rules", async () => {
    const api = await startApi({ data: DATA(), rules: RULES, collections: COLLECTIONS });
    const document = await describedBy(api.ask);
    expect(Object.keys(document.components.schemas)).toContain("Product.Nested");
    await expectValid(document);
  });

  test("for every layer, a read-only server, other keys", async () => {
    const api = await startLayered({
      middlewares: ["cors", "latency", "rate-limit", "api-key", "signed-token", "bearer"],
      layers: {
        latency: { minMs: 0, maxMs: 0 },
        "api-key": { keys: ["key-0123456789"] },
        bearer: { token: "token-0123456789", publicRoutes: ["/__openapi.json"] },
        "signed-token": {
          secret: "0123456789abcdef0123456789abcdef",
          users: [{ email: "a@b.c", password: "pw-of-mine" }],
        },
      },
      settings: { readOnly: true },
    });
    const answer = await api.ask("GET /__openapi.json", { headers: { "X-API-KEY": "key-0123456789" } });
    const document = answer.body as OpenApi;
    await expectValid(document);
    expect(Object.keys(document.components.securitySchemes!)).toEqual(["api-key", "signed-token", "bearer"]);
    const { get, post } = document.paths["/products"]!;
    expect(get!.security).toEqual([{ "api-key": [], bearer: [] }]);
    expect(post!.security).toEqual([{ "api-key": [], "signed-token": [], bearer: [] }]);
    expect(Object.keys(get!.responses[200]!.headers!)).toEqual(
      expect.arrayContaining(["X-Simulated-Delay", "X-RateLimit-Limit", "X-Authenticated-Client"]),
    );
    expect(Object.keys(get!.responses)).toEqual(expect.arrayContaining(["401", "403", "429"]));
    expect(Object.keys(document.paths)).toContain("/login");
    expect(document.paths).toHaveProperty(["/login", "post", "responses", "429"]);
  });
});

describe("what it says", () => {
  test("fields: types, null, required, formats, choices, relations", async () => {
    const states = ["open", "done"];
    const orders = Array.from({ length: 20 }, (_, at) => ({
      id: at + 1,
      state: states[at % 2]!,
      total: at + 0.5,
      count: at,
      made_at: "2024-05-01T10:00:00Z",
      day: "2024-05-01",
      email: "a@example.com",
      web: "https://example.com",
      key: "0190a3de-76f5-4b8e-9b1a-3f1d2c4b5a69",
      company_id: 1,
      note: at === 0 ? null : `note ${at}`,
      ...(at > 0 ? { seldom: true } : {}),
    }));
    const api = await startApi({ data: { orders, companies: [{ id: 1, tags: ["a"] }] } });
    const { components, paths } = await describedBy(api.ask);
    const { Order, Company } = components.schemas;
    expect(Order!.properties).toMatchObject({
      id: { type: "integer" },
      state: { type: "string", enum: states },
      total: { type: "number" },
      count: { type: "integer" },
      made_at: { type: "string", format: "date-time" },
      day: { format: "date" },
      email: { format: "email" },
      web: { format: "uri" },
      key: { format: "uuid" },
      company_id: { type: "integer", description: "Refers to companies." },
      note: { type: ["string", "null"] },
      company: { $ref: "#/components/schemas/Company" },
    });
    expect(Order!.required).toContain("note");
    expect(Order!.required).not.toContain("seldom");
    expect(Company!.properties.orders).toMatchObject({ type: "array", items: { $ref: "#/components/schemas/Order" } });
    expect(components.schemas["Order.Input"]!.required).toBeUndefined();
    // The fields of the record come first, those that `_expand` adds last.
    expect(Object.keys(components.schemas.Order!.properties!).at(-1)).toBe("company");
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["/orders", "/orders/{id}", "/companies/{id}/orders", "/db", "/__reset", "/__events"]),
    );
    const names = paths["/orders"]!.get!.parameters!.map(({ name, $ref }) => name ?? $ref!.split("/").at(-1));
    expect(names).toEqual(
      expect.arrayContaining(["total_gte", "total_lte", "state_like", "made_at_gte", "q", "page", "_expand", "delay"]),
    );
    expect(names).not.toContain("state_gte");
  });

  test("every error code can be found under its status", async () => {
    const api = await startApi({ rules: { products: {} } });
    const { components } = await describedBy(api.ask);
    const absent = /API_KEY|AUTH_|FORBIDDEN_(READ|WRITE)|RATE_LIMIT|TOKEN_|^(OPTION|RULES)_UNAVAILABLE/;
    for (const [code, { status }] of Object.entries(ERRORS)) {
      if (absent.test(code)) continue;
      expect(JSON.stringify(components.responses[`Error${status}`])).toContain(`"${code}"`);
    }
  });

  test("it follows the data, and has an ETag", async () => {
    const api = await startApi({ data: { things: [{ id: 1 }] } });
    const first = await api.ask("GET /__openapi.json");
    const again = await api.ask("GET /__openapi.json", { headers: { "If-None-Match": first.headers.get("etag")! } });
    expect(again.status).toBe(304);
    await api.ask("PATCH /things/1", { body: { name: "x" } });
    const { components } = await describedBy(api.ask);
    expect(Object.keys(components.schemas.Thing!.properties)).toEqual(["id", "name"]);
  });
});

describe("records with rules", testRuledDocument);

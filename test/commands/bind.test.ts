import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { bindSection } from "../../src/commands/bind.ts";
import { bindDocument } from "../../src/openapi/bind/bind-document.ts";
import { readBindOverrides } from "../../src/openapi/bind/config/overrides.ts";
import { readApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { codeHost } from "../features/document/code-host.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

const text: JsonObject = { type: "string" };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const sends = (schema: JsonObject, example?: JsonObject): JsonObject => ({
  responses: { 200: { description: "", content: { "application/json": { schema, ...(example && { example }) } } } },
});
const takes = (schema: JsonObject): JsonObject => ({ requestBody: { content: { "application/json": { schema } } } });
const query = (name: string, schema: JsonObject, description = ""): JsonObject => ({
  name,
  in: "query",
  schema,
  description,
});
const listOf = (name: string): JsonObject => ({
  type: "object",
  properties: {
    rows: { type: "array", items: ref(name) },
    notes: { type: "array", items: text },
    total: { type: "integer" },
  },
});

/** A shop whose orders have customers, lines and actions. */
const shop: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  paths: {
    "/customers": {
      get: sends({ type: "array", items: ref("Customer") }),
      post: { ...takes(ref("Customer")), ...sends(ref("Customer")) },
    },
    "/customers/{customer}": { get: sends(ref("Customer")), delete: { responses: { 204: { description: "" } } } },
    "/orders": {
      get: {
        ...sends(listOf("Order")),
        parameters: [
          query("page", { type: "integer", minimum: 0 }),
          query("order", text, "The field to sort by"),
          query("state", text),
          query("total[gte]", { type: "integer" }),
        ],
      },
      post: { ...takes(ref("Order")), ...sends(ref("Order")) },
    },
    "/orders/{orderId}": {
      get: sends(
        { type: "object", properties: { order: ref("Order") } },
        { order: { orderId: "5f2c1c9e-0000-4000-8000-000000000001", customer: "1", state: "open" } },
      ),
    },
    "/orders/{orderId}/cancel": { post: sends(ref("Order")) },
    "/orders/{orderId}/open": { post: { responses: { 204: { description: "" } } } },
    "/orders/{orderId}/total": {
      put: {
        ...takes({ type: "object", properties: { total: { type: "integer" } } }),
        responses: { 204: { description: "" } },
      },
    },
    "/orders/bulk-delete": {
      post: {
        ...takes({ type: "object", properties: { order_ids: { type: "array", items: text } } }),
        responses: { 204: { description: "" } },
      },
    },
    "/orders/{orderId}/lines": {
      get: sends({ type: "array", items: ref("Line") }),
      post: { ...takes(ref("Line")), ...sends(ref("Line")) },
    },
    "/orders/{orderId}/lines/{id}": { get: sends(ref("Line")) },
  },
  components: {
    schemas: {
      Customer: { type: "object", properties: { id: text, name: text } },
      Order: {
        type: "object",
        properties: {
          orderId: { type: "string", format: "uuid" },
          customer: { anyOf: [text, ref("Customer")] },
          state: { type: "string", enum: ["open", "canceled"] },
          total: { type: "integer" },
          canceled_at: { type: "string", format: "date-time" },
        },
      },
      Line: { type: "object", properties: { id: { type: "integer" }, product: text, customer_id: text } },
    },
  },
};

async function runBind(args: readonly string[], files: JsonObject = {}) {
  const folder = createFolder({ "api.json": shop, ...files });
  const { output, exit } = runKept(["bind", ...args], folder);
  const code = await exit;
  return {
    code,
    folder,
    ...output,
    lines: output.stdout.split("\n").map((line) => line.trim().replace(/\s+/g, " ")),
    get config() {
      return JSON.parse(readFileSync(join(folder, "standin.json"), "utf8"));
    },
  };
}

describe("standin bind shows what led to a guess", () => {
  const evidence = [
    ["the records", "records #/components/schemas/Order: the response of GET /orders/{orderId}"],
    ["the data of an example", "data examples: the example of GET /orders/{orderId}"],
    ["data without an example", "data generated: there is no example of a list or a record"],
    ["an id of the same name", "id orderId: named like {orderId} of /orders/{orderId}"],
    ["an id of another name", "id id: the closest property to {customer} of /customers/{customer}"],
    ["the form of ids", "new ids by the format: uuid"],
    ["ids that count", "new ids counted: type integer"],
    ["a relation by its schema", "relation customer -> customers: its schema allows an id or such a record"],
    ["a relation by its name", "relation customer_id -> customers: named like them"],
    ["the place of a list", "place rows: a usual name"],
    ["the place of a record", "place order: named like the path"],
    ["a page that counts from 0", "query ?page (pageIndex): its minimum is 0"],
    ["an order that is a field", "query ?order (sort): its description"],
    [
      "a filter that compares",
      "query ?page (pageIndex), ?order (sort), ?state (filter), ?total[gte] (filter total gte)",
    ],
    [
      "the effect of an action",
      'effect state = "canceled", canceled_at = now: fields and values of the record that its name leads to',
    ],
    [
      "the effect of an operation that responds with something else",
      'effect POST /orders/{orderId}/open: state = "open": the record above, by its name; its response is another',
    ],
    [
      "the field that an operation sets",
      "effect PUT /orders/{orderId}/total: set total: the record above, by its name; its response is another",
    ],
    [
      "what an operation does to several records",
      "effect POST /orders/bulk-delete: removed: the records whose ids are in order_ids; its response is another",
    ],
  ] as const;
  for (const [name, line] of evidence) {
    test(`${name}: ${line}`, async () => {
      const { code, lines } = await runBind(["api.json"]);
      expect(code).toBe(0);
      expect(lines).toContain(line);
    });
  }

  test("a parent", async () => {
    const { stdout } = await runBind(["api.json"]);
    expect(stdout).toContain("list is the body; {orderId} is orderId of orders (stored, not sent)");
  });

  test("the config, where it decided", async () => {
    const bind = { orders: { id: "state", at: "rows", itemAt: "order" } };
    const { lines } = await runBind(["api.json"], { "standin.json": { bind } });
    expect(lines).toContain("id state: the config says so");
    expect(lines).toContain("place rows: the config says so");
    expect(lines).toContain("place order: the config says so");
  });

  test("--quiet leaves it out, --json has it for programs", async () => {
    expect((await runBind(["api.json", "--quiet"])).stdout).not.toContain("relation");
    const { collections } = JSON.parse((await runBind(["api.json", "--json"])).stdout);
    const orders = collections.find(({ name }: { name: string }) => name === "orders");
    expect(orders.evidence).toContainEqual({
      guess: "id",
      value: "orderId",
      because: "named like {orderId} of /orders/{orderId}",
      operation: null,
    });
    expect(orders.evidence).toContainEqual({
      guess: "place",
      value: "rows",
      because: "a usual name",
      operation: "GET /orders",
    });
  });
});

describe("standin bind writes a section to edit", () => {
  const orders = { list: "/orders", item: "/orders/{orderId}", id: "orderId", at: "rows", itemAt: "order" };

  test("--format config prints it", async () => {
    const { bind } = JSON.parse((await runBind(["api.json", "--format", "config"])).stdout);
    expect(Object.keys(bind)).toEqual(["customers", "orders", "lines"]);
    expect(bind.orders).toEqual(orders);
  });

  test("--write makes a config file that serves the document", async () => {
    const { code, stdout, config } = await runBind(["api.json", "--write"]);
    expect([code, stdout.trim()]).toEqual([0, 'standin.json: "bind" now has customers, orders, lines']);
    expect(config.source).toBe("api.json");
    expect(config.bind.orders).toEqual(orders);
  });

  test("--write leaves the user's own settings and entries as they are", async () => {
    const own = {
      port: 4000,
      bind: { people: { list: "/customers", item: "/customers/{customer}", id: "name" }, lines: false },
    };
    const { config } = await runBind(["api.json", "--write"], { "standin.json": own });
    expect(config).toEqual({ port: 4000, bind: { ...own.bind, orders } });
  });

  test("--write twice changes nothing", async () => {
    const first = await runBind(["api.json", "--write"]);
    const again = await runBind(["--write"], { "standin.json": first.config });
    expect(again.stdout.trim()).toBe('standin.json: "bind" has all collections already');
    expect(again.config).toEqual(first.config);
  });

  test("--write refuses a config file that is not valid, and leaves it", async () => {
    const { code, stderr, folder } = await runBind(["api.json", "--write"], { "standin.json": "{ broken" });
    expect(code).toBe(1);
    expect(stderr).toContain("standin.json is not valid JSON");
    expect(readFileSync(join(folder, "standin.json"), "utf8")).toBe("{ broken");
  });

  test("the section binds what is bound without it", async () => {
    const document = await readApiDocument({ file: "api.json", root: shop });
    const found = bindDocument(document);
    expect(bindDocument(document, readBindOverrides(bindSection(found), "standin.json"))).toEqual(found);
  });

  test("so does that of single records, ids of two segments and lists of pages", async () => {
    const document = await readApiDocument({ file: "api.json", root: codeHost });
    const found = bindDocument(document);
    const section = bindSection(found);
    expect(section).toMatchObject({ user: { item: "/user", itemAt: "user" }, repos: { list: "/user/repos" } });
    const summary = ({ collections }: typeof found) =>
      collections.map(({ name, operations }) => [name, operations.length]).sort();
    expect(summary(bindDocument(document, readBindOverrides(section, "standin.json")))).toEqual(summary(found));
  });

  test("one record at a path cannot be corrected, but refused", async () => {
    const document = await readApiDocument({ file: "api.json", root: codeHost });
    const bind = (user: JsonObject | false) => bindDocument(document, readBindOverrides({ user }, "standin.json"));
    expect(bind(false).collections.map(({ name }) => name)).not.toContain("user");
    expect(() => bind({ itemAt: "other" })).toThrow("standin.json: bind.user.itemAt: one record at a path");
  });
});

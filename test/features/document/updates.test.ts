import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { json, ref, response } from "./documents.ts";
import { payments, sendingForm, someCustomers } from "./payments.ts";
import { apart, type Served, serve } from "./serve.ts";

const text: JsonObject = { type: "string" };
const PATCH = "application/json-patch+json";
const id: JsonObject = { name: "id", in: "path", required: true, schema: { type: "integer" } };
const fields = {
  id: { type: "integer" },
  title: text,
  body: text,
  tags: { type: "object", additionalProperties: text },
};

function paths(name: string, methods: JsonObject, create: JsonObject = ref("Article")): JsonObject {
  return {
    [`/${name}`]: {
      get: { responses: { 200: response({ type: "array", items: ref("Article") }) } },
      post: { requestBody: json(create), responses: { 201: response(ref("Article")) } },
    },
    [`/${name}/{id}`]: { parameters: [id], get: { responses: { 200: response(ref("Article")) } }, ...methods },
  };
}

const changed = { responses: { 200: response(ref("Article")) } };

/** Articles that are updated in several ways. */
const articles: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Articles", version: "1" },
  paths: {
    ...paths("whole", { put: { requestBody: json(ref("Article")), ...changed } }),
    ...paths("partial", { put: { requestBody: json(ref("Change")), ...changed } }),
    ...paths("wrapped", {
      put: {
        requestBody: json({ type: "object", required: ["article"], properties: { article: ref("Change") } }),
        ...changed,
      },
    }),
    ...paths(
      "loose",
      { put: { requestBody: json({ ...(ref("Loose") as object) }), ...changed } },
      { type: "object", required: ["title", "body"], properties: fields },
    ),
    ...paths("told", {
      put: { description: "Updates the entire article.", requestBody: json(ref("Change")), ...changed },
    }),
    ...paths("supplied", {
      put: {
        description: "Update an article by supplying all values of it.",
        requestBody: json(ref("Change")),
        ...changed,
      },
    }),
    ...paths("retained", {
      put: {
        description: "If not set, the attributes will retain their original values.",
        requestBody: json(ref("Article")),
        ...changed,
      },
    }),
    ...paths("filled", {
      put: { requestBody: { description: "The full data of the article.", ...json(ref("Change")) }, ...changed },
    }),
    ...paths("beside", {
      put: { requestBody: json(ref("Change")), ...changed },
      patch: { description: "Omitted fields keep their values.", requestBody: json(ref("Change")), ...changed },
    }),
    ...paths("posted", {
      post: { description: "Replaces title and body.", requestBody: json(ref("Change")), ...changed },
    }),
    "/orders": {
      get: { responses: { 200: response({ type: "array", items: ref("Order") }) } },
      post: { requestBody: json(ref("Order")), responses: { 201: response(ref("Order")) } },
    },
    "/orders/{id}": {
      parameters: [id],
      get: { responses: { 200: response(ref("Order")) } },
      patch: {
        requestBody: json({ type: "object", properties: { status: { type: "string" } } }),
        responses: { 200: response(ref("Order")) },
      },
      put: { requestBody: json(ref("Order")), responses: { 200: response(ref("Order")) } },
    },
    ...paths("dotnet", {
      put: { requestBody: json(ref("Article"), PATCH), ...changed },
      patch: {
        requestBody: { content: { [PATCH]: { schema: ref("Change") }, "text/json": { schema: ref("Change") } } },
        ...changed,
      },
    }),
  },
  components: {
    schemas: {
      Article: { type: "object", required: ["title"], properties: fields },
      Change: {
        type: "object",
        properties: {
          title: text,
          body: text,
          tags: { type: "object", additionalProperties: { ...text, nullable: true } },
        },
      },
      Order: {
        type: "object",
        properties: { id: { type: "integer", readOnly: true }, note: text, status: { ...text, readOnly: true } },
      },
      Loose: { type: "object", required: ["body"], properties: { title: text, body: text } },
    },
  },
};

const article = { id: 1, title: "Old", body: "Text", tags: { a: "1", b: "2" } };

describe("a replacement or a change", () => {
  let served: Served;
  beforeAll(async () => {
    const names = [
      "whole",
      "partial",
      "wrapped",
      "loose",
      "dotnet",
      "told",
      "supplied",
      "retained",
      "filled",
      "beside",
      "posted",
    ];
    served = await serve(articles, { data: Object.fromEntries(names.map((name) => [name, [article]])) });
  });

  const { body: _, tags: __, ...bare } = article;
  const updates: readonly [line: string, sent: unknown, expected: unknown, type?: string][] = [
    ["PUT /whole/1", { title: "New" }, { ...bare, title: "New" }],
    ["PUT /whole/1", { title: "New", tags: { c: "3" } }, { ...bare, title: "New", tags: { c: "3" } }],
    ["PUT /partial/1", { body: "New" }, { ...article, body: "New" }],
    ["PUT /partial/1", {}, article],
    ["PUT /partial/1", { tags: { b: "3", c: "4", a: null } }, { ...article, tags: { b: "3", c: "4" } }],
    ["PUT /partial/1", { tags: { a: "" } }, { ...article, tags: { a: "", b: "2" } }],
    ["PUT /wrapped/1", { article: { body: "New" } }, { ...article, body: "New" }],
    ["PUT /loose/1", { body: "New" }, { ...article, body: "New" }],
    ["PUT /told/1", { title: "New" }, { ...bare, title: "New" }],
    ["PUT /told/1", { body: "New" }, { ...bare, body: "New" }],
    ["PUT /supplied/1", { title: "New" }, { ...bare, title: "New" }],
    ["PUT /retained/1", { title: "New" }, { ...article, title: "New" }],
    ["PUT /filled/1", { title: "New" }, { ...bare, title: "New" }],
    ["PUT /beside/1", { title: "New" }, { ...bare, title: "New" }],
    ["PATCH /beside/1", { title: "New" }, { ...article, title: "New" }],
    ["POST /posted/1", { title: "New" }, { ...bare, title: "New" }],
    ["PUT /dotnet/1", { title: "New" }, { ...bare, title: "New" }, PATCH],
    ["PATCH /dotnet/1", { title: "New" }, { ...article, title: "New" }, PATCH],
    ["PATCH /dotnet/1", [{ op: "replace", path: "/title", value: "New" }], { ...article, title: "New" }, PATCH],
  ];
  test.each(updates)("%s %j", async (line, body, expected, type = "application/json") => {
    const ask = apart(served);
    const sent = await ask(line, { body: JSON.stringify(body), headers: { "content-type": type } });
    expect([sent.status, sent.body]).toEqual([200, expected]);
    expect((await ask(line.replace(/^\w+/, "GET"))).body).toEqual(expected);
  });

  test.each<readonly [unknown, number, string]>([
    [[{ op: "none" }], 400, "PATCH_INVALID"],
    [{ title: 5 }, 422, "REQUEST_INVALID"],
    ["New", 422, "REQUEST_INVALID"],
  ])("PATCH /dotnet/1 %j is %i", async (body, status, code) => {
    const sent = await served.ask("PATCH /dotnet/1", {
      body: JSON.stringify(body),
      headers: { "content-type": PATCH },
    });
    expect([sent.status, sent.body]).toMatchObject([status, { code }]);
    expect((await served.ask("GET /dotnet/1")).body).toEqual(article);
  });
});

describe("forms", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(payments, { data: { customers: someCustomers } });
  });

  const [customer] = someCustomers;
  test.each<readonly [string, JsonObject]>([
    ["metadata[new]=1", { ...customer, metadata: { order: "1", kept: "yes", new: "1" } }],
    ["metadata[order]=", { ...customer, metadata: { kept: "yes" } }],
    ["metadata=", { ...customer, metadata: {} }],
    ["description=", { ...customer, description: null }],
    ["email=x@y.z", { ...customer, email: "x@y.z" }],
  ])("POST /v1/customers/cus_1 %s", async (form, expected) => {
    const ask = apart(served);
    expect((await ask("POST /v1/customers/cus_1", sendingForm(form))).body).toEqual(expected);
    expect((await ask("GET /v1/customers/cus_1")).body).toEqual(expected);
  });

  test("a new record has no members that are unset", async () => {
    const form = "email=a@b.c&metadata[a]=&metadata[b]=1&description=";
    const { body } = await apart(served)("POST /v1/customers", sendingForm(form));
    expect(body).toMatchObject({ metadata: { b: "1" }, description: null });
    expect((body as JsonObject).metadata).toEqual({ b: "1" });
  });
});

test("a read-only field is changed by a request that declares it, and by no other", async () => {
  const { ask } = await serve(articles);
  const { id: order } = (await ask("POST /orders", { body: { note: "Hats", status: "sent" } })).body as JsonObject;
  expect((await ask(`PATCH /orders/${order}`, { body: { status: "paid" } })).body).toMatchObject({ status: "paid" });
  expect((await ask(`PUT /orders/${order}`, { body: { status: "lost" } })).body).toMatchObject({ status: "paid" });
  expect((await ask(`GET /orders/${order}`)).body).toMatchObject({ note: "Hats", status: "paid" });
});

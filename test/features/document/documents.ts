import type { JsonObject } from "../../../src/base/json/json.ts";

/** A reference to one of the document's schemas. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** A JSON body. */
export function json(schema: JsonObject, type = "application/json"): JsonObject {
  return { content: { [type]: { schema } } };
}

export function response(schema: JsonObject, type?: string): JsonObject {
  return { description: "A response", ...json(schema, type) };
}

function pathParameter(name: string, schema: JsonObject): JsonObject {
  return { name, in: "path", required: true, schema };
}

function queryParameter(name: string, schema: JsonObject): JsonObject {
  return { name, in: "query", schema };
}

const integer = { type: "integer" };
const text = { type: "string" };

/** A shelter: an envelope with pages, nested visits, an error schema, fields of the server, and operations without data. */
export const shelter: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Shelter", version: "1.0.0" },
  servers: [{ url: "https://shelter.example.com/v1" }],
  paths: {
    "/pets": {
      get: {
        parameters: [
          queryParameter("page", { type: "integer", minimum: 1, default: 1 }),
          queryParameter("per_page", { type: "integer", minimum: 1, maximum: 50, default: 5 }),
          queryParameter("status", { type: "string", enum: ["available", "adopted"] }),
          queryParameter("sort", text),
          queryParameter("q", text),
          queryParameter("include_hidden", { type: "boolean" }),
        ],
        responses: {
          200: response({
            type: "object",
            required: ["data", "meta"],
            additionalProperties: false,
            properties: {
              data: { type: "array", items: ref("Pet") },
              meta: {
                type: "object",
                required: ["total", "page", "per_page", "total_pages", "request_id"],
                additionalProperties: false,
                properties: {
                  total: integer,
                  page: integer,
                  per_page: integer,
                  total_pages: integer,
                  next: { type: "string", nullable: true },
                  request_id: { type: "string", minLength: 3 },
                },
              },
            },
          }),
        },
      },
      post: {
        requestBody: { required: true, ...json(ref("NewPet")) },
        responses: { 201: response(ref("Pet")), default: response(ref("Problem")) },
      },
    },
    "/pets/{petId}": {
      parameters: [pathParameter("petId", integer)],
      get: { responses: { 200: response(ref("Pet")), 404: response(ref("Problem")) } },
      put: {
        requestBody: { required: true, ...json(ref("NewPet")) },
        responses: { 200: response(ref("Pet")), 404: response(ref("Problem")) },
      },
      patch: {
        requestBody: {
          required: true,
          ...json({ type: "object", properties: { name: { ...text, minLength: 1 }, status: ref("Status") } }),
        },
        responses: { 200: response(ref("Pet")), 404: response(ref("Problem")) },
      },
      delete: { responses: { 204: { description: "Gone" }, 404: response(ref("Problem")) } },
    },
    "/pets/{petId}/visits": {
      parameters: [pathParameter("petId", integer)],
      get: { responses: { 200: response({ type: "array", items: ref("Visit") }), 404: response(ref("Problem")) } },
      post: {
        requestBody: { required: true, ...json(ref("Visit")) },
        responses: { 201: response(ref("Visit")), 404: response(ref("Problem")) },
      },
    },
    "/pets/{petId}/visits/{visitId}": {
      parameters: [pathParameter("petId", integer), pathParameter("visitId", { type: "string", format: "uuid" })],
      get: { responses: { 200: response(ref("Visit")), 404: response(ref("Problem")) } },
      delete: { responses: { 204: { description: "Gone" } } },
    },
    "/statistics": {
      get: {
        responses: {
          200: response({
            type: "object",
            required: ["adoptions"],
            properties: { adoptions: { ...integer, minimum: 3 } },
          }),
        },
      },
    },
  },
  components: {
    schemas: {
      Status: { type: "string", enum: ["available", "adopted"], default: "available" },
      NewPet: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 1 },
          status: ref("Status"),
          weight: { type: "number", minimum: 0 },
          chip: { type: "string", writeOnly: true },
        },
      },
      Pet: {
        allOf: [
          ref("NewPet"),
          {
            type: "object",
            required: ["id", "status", "createdAt", "updatedAt"],
            properties: {
              id: { ...integer, readOnly: true },
              createdAt: { type: "string", format: "date-time", readOnly: true },
              updatedAt: { type: "string", format: "date-time", readOnly: true },
            },
          },
        ],
      },
      Visit: {
        type: "object",
        required: ["id", "reason"],
        additionalProperties: false,
        properties: { id: { type: "string", format: "uuid", readOnly: true }, reason: text },
      },
      Problem: {
        type: "object",
        required: ["status", "title"],
        properties: { status: integer, title: text, detail: text },
      },
    },
  },
};

/** A library: examples as data, wrapped records, lists of summaries, offsets, a media type of its own. */
export const library: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Library", version: "1.0.0" },
  paths: {
    "/books": {
      get: {
        parameters: [queryParameter("offset", integer), queryParameter("limit", { ...integer, default: 2 })],
        responses: {
          200: response(
            {
              type: "object",
              required: ["books", "count", "has_more"],
              properties: {
                books: { type: "array", items: ref("BookSummary") },
                count: integer,
                has_more: { type: "boolean" },
              },
            },
            "application/vnd.library+json",
          ),
        },
      },
      post: {
        requestBody: {
          required: true,
          ...json({ type: "object", required: ["book"], properties: { book: ref("NewBook") } }),
        },
        responses: {
          201: response({ type: "object", required: ["book"], properties: { book: ref("Book") } }),
        },
      },
    },
    "/books/{isbn}": {
      parameters: [pathParameter("isbn", text)],
      get: {
        responses: {
          200: {
            description: "A book",
            content: {
              "application/json": {
                schema: { type: "object", required: ["book"], properties: { book: ref("Book") } },
                examples: {
                  dune: { value: { book: { isbn: "9780441013593", title: "Dune", pages: 412, notes: null } } },
                  emma: { value: { book: { isbn: "9780141439587", title: "Emma", pages: 474, notes: "Signed" } } },
                  odyssey: {
                    value: { book: { isbn: "9780140268867", title: "The Odyssey", pages: 541, notes: null } },
                  },
                },
              },
            },
          },
        },
      },
      delete: {
        responses: {
          200: response({ type: "object", required: ["deleted"], properties: { deleted: { const: true } } }),
        },
      },
    },
  },
  components: {
    schemas: {
      NewBook: {
        type: "object",
        required: ["isbn", "title"],
        properties: { isbn: text, title: text, pages: { ...integer, minimum: 1 }, notes: { type: ["string", "null"] } },
      },
      Book: {
        type: "object",
        required: ["isbn", "title", "pages"],
        properties: {
          isbn: text,
          title: text,
          pages: { ...integer, minimum: 1 },
          notes: { type: ["string", "null"] },
        },
      },
      BookSummary: {
        type: "object",
        required: ["isbn", "title"],
        additionalProperties: false,
        properties: { isbn: text, title: text },
      },
    },
  },
};

/** A warehouse in Swagger 2.0. */
export const warehouse: JsonObject = {
  swagger: "2.0",
  info: { title: "Warehouse", version: "1.0.0" },
  basePath: "/api",
  consumes: ["application/json"],
  produces: ["application/json"],
  paths: {
    "/items": {
      get: {
        responses: { 200: { description: "Items", schema: { type: "array", items: { $ref: "#/definitions/Item" } } } },
      },
      post: {
        parameters: [{ name: "body", in: "body", required: true, schema: { $ref: "#/definitions/Item" } }],
        responses: { 201: { description: "An item", schema: { $ref: "#/definitions/Item" } } },
      },
    },
    "/items/{id}": {
      parameters: [{ name: "id", in: "path", required: true, type: "integer" }],
      get: { responses: { 200: { description: "An item", schema: { $ref: "#/definitions/Item" } } } },
    },
  },
  definitions: {
    Item: {
      type: "object",
      required: ["id", "label"],
      properties: { id: { type: "integer", readOnly: true }, label: { type: "string" }, stock: { type: "integer" } },
    },
  },
};

/** Countries: each record in an element of the list, a parameter that is stricter than the id, and requests less strict. */
export const atlas: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Atlas", version: "1.0.0" },
  paths: {
    "/countries": {
      get: {
        responses: {
          200: response({
            type: "object",
            required: ["edges"],
            properties: { edges: { type: "array", items: ref("Edge") } },
          }),
        },
      },
    },
    "/countries/{code}": {
      parameters: [pathParameter("code", { type: "string", pattern: "^[A-Z]{2}$" })],
      get: {
        responses: {
          200: response({
            type: "object",
            required: ["data"],
            properties: { data: { type: "array", items: ref("Edge") } },
          }),
        },
      },
      patch: {
        requestBody: json({ type: "object", properties: { name: text } }),
        responses: { 200: response(ref("Country")) },
      },
    },
  },
  components: {
    schemas: {
      Country: {
        type: "object",
        required: ["code", "name"],
        properties: { code: text, name: { type: "string", pattern: "^[A-Z]" } },
      },
      Edge: {
        type: "object",
        required: ["node", "cursor"],
        properties: { node: ref("Country"), cursor: text },
      },
    },
  },
};

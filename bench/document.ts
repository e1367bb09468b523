const text = { type: "string" };
const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const response = (schema: object): object => ({ 200: { description: "A response", ...json(schema) } });
const product = { $ref: "#/components/schemas/Product" };

/** The generated products behind a document: a list with an envelope, and single records. */
export const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1.0.0" },
  paths: {
    "/products": {
      get: {
        parameters: [
          { name: "page", in: "query", schema: { type: "integer", minimum: 1 } },
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
        ],
        responses: response({
          type: "object",
          required: ["data", "total", "page"],
          properties: {
            data: { type: "array", items: product },
            total: { type: "integer" },
            page: { type: "integer" },
          },
        }),
      },
      post: { requestBody: json(product), responses: { 201: { description: "A product", ...json(product) } } },
    },
    "/products/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: { responses: response(product) },
    },
  },
  components: {
    schemas: {
      Product: {
        type: "object",
        required: ["id", "name", "price"],
        properties: {
          id: { type: "integer", readOnly: true },
          name: text,
          price: { type: "number", minimum: 0 },
          company_id: { type: "integer" },
        },
      },
    },
  },
};

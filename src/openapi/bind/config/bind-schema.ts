import type { JsonObject } from "../../../base/json/json.ts";
import { ENVELOPE_ROLES, PARAMETER_ROLES } from "../roles.ts";

/** The form of a meaning in `query`, for messages. */
export const MEANING = `"filter price gte": a role (${PARAMETER_ROLES.join(", ")}), and of a filter the field and how it compares`;

const ROLE_SCHEMAS: JsonObject = {
  query: {
    description: "What query parameters of the lists mean, by name",
    type: "object",
    additionalProperties: {
      anyOf: [
        { const: false, description: "Nothing" },
        { type: "string", description: MEANING, pattern: `^(?:${PARAMETER_ROLES.join("|")})(?: |$)` },
        {
          type: "object",
          description: 'A filter, by value: { "true": "deletedAt null false", "": "deletedAt null true" }',
          additionalProperties: { type: "string" },
        },
      ],
    },
  },
  fields: {
    description: "What the fields around a list mean, by the names that lead to them: meta.total",
    type: "object",
    additionalProperties: { enum: [false, ...ENVELOPE_ROLES] },
  },
};

/** The form of `bind`, for editors. */
export const BIND_SCHEMA: JsonObject = {
  additionalProperties: {
    anyOf: [
      { const: false, description: "Not a collection: its operations respond from examples and schemas" },
      {
        type: "object",
        properties: {
          list: { description: "Path of the list, as in the document", type: "string", pattern: "^/" },
          item: { description: "Path of single records, as in the document", type: "string", pattern: "^/" },
          lists: {
            description: "Paths of further lists of its records, as in the document",
            type: "array",
            items: { type: "string", pattern: "^/" },
          },
          id: {
            description: 'Property of a record that is its id, or the form of new ids: "cus_{random:14}"',
            type: "string",
            minLength: 1,
          },
          at: {
            description: 'Where the list stands in its response: "data.items", or "" for the body',
            type: "string",
          },
          itemAt: { description: 'Where the record stands in the response of its path: "data"', type: "string" },
          ...ROLE_SCHEMAS,
        },
        additionalProperties: false,
      },
    ],
  },
};

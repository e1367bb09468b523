import type { JsonObject } from "../base/json/json.ts";
import type { Option, OptionTable } from "../base/option.ts";

/** The JSON Schema of the config file, for editors: completion, types and the help text of each key. */
export function configSchema(table: OptionTable): JsonObject {
  const options = Object.values(table).filter((option) => option.only !== "flag");
  const properties = Object.fromEntries(options.map((option) => [option.name, propertySchema(option)]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "standin configuration",
    type: "object",
    properties: {
      $schema: { type: "string" },
      ...properties,
      ssl: {
        description: "true for HTTPS, or the certificate and key files",
        oneOf: [
          { type: "boolean" },
          {
            type: "object",
            properties: { cert: { type: "string" }, key: { type: "string" } },
            additionalProperties: false,
          },
        ],
      },
    },
    additionalProperties: false,
  };
}

function integerSchema({ min = 0, max }: Option): JsonObject {
  return { type: "integer", minimum: min, ...(max !== undefined && { maximum: max }) };
}

function propertySchema(option: Option): JsonObject {
  const schema: JsonObject = { description: option.help };
  switch (option.type) {
    case "boolean":
      schema.type = "boolean";
      break;
    case "integer":
      Object.assign(schema, integerSchema(option));
      break;
    case "integer or auto":
      schema.oneOf = [integerSchema(option), { enum: ["auto"] }];
      break;
    case "strings":
      schema.type = "array";
      schema.items = { type: "string" };
      break;
    case "object":
      Object.assign(schema, { type: "object" }, option.schema);
      break;
    case "string or object":
      schema.oneOf = [
        { type: "string", minLength: 1 },
        { type: "object", ...option.schema },
      ];
      break;
    case "objects":
      schema.type = "array";
      schema.items = { type: "object" };
      break;
    case "string":
      schema.type = option.takesNumbers ? ["string", "integer"] : "string";
      if (option.choices) schema.enum = [...option.choices];
      else schema.minLength = 1;
      break;
  }
  if (option.default !== undefined) schema.default = option.default;
  return schema;
}

/** The part of the Postman collection format v2.1.0 that requests use, as a JSON schema. Other members are refused. */
const text = { type: "string" };

/** Only these members, those marked with `?` if they are there. */
function object(members: Readonly<Record<string, object>>): object {
  const names = Object.keys(members);
  return {
    type: "object",
    required: names.filter((name) => !name.endsWith("?")),
    properties: Object.fromEntries(names.map((name) => [name.replace("?", ""), members[name]])),
    additionalProperties: false,
  };
}

function listOf(items: object): object {
  return { type: "array", items };
}

const pair = object({ key: text, value: text });
const url = object({ raw: text, host: listOf(text), path: listOf(text), "query?": listOf(pair) });
const body = object({
  mode: { const: "raw" },
  raw: text,
  "options?": object({ raw: object({ language: { const: "json" } }) }),
});
const request = object({ method: text, header: listOf(pair), url, "description?": text, "body?": body });
const item = object({ name: text, request, response: { type: "array", maxItems: 0 } });

export const POSTMAN_SCHEMA: object = object({
  info: object({
    name: text,
    description: text,
    schema: { const: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  }),
  item: listOf(object({ name: text, item: listOf(item) })),
  variable: listOf(pair),
});

/** The members that HAR 1.2 requires, and their types, as a JSON schema. Members of one's own begin with `_`. */
const text = { type: "string" };
const integer = { type: "integer" };
const count = { type: "integer", minimum: -1 };
const duration = { type: "number", minimum: 0 };
const time = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$" };

/** Only these members, those marked with `?` if they are there, and any that begin with `_`. */
function object(members: Readonly<Record<string, object>>): object {
  const names = Object.keys(members);
  return {
    type: "object",
    required: names.filter((name) => !name.endsWith("?")),
    properties: Object.fromEntries(names.map((name) => [name.replace("?", ""), members[name]])),
    patternProperties: { "^_": {} },
    additionalProperties: false,
  };
}

function listOf(items: object): object {
  return { type: "array", items };
}

const pair = object({ name: text, value: text, "comment?": text });
const message = {
  httpVersion: text,
  cookies: listOf(pair),
  headers: listOf(pair),
  headersSize: count,
  bodySize: count,
};

const request = object({
  method: text,
  url: { type: "string", format: "uri" },
  ...message,
  queryString: listOf(pair),
  "postData?": object({ mimeType: text, text, "comment?": text }),
  "comment?": text,
});

const response = object({
  status: integer,
  statusText: text,
  ...message,
  content: object({ size: integer, mimeType: text, "text?": text, "comment?": text }),
  redirectURL: text,
  "comment?": text,
});

const entry = object({
  startedDateTime: time,
  time: duration,
  request,
  response,
  cache: object({}),
  timings: object({ send: duration, wait: duration, receive: duration }),
});

export const HAR_SCHEMA: object = object({
  log: object({ version: { const: "1.2" }, creator: object({ name: text, version: text }), entries: listOf(entry) }),
});

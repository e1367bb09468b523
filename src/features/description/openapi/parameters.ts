import type { JsonObject } from "../../../base/json/json.ts";
import { COUNT, queryParameter as query, TEXT } from "../../../openapi/write/parts.ts";
import { filterName } from "../../../query/filter-reader.ts";
import type { FieldFit } from "../../../query/operator.ts";
import { OPERATOR_NAMES, OPERATORS } from "../../../query/operator-table.ts";
import type { FieldFacts } from "./field-facts.ts";
import { RULED_HEADERS, ruledParameters } from "./rules/ruled-parameters.ts";

/** Of a record with more fields than this, the others are filtered by as any path is. */
const MAX_FILTERED = 40;
const RESERVED = new Set(["", "q", "_", "callback", "filters"]);

function repeated(name: string, description: string): JsonObject {
  return { ...query(name, description, { type: "array", items: TEXT }), style: "form", explode: true };
}

function header(name: string, description: string): JsonObject {
  return { name, in: "header", description, schema: TEXT };
}

const PARAMETERS: Readonly<Record<string, JsonObject>> = {
  q: query("q", "Some value of the record contains this text, in any case."),
  or: repeated("_or", "A condition such as `price:lt=10`; if repeated, one of them must be met."),
  where: query("_where", 'Conditions as JSON: `{"or":[{"price":{"lt":10}},{"name":{"contains":"lamp"}}]}`.'),
  sort: query("_sort", "Fields to sort by, comma-separated; `-` before a field sorts in descending order."),
  order: query("_order", "`asc` or `desc` for each field of `_sort` without `-`, comma-separated."),
  page: query("_page", "The page, from 1.", { type: "integer", minimum: 1 }),
  limit: query("_limit", "Records in a page (10 unless given), or in a slice.", { type: "integer", minimum: 0 }),
  start: query("_start", "The first position, from 0.", COUNT),
  end: query("_end", "The position after the last.", COUNT),
  per_page: query("_per_page", "Records in a page; the response is an object with the pages and `data`.", {
    type: "integer",
    minimum: 1,
  }),
  after: query("_after", "A cursor from the `Link` of the page before; empty for the first page of `_limit` records."),
  fields: query("_fields", "Fields to return, or with `-` before each the fields to leave out, comma-separated."),
  group: query("_group", "Fields, comma-separated: the response has one row for each of their values."),
  aggregate: query("_aggregate", "Columns of the rows, comma-separated: `count`, `sum:price`, `avg:`, `min:`, `max:`."),
  having: repeated("_having", "A condition on the rows, such as `count:gt=3`."),
  at: query("_at", "A version, a time or an age such as `-5m`: the data as it was then."),
  delay: query("_delay", "Milliseconds to delay the response.", { type: "integer", minimum: 0 }),
  callback: query("callback", "The name of a function: the response is JSONP."),
  "if-none-match": header("If-None-Match", "An ETag: 304 without a body when nothing has changed."),
  "if-match": header("If-Match", "An ETag: 412 when the record has changed meanwhile."),
  prefer: header(
    "Prefer",
    "`handling=strict` refuses unknown names; `count=exact` counts the matches; `explain` responds with the plan of the query.",
  ),
};

/** Parameters of writes. */
const WRITE_PARAMETERS: Readonly<Record<string, JsonObject>> = {
  "prefer-create": header(
    "Prefer",
    "`resolution=merge-duplicates` or `ignore-duplicates` for records that are there already; `tx=rollback` changes nothing.",
  ),
  "prefer-many": header(
    "Prefer",
    "`max-affected=10` refuses to change more; `return=representation` returns the records; `tx=rollback` changes nothing.",
  ),
  "prefer-write": header("Prefer", "`tx=rollback` responds as usual and changes nothing."),
  on: query("_on", "With `Prefer: resolution`, the field by which records are found; the id unless given."),
  "idempotency-key": header(
    "Idempotency-Key",
    "A text of your choice, such as a UUID. The request is carried out once; repeated with the same key, it gets the same response.",
  ),
  all: query("_all", "`true` for all records, in place of a filter."),
};

type HeaderFacts = Readonly<Record<string, readonly [description: string, schema: JsonObject]>>;

const HEADERS: HeaderFacts = {
  ETag: ["The version of the response.", TEXT],
  Location: ["The address of the created record.", { type: "string", format: "uri" }],
  "X-Total-Count": ["How many records match, where a window of them is requested.", COUNT],
  Link: ["The first, previous, next and last page, or the next one behind a cursor.", TEXT],
  "Content-Range": ["Which of the matching records these are.", TEXT],
  "Preference-Applied": ["The preference of `Prefer` that was applied.", TEXT],
  "Idempotency-Replayed": [
    "`true` on a response that was given before, to the same request.",
    { type: "string", enum: ["true"] },
  ],
  "X-RateLimit-Limit": ["Requests in a window of time.", COUNT],
  "X-RateLimit-Remaining": ["Requests left in it.", COUNT],
  "X-Authenticated-Client": [
    "The kind of client that was admitted.",
    { type: "string", enum: ["dotnet-client", "generic"] },
  ],
  "X-Simulated-Delay": ["How long the response was delayed, such as `412ms`.", TEXT],
  "X-Server-Time": ["When the request came.", { type: "string", format: "date-time" }],
};

export function parameterComponents(hasRules: boolean): JsonObject {
  return { ...PARAMETERS, ...WRITE_PARAMETERS, ...(hasRules && ruledParameters(WRITE_PARAMETERS)) };
}

export function headerComponents(hasRules: boolean): JsonObject {
  const all = { ...HEADERS, ...(hasRules && RULED_HEADERS) };
  return Object.fromEntries(
    Object.entries(all).map(([name, [description, schema]]) => [name, { description, schema }]),
  );
}

/** Filters by field, with the operators that make sense for its values, and one for every other path. */
export function filterParameters(all: readonly FieldFacts[]): JsonObject[] {
  const fields = all.filter(isFilterable).slice(0, MAX_FILTERED);
  return [
    ...fields.flatMap(fieldParameters),
    {
      name: "filters",
      in: "query",
      description: `Any other filter: \`address.city\`, or a path and an operator, such as \`price:gt\` and \`name:!contains\`. Operators: ${OPERATOR_NAMES.join(", ")}; \`!\` before one means the opposite.`,
      style: "form",
      explode: true,
      schema: { type: "object", additionalProperties: TEXT, example: {} },
    },
  ];
}

/** Objects have no text worth comparing; a name that ends like an operator cannot be filtered by. */
function isFilterable({ name, types }: FieldFacts): boolean {
  if (RESERVED.has(name) || name.startsWith("_") || filterName(name).classic) return false;
  return types.length > 0 && !types.includes("object") && !types.includes("array");
}

function fieldParameters({ name, types, format }: FieldFacts): JsonObject[] {
  const [only, other] = types;
  const schema: JsonObject = { type: only !== undefined && other === undefined ? only : [...types] };
  const fits: Readonly<Record<FieldFit, boolean>> = {
    any: true,
    ordered: types.some((type) => type === "number" || type === "integer") || format?.startsWith("date") === true,
    text: types.includes("string"),
    object: false,
  };
  const suffixed = OPERATORS.filter(({ suffix, menu }) => suffix === "always" && fits[menu.fits]);
  return [
    query(name, `\`${name}\` is`, schema),
    ...suffixed.map(({ name: suffix, words, operand }) =>
      query(`${name}_${suffix}`, `\`${name}\` ${words}`, operand === "text" ? TEXT : schema),
    ),
  ];
}

/** `_embed` and `_expand`, where there is something to add to a record. */
export function relationParameters(embedded: readonly string[], expanded: readonly string[]): JsonObject[] {
  const list = (name: string, description: string, names: readonly string[]): JsonObject[] =>
    names.length === 0 ? [] : [{ ...query(name, description, pathsFrom(names)), style: "form", explode: false }];
  const deeper = "A dot leads on to relations of the added records, up to four levels: `first.second`.";
  return [
    ...list("_embed", `Children, or a parent, to add to each record. ${deeper}`, embedded),
    ...list("_expand", `Records that each record refers to, to be added to it. ${deeper}`, expanded),
  ];
}

function pathsFrom(names: readonly string[]): JsonObject {
  const path = { type: "string", pattern: "^[^.]+([.][^.]+){1,3}$" };
  return { type: "array", items: { anyOf: [{ type: "string", enum: [...names] }, path] } };
}

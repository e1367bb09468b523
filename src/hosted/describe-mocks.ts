import { type Json, type JsonObject, parseJson, setField } from "../base/json/json.ts";
import type { Work } from "../base/slices.ts";
import { bareType } from "../openapi/check/media-types.ts";
import type { PathTemplate } from "../openapi/read/path-template.ts";
import { schemaOfValues } from "../schema/inference/inferred-schema.ts";
import { compileTemplate, isJsonContent } from "./body-template.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Example, type ExampleResponse, wildcardsOf } from "./example.ts";
import { type Mock, shownEndpoints } from "./mocks.ts";
import { prefixOf } from "./page/index-of-mocks.ts";

/** The methods that OpenAPI has a place for. */
const METHODS: ReadonlySet<string> = new Set(["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]);
/** Of one response in one media type: the others differ in values alone, mostly. */
const MOST_EXAMPLES = 10;

/** A path of the document. Methods with the same path share the names of its wildcards. */
interface DescribedPath {
  readonly text: string;
  readonly item: JsonObject;
}

/** An OpenAPI 3.1 document of mocks, made from their examples. */
export function* describeMocks(mocks: readonly Mock[], url: string): Work<JsonObject> {
  const paths: JsonObject = {};
  for (const mock of mocks) {
    const found = new Map<string, DescribedPath>();
    for (const endpoint of shownEndpoints(mock.hosted.routes.endpoints)) {
      if (!METHODS.has(endpoint.method)) continue;
      const { path } = endpoint;
      const described = found.get(path.shape) ?? describePath(path);
      found.set(path.shape, described);
      setField(described.item, endpoint.method.toLowerCase(), describeEndpoint(endpoint, mock));
      yield;
    }
    for (const { text, item } of found.values()) setField(paths, `${prefixOf(mock)}${text}`, item);
  }
  const title = mocks.map(({ source }) => source).join(", ");
  return { openapi: "3.1.0", info: { title, version: "" }, servers: [{ url }], paths };
}

function describePath({ segments, names }: PathTemplate): DescribedPath {
  const free = distinctNames(names);
  let next = 0;
  const wildcard = (): string => `{${free[next++]}}`;
  const texts = segments.map((segment) => {
    if (segment.kind === "literal") return escaped(segment.text);
    if (segment.kind === "wildcard") return wildcard();
    return segment.texts.map((text, at) => (at === 0 ? "" : wildcard()) + escaped(text)).join("");
  });
  const parameters = free.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  return { text: `/${texts.join("/")}`, item: parameters.length === 0 ? {} : { parameters } };
}

/** A wildcard may have no name, or that of another. */
function distinctNames(names: readonly string[]): string[] {
  const distinct: string[] = [];
  for (const [at, name] of names.entries()) {
    distinct.push(name === "" || distinct.includes(name) ? `${name}${at + 1}` : name);
  }
  return distinct;
}

function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll("%252F", "%2F");
}

function describeEndpoint({ examples, usual }: Endpoint, { name }: Mock): JsonObject {
  const parameters = new Map<string, JsonObject>();
  for (const { request } of examples) {
    for (const { name: term, value, wildcard } of request.query) {
      const known = { name: term, in: "query", schema: { type: "string" } };
      if (!parameters.has(term)) parameters.set(term, wildcard === undefined ? { ...known, example: value } : known);
    }
  }
  const body = describeBody(examples);
  return {
    summary: usual.name,
    ...(name !== "" && { tags: [name] }),
    ...(parameters.size > 0 && { parameters: [...parameters.values()] }),
    ...(body && { requestBody: body }),
    responses: describeResponses(examples),
  };
}

/** The first body that was saved with a request. */
function describeBody(examples: readonly Example[]): JsonObject | undefined {
  const saved = examples.find(({ request: { body = "" } }) => body !== "")?.request;
  if (saved?.body === undefined) return undefined;
  const value = readJson(saved.body);
  const type = saved.headers.get("content-type") ?? (value === undefined ? "text/plain" : "application/json");
  const schema = value === undefined ? {} : { schema: schemaOfValues([value], { isPlain: true, isBody: true }) };
  return { content: { [bareType(type) || "text/plain"]: { ...schema, example: value ?? saved.body } } };
}

function describeResponses(examples: readonly Example[]): JsonObject {
  const responses: JsonObject = {};
  for (const [status, here] of groupedBy(examples, ({ status }) => String(status))) {
    const types = groupedBy(here, ({ type }) => bareType(type));
    const content = [...types].filter(([type]) => type !== "").map(([type, same]) => [type, describeContent(same)]);
    responses[status] = {
      description: here[0]?.name ?? "",
      ...(content.length > 0 && { content: Object.fromEntries(content) }),
    };
  }
  return responses;
}

function groupedBy(
  examples: readonly Example[],
  keyOf: (response: ExampleResponse) => string,
): ReadonlyMap<string, readonly Example[]> {
  const groups = new Map<string, Example[]>();
  for (const example of examples) {
    const key = keyOf(example.response);
    const group = groups.get(key);
    if (group) group.push(example);
    else groups.set(key, [example]);
  }
  return groups;
}

function describeContent(examples: readonly Example[]): JsonObject {
  const named: JsonObject = {};
  const values: Json[] = [];
  for (const example of examples.slice(0, MOST_EXAMPLES)) {
    const text = bodyText(example);
    if (text === undefined) continue;
    const value = isJsonContent(example.response.type ?? "") ? readJson(text) : undefined;
    if (value !== undefined) values.push(value);
    setField(named, example.name, { value: value ?? text });
  }
  return {
    ...(values.length > 0 && { schema: schemaOfValues(values, { isPlain: true }) }),
    ...(Object.keys(named).length > 0 && { examples: named }),
  };
}

/** As it could be sent, with some values of its wildcards; undefined for none, or one that is no text. */
function bodyText({ request, response: { body, type = "", dynamic } }: Example): string | undefined {
  if (typeof body !== "string") return undefined;
  return compileTemplate(body, { wildcards: wildcardsOf(request), dynamic }, type)?.sample() ?? body;
}

function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

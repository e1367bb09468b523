import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { PathTemplate } from "../../openapi/read/path-template.ts";
import { schemaOfValues } from "../../schema/inference/inferred-schema.ts";

/** A saved request, as far as others like it are validated by it. */
export interface SavedRequest {
  readonly method: string;
  /** With wildcards in place of values. */
  readonly path: PathTemplate;
  readonly query: readonly string[];
  readonly headers: readonly string[];
  readonly body: SavedBody | undefined;
  /** As Postman writes it, inherited or its own. */
  readonly auth: JsonObject | undefined;
}

/** A body with its type, and with its value where that is JSON or a form. */
export interface SavedBody {
  readonly type: string;
  readonly value?: Json;
}

/** Headers that clients and proxies add by themselves, or that another check is for. */
const OF_CLIENTS = new Set(
  "accept accept-encoding accept-language authorization cache-control connection content-length content-type cookie host origin postman-token referer user-agent".split(
    " ",
  ),
);
/** Types of authorisation by their scheme; all others are some value of the header. */
const HTTP_SCHEMES: Readonly<Record<string, string>> = {
  basic: "basic",
  digest: "digest",
  bearer: "bearer",
  jwt: "bearer",
  oauth2: "bearer",
};

/** The same for requests that differ in values alone. */
export function operationKey({ method, path }: Pick<SavedRequest, "method" | "path">): string {
  return `${method} ${path.shape}`;
}

/**
 * Saved requests as an OpenAPI document, so that the checks for those serve for collections, too: parameters, headers and
 * members that all requests to an operation have are required, with the types that they have.
 */
export function describeRequests(saved: readonly SavedRequest[]): {
  root: JsonObject;
  keys: ReadonlyMap<string, string>;
} {
  const groups = grouped(saved, operationKey);
  const paths: Record<string, JsonObject> = {};
  const securitySchemes: JsonObject = {};
  /** Keys of operations by method and path as they are in the document. */
  const keys = new Map<string, string>();
  for (const [key, requests] of groups) {
    const [{ method, path }] = requests as [SavedRequest, ...SavedRequest[]];
    const text = path.text.replaceAll("{{", "{").replaceAll("}}", "}");
    paths[text] ??= {};
    paths[text][method.toLowerCase()] = describeOperation(requests, securitySchemes);
    keys.set(`${method} ${text}`, key);
  }
  const info = { title: "", version: "" };
  return { root: { openapi: "3.1.0", info, paths, components: { securitySchemes } }, keys };
}

function describeOperation(requests: readonly SavedRequest[], securitySchemes: JsonObject): JsonObject {
  const parameters = [
    ...inAll(requests.map(({ query }) => query)).map((name): JsonObject => ({ in: "query", name })),
    ...inAll(requests.map(({ headers }) => headers.filter((name) => !OF_CLIENTS.has(name)))).map(
      (name): JsonObject => ({ in: "header", name }),
    ),
  ];
  const bodies = requests.flatMap(({ body }) => body ?? []);
  const schemes = requests.flatMap(({ auth }) => schemeOf(auth) ?? []);
  const described =
    schemes.length === requests.length ? schemes.map((scheme) => [JSON.stringify(scheme), scheme] as const) : [];
  for (const [name, scheme] of described) securitySchemes[name] = scheme;
  return {
    parameters: parameters.map((parameter) => ({ ...parameter, required: true, schema: {} })),
    ...(bodies.length > 0 && {
      requestBody: { required: bodies.length === requests.length, content: describeBodies(bodies) },
    }),
    security: [...new Set(described.map(([name]) => name))].map((name) => ({ [name]: [] })),
    responses: { default: { description: "" } },
  };
}

function describeBodies(bodies: readonly SavedBody[]): JsonObject {
  const types = grouped(bodies, ({ type }) => type);
  const content = [...types].map(([type, same]): [string, JsonObject] => {
    const values = same.flatMap(({ value }) => (value === undefined ? [] : [value]));
    return [type, values.length === same.length ? { schema: loosened(schemaOfValues(values, { isPlain: true })) } : {}];
  });
  return Object.fromEntries(content);
}

/** A whole number may be any other number, and null stands for a value that is not known. */
function loosened(schema: JsonObject): JsonObject {
  const { type, properties, items, ...rest } = schema;
  const types = [type ?? []].flat().map((one) => (one === "integer" ? "number" : one));
  return {
    ...rest,
    ...(types.length > 0 && !types.includes("null") && { type: [...new Set(types)] }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, loosened(inner as JsonObject)]),
      ),
    }),
    ...(isJsonObject(items) && { items: loosened(items) }),
  };
}

function grouped<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

function inAll(lists: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = lists;
  return [...new Set(first)].filter((name) => others.every((list) => list.includes(name)));
}

/** Undefined where no credentials are needed. */
function schemeOf(auth: JsonObject | undefined): JsonObject | undefined {
  const type = typeof auth?.type === "string" ? auth.type : "noauth";
  if (type === "noauth") return undefined;
  const scheme = Object.hasOwn(HTTP_SCHEMES, type) ? HTTP_SCHEMES[type] : undefined;
  if (scheme !== undefined) return { type: "http", scheme };
  if (type !== "apikey") return { type: "apiKey", in: "header", name: "Authorization" };
  const settings = settingsOf(auth?.apikey);
  const name = settings.get("key");
  return { type: "apiKey", in: settings.get("in") === "query" ? "query" : "header", name: name ?? "X-API-Key" };
}

/** A list of keys and values in version 2.1, an object in version 2.0. */
function settingsOf(list: Json | undefined): ReadonlyMap<string, string> {
  const entries = Array.isArray(list)
    ? list.filter(isJsonObject).map(({ key, value }) => [String(key), value] as const)
    : Object.entries(isJsonObject(list) ? list : {});
  return new Map(entries.flatMap(([key, value]) => (typeof value === "string" ? [[key, value] as const] : [])));
}

import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import { credentialParameters } from "./credentials.ts";
import { listIn, objectIn, textIn } from "./reading.ts";
import { resolve } from "./references.ts";

/** An OpenAPI document as the view shows it: operations in groups, and schemas. */
export interface Reference {
  /** The whole document, for references within it. */
  readonly root: JsonObject;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** In front of every path: that of the first server. */
  readonly basePath: string;
  readonly groups: readonly Group[];
  readonly schemas: readonly string[];
  /** Whether the server made the document from its data. */
  readonly isOwn: boolean;
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface Operation {
  /** Names it in addresses: its `operationId`, or method and path. */
  readonly key: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** The name of its group. */
  readonly group: string;
  readonly parameters: readonly Parameter[];
  /** The forms that a body may have; empty if it takes none. */
  readonly bodies: readonly Content[];
  readonly bodyDescription: string;
  readonly isBodyRequired: boolean;
  readonly responses: readonly DescribedResponse[];
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly schema: JsonObject;
  readonly style: string;
  readonly explode: boolean;
  readonly example: Json | undefined;
}

/** A body in one media type. */
export interface Content {
  readonly type: string;
  readonly schema: Json | undefined;
  readonly example: Json | undefined;
}

export interface DescribedResponse {
  /** A status, a range such as `4XX`, or `default`. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly Parameter[];
  readonly contents: readonly Content[];
}

const METHODS = ["get", "query", "post", "put", "patch", "delete", "head", "options", "trace"];
const PLACES: readonly ParameterPlace[] = ["path", "query", "header", "cookie"];

export function readReference(root: JsonObject): Reference {
  const info = objectIn(root.info);
  const operations = readOperations(root);
  return {
    root,
    title: textIn(info.title),
    version: textIn(info.version),
    description: textIn(info.description),
    basePath: pathOf(textIn(objectIn(listIn(root.servers)[0]).url)),
    groups: grouped(root, operations),
    schemas: Object.keys(objectIn(objectIn(root.components).schemas)),
    isOwn: operations.some(({ key }) => key === "standin_overview"),
  };
}

function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z+.-]*:\/\/[^/]*/i, "").replace(/\/+$/, "");
  return path === "" || path.startsWith("/") ? path : `/${path}`;
}

function readOperations(root: JsonObject): Operation[] {
  const operations: Operation[] = [];
  const keys = new Set<string>();
  for (const [path, given] of Object.entries(objectIn(root.paths))) {
    const item = resolve(root, given).value;
    for (const method of METHODS) {
      const operation = item[method];
      if (!isJsonObject(operation)) continue;
      const id = textIn(operation.operationId);
      const key = id === "" || keys.has(id) ? `${method.toUpperCase()} ${path}` : id;
      keys.add(key);
      operations.push(readOperation(root, { key, method, path, operation, shared: item.parameters }));
    }
  }
  return operations;
}

interface FoundOperation {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
  /** The parameters of all operations of the path. */
  readonly shared: Json | undefined;
}

function readOperation(root: JsonObject, { key, method, path, operation, shared }: FoundOperation): Operation {
  const body = resolve(root, operation.requestBody).value;
  const firstSegment = path.split("/").find((segment) => segment !== "" && !segment.startsWith("{"));
  return {
    key,
    method: method.toUpperCase(),
    path,
    summary: textIn(operation.summary),
    description: textIn(operation.description),
    isDeprecated: operation.deprecated === true,
    group: textIn(listIn(operation.tags)[0]) || (firstSegment ?? "API"),
    parameters: withCredentials(
      root,
      readParameters(root, [...listIn(shared), ...listIn(operation.parameters)], path),
      operation.security ?? root.security,
    ),
    bodies: readContents(root, body.content),
    bodyDescription: textIn(body.description),
    isBodyRequired: body.required === true,
    responses: Object.entries(objectIn(operation.responses))
      .map(([status, response]) => readResponse(root, status, response))
      .sort((a, b) => rank(a.status) - rank(b.status)),
  };
}

/** `default` comes last, and `4XX` behind the statuses that it covers. */
function rank(status: string): number {
  return status === "default" ? Number.POSITIVE_INFINITY : Number(status.replace(/x/gi, "9"));
}

/** Those of an operation override those of its path. Every placeholder of the path has one. */
function readParameters(root: JsonObject, given: readonly Json[], path: string): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const one of given) {
    const { value } = resolve(root, one);
    const place = PLACES.find((name) => name === value.in);
    const name = textIn(value.name);
    if (place && name !== "") found.set(`${place} ${name}`, readParameter(root, name, place, value));
  }
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
    if (name && !found.has(`path ${name}`)) found.set(`path ${name}`, readParameter(root, name, "path", {}));
  }
  return [...found.values()].sort((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place));
}

function withCredentials(root: JsonObject, parameters: readonly Parameter[], security: Json | undefined): Parameter[] {
  const all = [...parameters];
  for (const { name, place, ...about } of credentialParameters(root, security)) {
    const isThere = all.some((one) => one.place === place && one.name.toLowerCase() === name.toLowerCase());
    if (!isThere) all.push(readParameter(root, name, place, { ...about, schema: { type: "string" } }));
  }
  return all;
}

function readParameter(root: JsonObject, name: string, place: ParameterPlace, value: JsonObject): Parameter {
  const [content] = readContents(root, value.content);
  const schema = resolve(root, value.schema ?? content?.schema).value;
  const style = textIn(value.style) || (place === "query" || place === "cookie" ? "form" : "simple");
  const description = textIn(value.description) || textIn(schema.description);
  return {
    name: place === "query" ? inOneDialect(name, description) : name,
    place,
    description,
    isRequired: place === "path" || value.required === true,
    isDeprecated: value.deprecated === true,
    schema,
    style: content ? "content" : style,
    explode: typeof value.explode === "boolean" ? value.explode : style === "form",
    example: exampleIn(root, value) ?? content?.example,
  };
}

/** A filter as the views write it, `price:gte`, of those that the server describes as json-server writes them. */
function inOneDialect(name: string, description: string): string {
  const field = /^`([^`]+)` (?:is|matches)/.exec(description)?.[1];
  return field !== undefined && name.startsWith(`${field}_`) ? `${field}:${name.slice(field.length + 1)}` : name;
}

function readContents(root: JsonObject, given: Json | undefined): Content[] {
  return Object.entries(objectIn(given)).map(([type, value]) => {
    const content = objectIn(value);
    return { type, schema: content.schema, example: exampleIn(root, content) };
  });
}

/** The example, or the first of several. */
function exampleIn(root: JsonObject, value: JsonObject): Json | undefined {
  if (value.example !== undefined) return value.example;
  const [first] = Object.values(objectIn(value.examples));
  return first === undefined ? undefined : resolve(root, first).value.value;
}

function readResponse(root: JsonObject, status: string, given: Json): DescribedResponse {
  const { value } = resolve(root, given);
  return {
    status,
    description: textIn(value.description),
    headers: Object.entries(objectIn(value.headers)).map(([name, header]) =>
      readParameter(root, name, "header", resolve(root, header).value),
    ),
    contents: readContents(root, value.content),
  };
}

/** By their first tag: the declared tags in their order, then the others. */
function grouped(root: JsonObject, operations: readonly Operation[]): Group[] {
  const groups = new Map<string, Operation[]>();
  const descriptions = new Map<string, string>();
  for (const tag of listIn(root.tags)) {
    const { name, description } = objectIn(tag);
    if (textIn(name) === "") continue;
    groups.set(textIn(name), []);
    descriptions.set(textIn(name), textIn(description));
  }
  for (const operation of operations) {
    const known = groups.get(operation.group);
    if (known) known.push(operation);
    else groups.set(operation.group, [operation]);
  }
  return [...groups].flatMap(([name, members]) =>
    members.length === 0 ? [] : [{ name, description: descriptions.get(name) ?? "", operations: members }],
  );
}

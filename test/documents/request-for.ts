import { isJsonObject, type Json } from "../../src/base/json/json.ts";
import type { ApiDocument, MediaContent, Operation, Parameter } from "../../src/openapi/read/api-document.ts";
import type { Sampler } from "../../src/openapi/sample/sampler.ts";
import { isJson, writeBody } from "./write-body.ts";

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** The value that the body spells; undefined where there is none. */
  readonly value: Json | undefined;
}

export interface RequestOptions {
  /** Values of wildcards. The others are invented. */
  readonly known?: ReadonlyMap<string, string> | undefined;
  /** Whether to send the document's example of a body. */
  readonly takesExamples?: boolean;
  /** Changes the value of the body. */
  readonly edit?: ((value: Json) => Json) | undefined;
}

/** A request to an operation with everything that the document requires of it. */
export function requestFor(
  document: ApiDocument,
  operation: Operation,
  sampler: Sampler,
  { known = new Map(), takesExamples = true, edit = (value) => value }: RequestOptions = {},
): SentRequest {
  const headers: Record<string, string> = { Accept: "application/json, */*;q=0.5" };
  const query = new URLSearchParams();
  let path = operation.path.text;
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    if (parameter.in !== "path" && !parameter.isRequired) continue;
    const text = (parameter.in === "path" && known.get(parameter.name)) || textOf(parameter, sampler);
    if (parameter.in === "path") path = path.replaceAll(`{${parameter.name}}`, encodeURIComponent(text));
    else if (parameter.in === "query")
      for (const one of queryTexts(parameter, sampler)) query.append(parameter.name, one);
    else if (parameter.in === "header") headers[parameter.name] = text;
    else if (parameter.in === "cookie") cookies.push(`${parameter.name}=${encodeURIComponent(text)}`);
  }
  for (const { name, value, wildcard } of operation.query) if (wildcard === undefined) query.set(name, value);
  addCredentials(document, operation, { headers, query, cookies });
  if (cookies.length > 0) headers.Cookie = cookies.join("; ");
  path = path.replace(/\{([^{}]*)\}/g, (_, name: string) => encodeURIComponent(known.get(name) ?? "1"));
  const search = query.size > 0 ? `?${query}` : "";
  const content = sentContent(operation);
  if (!content)
    return { method: operation.method, path: `${path}${search}`, headers, body: undefined, value: undefined };
  const example = takesExamples ? content.examples[0]?.value : undefined;
  const made = example ?? (content.schema && sampler.sample(content.schema, { direction: "request" })) ?? {};
  const value = edit(made);
  const { type, body } = writeBody(document.references, content, value);
  headers["Content-Type"] = type;
  return { method: operation.method, path: `${path}${search}`, headers, body, value };
}

/** The content of a request: JSON where there is JSON. */
export function sentContent({ method, requestBody }: Operation): MediaContent | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  const contents = requestBody?.contents.filter(({ schema, examples }) => schema || examples.length > 0) ?? [];
  return contents.find(({ type }) => isJson(type)) ?? contents[0];
}

function textOf(parameter: Parameter, sampler: Sampler): string {
  return plain(madeFor(parameter, sampler));
}

function madeFor({ schema, name }: Parameter, sampler: Sampler): Json | undefined {
  return schema ? sampler.sample(schema, { direction: "request", seedText: name }) : "1";
}

/** A list is sent as several parameters of the name, unless the document says otherwise. */
function queryTexts(parameter: Parameter, sampler: Sampler): string[] {
  const value = madeFor(parameter, sampler);
  const isSeveral = Array.isArray(value) && parameter.style === "form" && parameter.explode;
  return isSeveral ? value.map(plain) : [plain(value)];
}

function plain(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(plain).join(",");
  if (isJsonObject(value)) return JSON.stringify(value);
  const text = String(value ?? "1");
  return text === "" ? "1" : text;
}

interface Credentials {
  readonly headers: Record<string, string>;
  readonly query: URLSearchParams;
  readonly cookies: string[];
}

function addCredentials(
  document: ApiDocument,
  { security }: Operation,
  { headers, query, cookies }: Credentials,
): void {
  for (const { scheme } of security[0] ?? []) {
    const found = document.securitySchemes.get(scheme);
    if (!found) continue;
    const name = String(found.name);
    if (found.type === "apiKey" && found.in === "header") {
      // Some documents write the scheme into the name: "authorization: bearer".
      headers[name.split(":")[0] ?? ""] = "some-key";
    } else if (found.type === "apiKey" && found.in === "query") query.set(name, "some-key");
    else if (found.type === "apiKey") cookies.push(`${name}=some-key`);
    else if (String(found.scheme).toLowerCase() === "basic") headers.Authorization = "Basic dXNlcjpwYXNz";
    else headers.Authorization = "Bearer some-token";
  }
}

import { isJsonObject, type Json } from "../../src/base/json/json.ts";
import type { ApiDocument, Operation, Parameter } from "../../src/openapi/read/api-document.ts";
import type { Sampler } from "../../src/openapi/sample/sampler.ts";

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** A request to an operation with everything that the document requires of it. `known` are values of wildcards. */
export function requestFor(
  document: ApiDocument,
  operation: Operation,
  sampler: Sampler,
  known: ReadonlyMap<string, string> = new Map(),
  takesExamples = true,
): SentRequest {
  const headers: Record<string, string> = { Accept: "application/json, */*;q=0.5" };
  const query = new URLSearchParams();
  let path = operation.path.text;
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    if (parameter.in !== "path" && !parameter.isRequired) continue;
    const text = (parameter.in === "path" && known.get(parameter.name)) || textOf(parameter, sampler);
    if (parameter.in === "path") path = path.replaceAll(`{${parameter.name}}`, encodeURIComponent(text));
    else if (parameter.in === "query") query.set(parameter.name, text);
    else if (parameter.in === "header") headers[parameter.name] = text;
    else if (parameter.in === "cookie") cookies.push(`${parameter.name}=${encodeURIComponent(text)}`);
  }
  addCredentials(document, operation, { headers, query, cookies });
  if (cookies.length > 0) headers.Cookie = cookies.join("; ");
  path = path.replace(/\{([^{}]*)\}/g, (_, name: string) => encodeURIComponent(known.get(name) ?? "1"));
  const search = query.size > 0 ? `?${query}` : "";
  const content = operation.requestBody?.contents.find(({ type }) => /[/+]json\b/.test(type));
  let body: string | undefined;
  if (content?.schema && operation.method !== "GET" && operation.method !== "HEAD") {
    headers["Content-Type"] = content.type.includes("*") ? "application/json" : content.type;
    const value =
      (takesExamples ? content.examples[0]?.value : undefined) ??
      sampler.sample(content.schema, { direction: "request" });
    body = JSON.stringify(value ?? {});
  }
  return { method: operation.method, path: `${path}${search}`, headers, body };
}

function textOf({ schema, name }: Parameter, sampler: Sampler): string {
  const value = schema ? sampler.sample(schema, { direction: "request", seedText: name }) : "1";
  return plain(value);
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
    if (found.type === "apiKey" && found.in === "header") headers[name] = "some-key";
    else if (found.type === "apiKey" && found.in === "query") query.set(name, "some-key");
    else if (found.type === "apiKey") cookies.push(`${name}=some-key`);
    else if (String(found.scheme).toLowerCase() === "basic") headers.Authorization = "Basic dXNlcjpwYXNz";
    else headers.Authorization = "Bearer some-token";
  }
}

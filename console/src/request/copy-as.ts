import { IS_IN_WORKER } from "../api/base.ts";
import { type Json, parseJson } from "../api/json.ts";
import type { ReadyRequest } from "./request-draft.ts";

const EVERY_LANGUAGE = ["curl", "JavaScript", "C#", "Python"] as const;
export type Language = (typeof EVERY_LANGUAGE)[number];
/** The languages of programs that reach the API. */
export const LANGUAGES: readonly Language[] = IS_IN_WORKER ? ["JavaScript"] : EVERY_LANGUAGE;

const WRITERS: Readonly<Record<Language, (request: ReadyRequest) => string>> = {
  curl: asCurl,
  JavaScript: asFetch,
  "C#": asCsharp,
  Python: asPython,
};

/** The request as code to paste: a shell command, a fetch, an HttpClient, a program without packages. */
export function copyAs(language: Language, request: ReadyRequest): string {
  return WRITERS[language](request);
}

function asCurl({ method, url, headers, body }: ReadyRequest): string {
  // Brackets and braces would be a pattern for several addresses.
  const address = url.replace(/[[\]{}]/g, (character) => encodeURIComponent(character));
  const parts = [`curl ${quoted(address)}`];
  if (method === "HEAD") parts[0] = `curl -I ${quoted(address)}`;
  else if (method !== "GET") parts[0] = `curl -X ${method} ${quoted(address)}`;
  for (const [name, value] of headers) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) parts.push(`--data-raw ${quoted(body)}`);
  return parts.join(" \\\n  ");
}

function asFetch({ method, url, headers, body }: ReadyRequest): string {
  const options: string[] = [];
  if (method !== "GET") options.push(`  method: ${JSON.stringify(method)},`);
  if (headers.length > 0) {
    const lines = headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
    options.push("  headers: {", ...lines, "  },");
  }
  if (body !== undefined) options.push(`  body: ${bodyExpression(body)},`);
  const second = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  const read =
    method === "HEAD" ? "console.log(response.status);" : "console.log(response.status, await response.text());";
  return `const response = await fetch(${JSON.stringify(url)}${second});\n${read}`;
}

/** JSON reads better as an object than as a text full of backslashes. */
function bodyExpression(body: string): string {
  try {
    return `JSON.stringify(${JSON.stringify(JSON.parse(body), null, 2).replaceAll("\n", "\n  ")})`;
  } catch {
    return JSON.stringify(body);
  }
}

const DOTNET_METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

function asCsharp({ method, url, headers, body }: ReadyRequest): string {
  const title = `${method[0]}${method.slice(1).toLowerCase()}`;
  const httpMethod = DOTNET_METHODS.has(method) ? `HttpMethod.${title}` : `new HttpMethod(${csharpText(method)})`;
  const lines = [
    "using var client = new HttpClient();",
    `using var request = new HttpRequestMessage(${httpMethod}, ${csharpText(url)});`,
  ];
  let contentType = "text/plain";
  for (const [name, value] of headers) {
    // .NET keeps the headers of the content apart.
    if (name.toLowerCase() === "content-type") contentType = value;
    else lines.push(`request.Headers.TryAddWithoutValidation(${csharpText(name)}, ${csharpText(value)});`);
  }
  if (body !== undefined) {
    const type = contentType.split(";")[0]?.trim() ?? contentType;
    lines.unshift("using System.Text;", "");
    lines.push(`request.Content = new StringContent(${csharpText(body)}, Encoding.UTF8, ${csharpText(type)});`);
  }
  lines.push(
    "",
    "using var response = await client.SendAsync(request);",
    "Console.WriteLine((int)response.StatusCode);",
    "Console.WriteLine(await response.Content.ReadAsStringAsync());",
  );
  return lines.join("\n");
}

function asPython({ method, url, headers, body }: ReadyRequest): string {
  const parts = [`    ${pythonValue(url, 4)},`];
  if (method !== "GET") parts.push(`    method=${pythonValue(method, 4)},`);
  if (headers.length > 0) parts.push(`    headers=${pythonValue(Object.fromEntries(headers), 4)},`);
  const json = body === undefined ? undefined : parseJson(body);
  if (json !== undefined) parts.push(`    data=json.dumps(${pythonValue(json, 4)}).encode(),`);
  else if (body !== undefined) parts.push(`    data=${pythonValue(body, 4)}.encode(),`);
  return [
    ...(json === undefined ? [] : ["import json"]),
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    ...parts,
    ")",
    "with urllib.request.urlopen(request) as response:",
    "    print(response.status, response.read().decode())",
  ].join("\n");
}

/** A JSON value as Python writes it, which knows all escapes of JSON texts. */
function pythonValue(value: Json, indent: number): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const lines = Array.isArray(value)
    ? value.map((element) => pythonValue(element, indent + 4))
    : Object.keys(value).map((key) => `${JSON.stringify(key)}: ${pythonValue(value[key] as Json, indent + 4)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (lines.length === 0) return `${open}${close}`;
  const space = " ".repeat(indent);
  return `${open}\n${lines.map((line) => `${space}    ${line},\n`).join("")}${space}${close}`;
}

/** In single quotes nothing means anything to a shell but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The escapes of JSON texts are all known to C#, which takes three more characters for the end of a line. */
function csharpText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

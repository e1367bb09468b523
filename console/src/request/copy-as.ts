import type { ReadyRequest } from "./request-draft.ts";

export const LANGUAGES = ["curl", "JavaScript", "C#"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The request as code to paste: a shell command, a fetch, an HttpClient. */
export function copyAs(language: Language, request: ReadyRequest): string {
  if (language === "curl") return asCurl(request);
  return language === "C#" ? asCsharp(request) : asFetch(request);
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

import {
  addressOf,
  type BookRequest,
  bodyInBraces,
  inBraces,
  introduction,
  isJsonBody,
  type RequestBook,
  secretsOf,
  sentHeaders,
  type Template,
} from "./request-book.ts";

/** Lines that mean something else in a body: the next request, a file to send, a script for the response. */
const SPECIAL_LINE = /^(###|<[\s@>]|>)/m;

/** Requests as an `.http` file, which VS Code (REST Client), Visual Studio and the JetBrains editors can send. */
export function httpFile(book: RequestBook): string {
  const head = [
    ...introduction(book).map((line) => oneLine(`# ${line}`)),
    "",
    oneLine(`@baseUrl = ${book.url}`),
    ...(book.isTrial ? ["@tx = rollback"] : []),
    ...secretsOf(book).map((name) => `@${name} =`),
  ];
  return [`${head.join("\n")}\n`, ...book.requests.map((request) => requestText(request, book))].join("\n");
}

function requestText(request: BookRequest, book: RequestBook): string {
  const text = request.body && (isJsonBody(request) ? bodyInBraces(request.body) : inBraces(request.body));
  const isSendable = text !== undefined && !SPECIAL_LINE.test(text);
  const remarks = [
    ...(request.remarks ?? []),
    ...(text !== undefined && !isSendable
      ? ["The body is left out: a line of it would begin something else here."]
      : []),
  ];
  const head = [
    `### ${request.name}`,
    `# @name ${request.id}`,
    ...remarks.map((remark) => `# ${remark}`),
    `${request.method} {{baseUrl}}${addressOf(request)}`,
    ...sentHeaders(request, book).map(([name, value]) => `${name}: ${headerInBraces(value)}`),
  ];
  return `${[...head.map(oneLine), ...(isSendable ? ["", text] : [])].join("\n")}\n`;
}

/** A header in which nothing but our variables looks like one: `{{$processEnv X}}` would send the reader's environment. */
function headerInBraces(template: Template): string {
  return inBraces(template.map((part) => (typeof part === "string" ? part.replace(/\{(?=\{)/g, "{ ") : part)));
}

/** A line of its own here would be a header, a file to send or another request. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

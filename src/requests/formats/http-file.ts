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
} from "../request-book.ts";

/** Lines that mean something else in a body: the next request, a file to send, a script for the response. */
const SPECIAL_LINE = /^(###|<[\s@>]|>)/m;

/** Requests as an `.http` file, which VS Code (REST Client), Visual Studio and the JetBrains editors can send. */
export function httpFile(book: RequestBook): string {
  const head = [
    ...introduction(book).map((line) => `# ${line}`),
    "",
    `@baseUrl = ${book.url}`,
    ...(book.isTrial ? ["@tx = rollback"] : []),
    ...secretsOf(book).map((name) => `@${name} =`),
  ];
  const requests = book.groups.flatMap((group) => group.requests).map((request) => requestText(request, book));
  return [`${head.join("\n")}\n`, ...requests].join("\n");
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
  const lines = [
    `### ${request.name}`,
    `# @name ${request.id}`,
    ...remarks.map((remark) => `# ${remark}`),
    `${request.method} {{baseUrl}}${addressOf(request)}`,
    ...sentHeaders(request, book).map(([name, value]) => `${name}: ${inBraces(value)}`),
    ...(isSendable ? ["", text] : []),
  ];
  return `${lines.join("\n")}\n`;
}

import { SANDBOX_HEADER } from "../../../features/sandboxes/feature.ts";
import {
  type BookRequest,
  introduction,
  type RequestBook,
  type RequestGroup,
  sentHeaders,
  type Template,
} from "../request-book.ts";
import { withoutSandbox } from "../without-sandbox.ts";

/** Requests as a script for k6: a group for each collection, each response checked for its status. */
export function k6Script(book: RequestBook): string {
  const isApart = book.hasSandboxes && book.groups.some(hasWrites);
  const [first] = introduction(book);
  return [
    `// ${first}`,
    "// k6 run -e BASE_URL=http://localhost:3000 -e VUS=10 -e DURATION=30s requests.js",
    'import { check, group } from "k6";',
    'import http from "k6/http";',
    "",
    `const BASE_URL = (__ENV.BASE_URL || ${quoted(book.url)}).replace(/[/]+$/, "");`,
    `const HEADERS = ${headersOf(book.headers)};`,
    "",
    "export const options = {",
    "  scenarios: {",
    '    requests: { executor: "constant-vus", vus: Number(__ENV.VUS || 2), duration: __ENV.DURATION || "10s" },',
    "  },",
    "  thresholds: {",
    '    checks: ["rate==1"],',
    '    http_req_failed: ["rate<0.01"],',
    '    http_req_duration: ["p(95)<500"],',
    "  },",
    "};",
    "",
    "function send(name, method, path, status, body = null, headers = {}) {",
    "  const response = http.request(method, BASE_URL + path, body, {",
    "    headers: Object.assign({}, HEADERS, headers),",
    "    tags: { name },",
    "    responseCallback: http.expectedStatuses(status),",
    "  });",
    '  check(response, { [name + ": " + status]: (given) => given.status === status });',
    "}",
    "",
    ...(isApart ? SANDBOX : []),
    "export default function () {",
    ...groupsOf(book).flatMap((one) => groupLines(one, book, isApart)),
    ...(isApart ? ["  dropSandbox();"] : []),
    "}",
    "",
  ].join("\n");
}

const SANDBOX = [
  "// Each virtual user writes to a sandbox, a private copy of the data: the shared data stays as it is.",
  'const sandbox = () => "k6-" + __VU;',
  "",
  "function write(name, method, path, status, body = null, headers = {}) {",
  `  send(name, method, path, status, body, Object.assign({ "${SANDBOX_HEADER}": sandbox() }, headers));`,
  "}",
  "",
  "// The next write creates it again, from the shared data as it is then.",
  "function dropSandbox() {",
  '  http.del(BASE_URL + "/__sandboxes/" + sandbox(), null, {',
  "    headers: HEADERS,",
  '    tags: { name: "Drop the sandbox" },',
  "    responseCallback: http.expectedStatuses(200, 404),",
  "  });",
  "}",
  "",
];

function groupLines(one: RequestGroup, book: RequestBook, isApart: boolean): string[] {
  return [
    // k6 joins the names of nested groups with two colons, and refuses them in a name.
    `  group(${quoted(one.name.replaceAll("::", ":"))}, () => {`,
    ...(isApart && hasWrites(one) ? ["    dropSandbox();"] : []),
    ...one.requests.flatMap((request) => requestLines(request, book, isApart)).map((line) => `    ${line}`),
    "  });",
  ];
}

/** Requests that a server has seen build on each other, so they keep their order. */
function groupsOf({ groups, isTrial, title }: RequestBook): readonly RequestGroup[] {
  if (isTrial) return groups;
  const requests = groups.flatMap((one) => one.requests);
  return [{ name: title, requests: requests.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0)) }];
}

function hasWrites({ requests }: RequestGroup): boolean {
  return requests.some(({ isWrite }) => isWrite);
}

function requestLines(request: BookRequest, book: RequestBook, isApart: boolean): string[] {
  const { name, method, status, body, isWrite, remarks = [] } = request;
  // Requests that were seen may read what others have written.
  const isSandboxed = isApart && (isWrite || !book.isTrial);
  const outsideHeaders = request.headers.filter(([header]) => header.toLowerCase() !== SANDBOX_HEADER.toLowerCase());
  // In a sandbox, writes are carried out.
  const headers = isSandboxed ? outsideHeaders : sentHeaders(request, { ...book, headers: [] });
  const given = [quoted(name), quoted(method), expression(addressTemplate(request)), String(status)];
  if (body || headers.length > 0) given.push(body ? expression(body) : "null");
  if (headers.length > 0) given.push(headersOf(headers));
  // A deleted record must be there again for the next iteration.
  const isFirst = isSandboxed && book.isTrial && method === "DELETE";
  return [
    ...remarks.map((remark) => `// ${remark}`),
    ...(isFirst ? ["dropSandbox();"] : []),
    `${isSandboxed ? "write" : "send"}(${given.join(", ")});`,
  ];
}

function addressTemplate({ path, query }: BookRequest): Template {
  return [withoutSandbox(path), ...query.flatMap(([name, value], at) => [`${at === 0 ? "?" : "&"}${name}=`, ...value])];
}

function headersOf(headers: BookRequest["headers"]): string {
  if (headers.length === 0) return "{}";
  return `{ ${headers.map(([name, value]) => `${quoted(name)}: ${expression(value)}`).join(", ")} }`;
}

/** A text, with values from the environment of k6 in place of variables. */
function expression(template: Template): string {
  const parts: string[] = [];
  let text = "";
  for (const part of template) {
    if (typeof part === "string") text += part;
    else {
      if (text !== "") parts.push(quoted(text));
      parts.push(environmentValue(part.variable));
      text = "";
    }
  }
  if (text !== "" || parts.length === 0) parts.push(quoted(text));
  return parts.join(" + ");
}

/** `k6 run -e X_API_KEY=...`; without an environment, writes are rolled back. */
function environmentValue(variable: string): string {
  const name = variable.replace(/([a-z\d])([A-Z])/g, "$1_$2").toUpperCase();
  return `(__ENV.${name} || ${variable === "tx" ? '"rollback"' : '""'})`;
}

/** A JSON text is one of JavaScript, too. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

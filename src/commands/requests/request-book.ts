const MAX_ID = 100;
/** Characters that are plain in a query, and easier to read. */
const READABLE: Readonly<Record<string, string>> = { "%3A": ":", "%2C": ",", "%2F": "/", "%40": "@", "%24": "$" };

/** A text with variables in it. */
export type Template = readonly (string | Variable)[];

/** A value that the person fills in: a secret, or a setting of the whole file. */
interface Variable {
  readonly variable: string;
}

/** One request, as any client could send it. */
export interface BookRequest {
  /** Unlike any other in the book, and an identifier in any language: `listProduct`. */
  readonly id: string;
  /** For people: `List products`. */
  readonly name: string;
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly path: string;
  /** Names and values, percent-encoded. */
  readonly query: readonly (readonly [name: string, value: Template])[];
  readonly headers: readonly (readonly [name: string, value: Template])[];
  readonly body?: Template | undefined;
  /** Whether it changes data. */
  readonly isWrite: boolean;
  /** A remark to read before sending it. */
  readonly remarks?: readonly string[] | undefined;
}

/** All requests of one file. */
export interface RequestBook {
  readonly title: string;
  /** Where the server is: scheme, host and port. */
  readonly url: string;
  readonly requests: readonly BookRequest[];
  /** Headers of every request, such as those with credentials. */
  readonly headers: readonly (readonly [name: string, value: Template])[];
  /** Whether writes are to leave the data as it is; those that a server has seen are repeated as they were. */
  readonly isTrial: boolean;
}

/** The first line of the file, by which a later run recognises it as its own. */
export const BOOK_MARK = "made by: standin requests";

const TX: Variable = { variable: "tx" };

/** The names of the secrets that the requests need, in the order in which they occur. */
export function secretsOf({ requests, headers }: RequestBook): string[] {
  const templates = [
    ...headers.map(([, value]) => value),
    ...requests.flatMap((request) => [
      ...request.query.map(([, value]) => value),
      ...request.headers.map(([, value]) => value),
      request.body ?? [],
    ]),
  ];
  const names = templates.flat().flatMap((part) => (typeof part === "string" ? [] : [part.variable]));
  return [...new Set(names)].filter((name) => name !== TX.variable);
}

/** The headers as they are sent: those of all requests, its own, and for a trial write one that has it rolled back. */
export function sentHeaders(request: BookRequest, { headers, isTrial }: RequestBook): BookRequest["headers"] {
  return [...headers, ...request.headers, ...(isTrial && request.isWrite ? ([["Prefer", ["tx=", TX]]] as const) : [])];
}

/** The address behind the host, with variables as `{{name}}`. */
export function addressOf({ path, query }: Pick<BookRequest, "path" | "query">): string {
  const search = query.map(([name, value]) => `${name}=${inBraces(value)}`).join("&");
  return search === "" ? path : `${path}?${search}`;
}

/** Variables as `{{name}}`, the way of .http files. */
export function inBraces(template: Template): string {
  return template.map((part) => (typeof part === "string" ? part : `{{${part.variable}}}`)).join("");
}

/** A body in which nothing but variables looks like one. */
export function bodyInBraces(template: Template): string {
  return template
    .map((part) => (typeof part === "string" ? part.replaceAll("{{", "{\\u007b") : `{{${part.variable}}}`))
    .join("");
}

/** Whether a body is JSON, in which braces can be escaped. */
export function isJsonBody({ body }: Pick<BookRequest, "body">): boolean {
  return /^\s*[{["\d]/.test(body?.map((part) => (typeof part === "string" ? part : '""')).join("") ?? "");
}

export function introduction({ title, isTrial }: RequestBook): string[] {
  const first = `Requests for ${title}, ${BOOK_MARK}`;
  if (!isTrial) return [first];
  return [first, "Writes are rolled back, so that the data stays as it is. Set tx to commit to keep them."];
}

/** Gives every request an id of its own, which is an identifier, and a name that fits on a line. */
export function uniqueIds(requests: readonly BookRequest[]): BookRequest[] {
  const taken = new Set<string>();
  const free = (wanted: string): string => {
    const plain = wanted
      .replace(/[^A-Za-z\d_]+/g, "_")
      .replace(/^(?=\d|$)/, "request_")
      .slice(0, MAX_ID);
    let id = plain;
    for (let count = 2; taken.has(id); count++) id = `${plain}_${count}`;
    taken.add(id);
    return id;
  };
  return requests.map((request) => ({ ...request, id: free(request.id), name: oneLine(request.name) }));
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** A name or value of a query. Braces are encoded, so that tools see no variables in them. */
export function encodeQuery(text: string): string {
  return encode(text).replace(/%(?:3A|2C|2F|40|24)/g, (code) => READABLE[code] ?? code);
}

/** A path of segments, each of which may hold any character. */
export function encodePath(...segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${encode(String(segment))}`).join("");
}

/** Half of a surrogate pair has no form in UTF-8. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

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

/** The file of a collection that has the mark. */
export const BRUNO_MARKED = "collection.bru";
/** Methods that have a block of their own name. */
const METHODS = new Set(["get", "post", "put", "patch", "delete", "head", "options", "trace", "connect"]);
const MAX_FOLDER = 60;
/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Requests as a Bruno collection: the text of each file by its path, a folder for each group. */
export function brunoFiles(book: RequestBook): Map<string, string> {
  const settings = { version: "1", name: book.title, type: "collection", ignore: ["node_modules", ".git"] };
  const files = new Map([
    ["bruno.json", `${JSON.stringify(settings, null, 2)}\n`],
    [BRUNO_MARKED, textBlock("docs", introduction(book).join("\n"))],
    ["environments/local.bru", environment(book)],
  ]);
  const taken = new Set(["environments"]);
  for (const [position, { name, requests }] of book.groups.entries()) {
    const folder = folderName(name, taken);
    files.set(`${folder}/folder.bru`, block("meta", [`name: ${oneLine(name)}`, `seq: ${position + 1}`]));
    for (const [at, request] of requests.entries())
      files.set(`${folder}/${request.id}.bru`, fileOf(request, at + 1, book));
  }
  return files;
}

function environment(book: RequestBook): string {
  const variables = [`baseUrl: ${book.url}`, ...(book.isTrial ? ["tx: rollback"] : [])];
  const secrets = secretsOf(book);
  const list = secrets.length === 0 ? "" : `vars:secret [\n${secrets.map((name) => `  ${name}`).join(",\n")}\n]\n`;
  return `${block("vars", variables)}${list}`;
}

function fileOf(request: BookRequest, position: number, book: RequestBook): string {
  const { name, method, query, body, remarks = [] } = request;
  const lower = method.toLowerCase();
  const kind = body ? (isJsonBody(request) ? "json" : "text") : "none";
  const isNamed = METHODS.has(lower);
  const text = body && (kind === "json" ? bodyInBraces(body) : inBraces(body));
  return [
    block("meta", [`name: ${name}`, "type: http", `seq: ${position}`]),
    block(isNamed ? lower : "http", [
      ...(isNamed ? [] : [`method: ${method}`]),
      `url: {{baseUrl}}${addressOf(request)}`,
      `body: ${kind}`,
      "auth: none",
    ]),
    pairs("params:query", query),
    pairs("headers", sentHeaders(request, book)),
    text === undefined ? "" : textBlock(`body:${kind}`, text),
    // The address is encoded already.
    block("settings", ["encodeUrl: false"]),
    remarks.length === 0 ? "" : textBlock("docs", remarks.join("\n")),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function pairs(title: string, list: BookRequest["headers"]): string {
  return list.length === 0
    ? ""
    : block(
        title,
        list.map(([name, value]) => `${quoted(name)}: ${inBraces(value)}`.trimEnd()),
      );
}

/** A key with one of these characters is in quotes. */
function quoted(key: string): string {
  return /[:"{} ]/.test(key) ? `"${key.replaceAll('"', '\\"')}"` : key;
}

function block(title: string, lines: readonly string[]): string {
  return `${title} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}\n`;
}

/** Lines are indented, so that none of them ends the block. */
function textBlock(title: string, text: string): string {
  return block(title, text.split("\n"));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A name that a folder can have on every system, unlike any other of them. */
function folderName(name: string, taken: Set<string>): string {
  const plain = name
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_FOLDER);
  const base = plain === "" || DEVICE.test(plain) ? `collection-${plain}`.replace(/-$/, "") : plain;
  let folder = base;
  for (let count = 2; taken.has(folder.toLowerCase()); count++) folder = `${base}-${count}`;
  taken.add(folder.toLowerCase());
  return folder;
}

import { readFileSync, statSync } from "node:fs";
import { isJsonObject, parseJson } from "../../base/json/json.ts";
import { isYamlDocument } from "../../base/yaml-document.ts";
import { headOfFile } from "../file/file-content.ts";
import { forgetAhead, loadAhead } from "./load-url.ts";

/** Data files may be huge: as much as this is enough to tell what they are. */
const PEEKED_BYTES = 64 * 1024;
const FIRST_KEY = /^\uFEFF?\s*\{\s*"((?:[^"\\]|\\.)*)"/s;
/** Keys of documents at the beginning of a line, or of one that is written like JSON. */
const OF_YAML_DOCUMENT =
  /^(["']?)(?:openapi|swagger|paths)\1[ \t]*:|^\uFEFF?\s*\{[\s\S]*?["']?(?:openapi|swagger)["']?\s*:/m;
const YAML_KEYS = /^(["']?)([\w-]+)\1[ \t]*:/gm;
const YAML_VERSION = /^(["']?)(?:openapi|swagger)\1[ \t]*:/m;
const NAMES_VERSION = /"(?:openapi|swagger)"/;
const VERSION = /^(2|3)(\.\d+)*$/;
/** Keys of a document that may stand in front of its version. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  "components",
  "definitions",
  "externalDocs",
  "host",
  "basePath",
  "info",
  "jsonSchemaDialect",
  "consumes",
  "parameters",
  "paths",
  "produces",
  "responses",
  "schemes",
  "security",
  "securityDefinitions",
  "servers",
  "tags",
  "webhooks",
]);
/** No document is larger, and data that begins like one should not be read for nothing. */
const MAX_DOCUMENT_BYTES = 32 * 2 ** 20;

/** Whether a source is an OpenAPI document: a YAML file or address, or a file with a version under `openapi` or `swagger`. */
export function isApiDocument(source: string): boolean {
  if (/^https?:\/\/[^?#]+\.ya?ml([?#]|$)/i.test(source)) return true;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source)) return false;
  if (/\.ya?ml$/i.test(source)) return isYamlDocumentFile(source);
  return /\.json$/i.test(source) && isDocumentText(source);
}

/** Whether there is an OpenAPI document in JSON at an address. Data is not loaded again to be served. */
export async function isDocumentAt(address: string): Promise<boolean> {
  if (!/^https?:\/\/[^?#]+\.json([?#]|$)/i.test(address)) return false;
  try {
    const text = await loadAhead(address);
    const isDocument = isDocumentHead(text.slice(0, PEEKED_BYTES)) ?? hasVersion(text);
    if (isDocument) forgetAhead(address);
    return isDocument;
  } catch {
    // Text that cannot be loaded is a matter of the data.
    return false;
  }
}

/** A file that cannot be read is a matter of the document: most YAML files are. */
function isYamlDocumentFile(file: string): boolean {
  const head = headOfFile(file, PEEKED_BYTES);
  if (head === undefined || OF_YAML_DOCUMENT.test(head)) return true;
  // Every JSON text is YAML as well, and may name its version far behind.
  if (FIRST_KEY.test(head)) return isDocumentHead(head) ?? isDocumentFile(file);
  const keys = [...head.matchAll(YAML_KEYS)].map(([, , key = ""]) => key);
  const { size } = statSync(file);
  // Its keys may be sorted, and `components` be long.
  const isOpen = size > PEEKED_BYTES && size <= MAX_DOCUMENT_BYTES && keys.length > 0 && keys.every(isOfDocuments);
  return isOpen && YAML_VERSION.test(readFileSync(file, "utf8"));
}

/** Reads no more than the beginning, unless everything there could be that of a document. */
function isDocumentText(file: string): boolean {
  // A missing file is a matter of the data.
  const head = headOfFile(file, PEEKED_BYTES);
  if (head === undefined) return false;
  return isDocumentHead(head) ?? isDocumentFile(file);
}

/** Undefined where only the whole text can tell. */
function isDocumentHead(head: string): boolean | undefined {
  const first = FIRST_KEY.exec(head);
  if (!first) return isYamlDocument(head);
  const isWhole = head.length < PEEKED_BYTES;
  // Every start with data comes here, and reading all keys takes milliseconds.
  if (!NAMES_VERSION.test(head) && (isWhole || !isOfDocuments(first[1]!))) return false;
  const keys = topKeys(head);
  const version = keys.get("openapi") ?? keys.get("swagger");
  if (version !== undefined) return VERSION.test(version) && (!isWhole || keys.has("paths") || keys.has("webhooks"));
  if (isWhole || keys.size === 0 || [...keys.keys()].some((key) => !isOfDocuments(key))) return false;
  return undefined;
}

function isOfDocuments(key: string): boolean {
  return OF_DOCUMENTS.has(key) || key.startsWith("x-");
}

function isDocumentFile(file: string): boolean {
  try {
    return statSync(file).size <= MAX_DOCUMENT_BYTES && hasVersion(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

/** Throws for a text that is not JSON. */
function hasVersion(text: string): boolean {
  const root = parseJson(text);
  if (!isJsonObject(root)) return false;
  const { openapi, swagger, paths, webhooks } = root;
  return VERSION.test(String(openapi ?? swagger ?? "")) && (isJsonObject(paths) || isJsonObject(webhooks));
}

/** The keys at the top of a JSON object, each with its value where that is a text; of a text that may end anywhere. */
function topKeys(text: string): Map<string, string> {
  const keys = new Map<string, string>();
  let depth = 0;
  let key: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && token === ",") key = undefined;
    else if (depth === 1 && token.startsWith('"')) {
      if (key !== undefined) keys.set(key, token.slice(1, -1));
      else {
        key = token.slice(1, -1);
        keys.set(key, "");
      }
    }
  }
  return keys;
}

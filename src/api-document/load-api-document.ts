import { isJsonObject, type JsonObject } from "../json.ts";
import type { ApiDocument } from "./api-document.ts";
import { type Document, mistake, readDocument } from "./document.ts";
import { readOperations } from "./operations.ts";
import { References } from "./references.ts";
import { readBasePaths } from "./servers.ts";

/** Reads an OpenAPI document from a file. A `StartError` says what is wrong, and where. */
export async function loadApiDocument(file: string): Promise<ApiDocument> {
  return readApiDocument(await readDocument(file));
}

/** The same for a document that is parsed already. */
export async function readApiDocument(document: Document): Promise<ApiDocument> {
  const { file, root } = document;
  refuseOtherVersions(document);
  const references = new References(document);
  const info = isJsonObject(root.info) ? root.info : {};
  return {
    file,
    version: /^3\.\d+/.exec(String(root.openapi))?.[0] ?? "3.0",
    title: typeof info.title === "string" ? info.title : "",
    basePaths: readBasePaths(root),
    operations: readOperations(document, references),
    securitySchemes: readSecuritySchemes(root, references),
    references,
    root,
    notes: [],
  };
}

function refuseOtherVersions(document: Document): void {
  const { root } = document;
  if (root.swagger !== undefined) {
    throw mistake(
      document,
      "#/swagger",
      `this is Swagger ${JSON.stringify(root.swagger)}; OpenAPI 3 is wanted. Convert it first, for example with npx swagger2openapi.`,
    );
  }
  if (!/^3(\.\d|$)/.test(String(root.openapi))) {
    throw mistake(document, "#/openapi", `is ${JSON.stringify(root.openapi)}; versions 3.0 and 3.1 can be served.`);
  }
}

function readSecuritySchemes({ components }: JsonObject, references: References): ReadonlyMap<string, JsonObject> {
  const schemes = new Map<string, JsonObject>();
  if (!isJsonObject(components)) return schemes;
  const place = "#/components/securitySchemes";
  for (const [name, { value }] of references.members({ value: components.securitySchemes, place })) {
    if (isJsonObject(value)) schemes.set(name, value);
  }
  return schemes;
}

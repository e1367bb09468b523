import { StartError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { valueAtPointer } from "../../schema/pointer.ts";
import { References } from "../../schema/references.ts";
import type { ApiDocument, Operation } from "./api-document.ts";
import { type Document, mistake } from "./document.ts";
import { followReferences, isSharedSchema, type LoadedFiles } from "./files/follow-references.ts";
import { locate, sourceOf } from "./files/location.ts";
import { readDocument } from "./files/read-document.ts";
import { isAddress } from "./files/read-text.ts";
import { readOperations } from "./operations.ts";
import { readBasePaths } from "./servers.ts";

/** Stands for schemas that the document refers to and lacks: any value is one. */
const NO_SCHEMA = "missing schema";
/** Operations or files that a note names before it only counts them. */
const MAX_NAMED = 5;

/** Reads an OpenAPI document from a file or an address. A `StartError` says what is wrong, and where. */
export async function loadApiDocument(file: string, allowsOutside = false): Promise<ApiDocument> {
  return readApiDocument(await readDocument(file, allowsOutside));
}

/** The same for a document that is parsed already. */
export async function readApiDocument(given: Document): Promise<ApiDocument> {
  refuseOtherVersions(given);
  const loaded = await followReferences(given);
  return assembled(given.root.swagger === undefined ? given : await converted(given, loaded), loaded);
}

/** The same at once, for a document of OpenAPI 3 that refers to no other file. */
export function readLoneDocument(document: Document): ApiDocument {
  return assembled(document, {
    files: new Map([["", document.root]]),
    origins: new WeakMap(),
    outside: [],
    places: [],
    missing: new Set(),
  });
}

function assembled(document: Document, loaded: LoadedFiles): ApiDocument {
  const { file, root } = document;
  const references = referencesOf(document, loaded);
  references.refuseLoops(loaded.places);
  const info = isJsonObject(root.info) ? root.info : {};
  const operations = readOperations(document, references);
  return {
    file,
    otherFiles: otherFiles(file, loaded),
    version: /^3\.\d+/.exec(String(root.openapi))?.[0] ?? "3.0",
    title: typeof info.title === "string" ? info.title : "",
    basePaths: readBasePaths(root),
    operations,
    securitySchemes: readSecuritySchemes(root, references),
    references,
    root,
    notes: [...notesAbout(operations), ...notesAboutFiles(loaded)],
  };
}

function referencesOf(document: Document, { files, origins }: LoadedFiles): References {
  return new References({
    files: new Map<string, Json>([...files, ["", document.root], [NO_SCHEMA, {}]]),
    locate: (from, reference) => {
      const location = locate(document.file, from, reference);
      const isMissing = isSharedSchema(location) && valueAtPointer(document.root, location.pointer) === undefined;
      return isMissing ? { file: NO_SCHEMA, pointer: [] } : location;
    },
    origins: files.size > 1 ? origins : undefined,
    fail: (place, problem) => mistake(document, place, problem),
  });
}

function otherFiles(document: string, { files }: LoadedFiles): string[] {
  const names = [...files.keys()].filter((name) => name !== "" && !isAddress(name));
  return names.map((name) => sourceOf(document, name));
}

async function converted(document: Document, loaded: LoadedFiles): Promise<Document> {
  const { convertSwagger } = await import("./swagger/convert-swagger.ts");
  return convertSwagger(document, referencesOf(document, loaded), loaded.files.values());
}

function refuseOtherVersions(document: Document): void {
  const { swagger, openapi } = document.root;
  if (swagger !== undefined && !/^2(\.|$)/.test(String(swagger))) {
    throw mistake(document, "#/swagger", `is ${JSON.stringify(swagger)}; version 2.0 can be served.`);
  }
  if (swagger === undefined && openapi === undefined) {
    throw new StartError(
      `${document.file} is neither an OpenAPI document nor data: it has no "openapi" and no "swagger".`,
    );
  }
  if (swagger === undefined && !/^3(\.\d|$)/.test(String(openapi))) {
    throw mistake(
      document,
      "#/openapi",
      `is ${JSON.stringify(openapi)}; versions 3.0, 3.1 and 3.2 and Swagger 2.0 can be served.`,
    );
  }
}

function notesAbout(operations: readonly Operation[]): string[] {
  const silent = operations.filter(({ responses }) => responses.length === 0);
  if (silent.length === 0) return [];
  const names = silent.map(({ method, path }) => `${method} ${path.text}`);
  return [`no response in the document, so 204 without a body: ${firstOf(names)}`];
}

function notesAboutFiles({ files, outside, missing }: LoadedFiles): string[] {
  const read = [...files.keys()].filter((name) => name !== "");
  return [
    ...(read.length > 0 ? [`also read: ${firstOf(read)}`] : []),
    ...(missing.size > 0 ? [`no such schema in the document, so any value fits: ${firstOf([...missing])}`] : []),
    ...(outside.length > 0
      ? [
          `not read, because --allow-outside-refs is not set: ${firstOf(outside)} (outside the document's folder, or on a private host)`,
        ]
      : []),
  ];
}

function firstOf(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return `${names.slice(0, MAX_NAMED).join(", ")}${more}`;
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

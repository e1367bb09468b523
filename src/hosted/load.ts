import { type Document, mistake, readDocument } from "../api-document/document.ts";
import { StartError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import type { Example } from "./example.ts";
import { BUILT_IN } from "./sources/built-in.ts";
import { readOwnFormat } from "./sources/own-format.ts";

export interface Loaded {
  readonly examples: readonly Example[];
  /** The kind of their source, in words. */
  readonly kind: string;
  /** Things that a person may want to know: what was left out, and why. */
  readonly notes: readonly string[];
}

export interface LoadOptions {
  /** The same seed gives the same bodies where they are made from a schema. */
  readonly seed: number;
}

/** Reads examples of any kind; without a file, the built-in ones. A `StartError` says what is wrong, and where. */
export async function loadExamples(file: string | undefined, options: LoadOptions): Promise<Loaded> {
  if (file === undefined) {
    const document = { file: "built-in", root: BUILT_IN };
    return { examples: readOwnFormat(document), kind: "built-in examples", notes: [] };
  }
  const document = unwrapped(await readDocument(file));
  refuseOtherKinds(document);
  const { root } = document;
  if (root.openapi !== undefined || root.swagger !== undefined) {
    const [{ readApiDocument }, { readOpenApi }] = await Promise.all([
      import("../api-document/load-api-document.ts"),
      import("./sources/openapi.ts"),
    ]);
    return { kind: "OpenAPI document", ...readOpenApi(await readApiDocument(document), options.seed) };
  }
  if (isJsonObject(root.info) && Array.isArray(root.item)) {
    const { readCollection } = await import("./sources/postman.ts");
    return { kind: "Postman collection", ...readCollection(document) };
  }
  if (root.examples !== undefined) return { examples: readOwnFormat(document), kind: "examples file", notes: [] };
  throw new StartError(
    `${file} is neither a Postman collection v2.1 (info, item), nor an OpenAPI 3 document (openapi, paths), nor a list of ` +
      "examples (examples). To make one of the first two from a data file: standin hosted export --from <data file>.",
  );
}

/** Postman's API hands a collection out in an object of its own. */
function unwrapped(document: Document): Document {
  const { collection } = document.root;
  return isJsonObject(collection) && isJsonObject(collection.info) ? { ...document, root: collection } : document;
}

/** Refuses documents of similar kinds, and says what to do. */
function refuseOtherKinds(document: Document): void {
  const { root } = document;
  if (Array.isArray(root.requests) && root.item === undefined) {
    throw mistake(document, "#/requests", "this is a Postman collection of version 1. Export it from Postman as v2.1.");
  }
  const schema = isJsonObject(root.info) ? root.info.schema : undefined;
  if (typeof schema === "string" && /collection\/v(?!2\.1)/.test(schema)) {
    throw mistake(document, "#/info/schema", `is ${schema}. Export the collection from Postman as v2.1.`);
  }
  if (root._postman_variable_scope !== undefined) {
    throw mistake(document, "#/_postman_variable_scope", "this is a Postman environment, not a collection.");
  }
}

import { StartError } from "../base/errors.ts";
import { isJsonObject } from "../base/json/json.ts";
import { type Document, mistake } from "../openapi/read/document.ts";
import { readDocument } from "../openapi/read/files/read-document.ts";
import type { Example, ExampleResponse, Unanswered } from "./example.ts";
import { BUILT_IN } from "./sources/built-in.ts";
import { readOwnFormat } from "./sources/own-format.ts";
import { isEnvironment, readEnvironment } from "./sources/postman-variables.ts";
import type { ValidationOptions } from "./validation.ts";

const COLLECTION = "Postman collection";
const OPEN_API = "OpenAPI document";

export interface LoadedExamples {
  readonly examples: readonly Example[];
  /** The kind of their source, in words. */
  readonly kind: string;
  /** Things that a person may want to know: what was left out, and why. */
  readonly notes: readonly string[];
  /** The paths of further files that were read. */
  readonly otherFiles?: readonly string[];
  /** Requests that the source has no response for. */
  readonly unanswered?: readonly Unanswered[];
}

export interface LoadOptions {
  /** The same seed gives the same bodies and dynamic values where they are made. */
  readonly seed: number;
  /** A Postman environment, whose values win over those of a collection. */
  readonly environment?: string | undefined;
  /** The environment is there for other files as well, so that it need not fit this one. */
  readonly isShared?: boolean;
  /** How requests are validated; undefined where they are not. */
  readonly validation?: ValidationOptions | undefined;
  /** Whether an OpenAPI document may refer to files outside its folder. */
  readonly allowOutsideRefs?: boolean;
}

/** A document that is none of the kinds that can be served. */
export class NoExamples extends StartError {
  /** The same for a list of files. */
  readonly why: string;

  constructor(message: string, why: string) {
    super(message);
    this.why = why;
  }
}

/** Reads examples of any kind; without a file, the built-in ones. A `StartError` says what is wrong, and where. */
export async function loadExamples(file: string | undefined, options: LoadOptions): Promise<LoadedExamples> {
  if (file === undefined) {
    const document = { file: "built-in", root: BUILT_IN };
    return { examples: readOwnFormat(document), kind: "built-in examples", notes: [] };
  }
  const loaded = await understand(unwrapped(await readDocument(file, options.allowOutsideRefs)), options);
  if (options.environment !== undefined && !options.isShared && loaded.kind !== COLLECTION) {
    throw new StartError(`--environment is for Postman collections, and ${file} is an ${loaded.kind}.`);
  }
  if (options.validation && !options.isShared && ![OPEN_API, COLLECTION].includes(loaded.kind)) {
    const note =
      "--validate has no effect: only OpenAPI documents and Postman collections describe the requests they expect";
    return { ...loaded, notes: [...loaded.notes, note] };
  }
  return loaded;
}

async function understand(document: Document, { seed, environment, validation }: LoadOptions): Promise<LoadedExamples> {
  refuseOtherKinds(document);
  const { root } = document;
  if (root.openapi !== undefined || root.swagger !== undefined) {
    const [{ readApiDocument }, { readOpenApi }] = await Promise.all([
      import("../openapi/read/load-api-document.ts"),
      import("./sources/openapi.ts"),
    ]);
    const api = await readApiDocument(document);
    const checkOf = validation && (await import("./validation.ts")).createValidation(api, { ...validation, seed });
    return { kind: OPEN_API, otherFiles: api.otherFiles, ...readOpenApi(api, seed, { checkOf }) };
  }
  if (isJsonObject(root.info) && Array.isArray(root.item)) {
    const { readCollection } = await import("./sources/postman.ts");
    const variables = environment === undefined ? undefined : readEnvironment(await readDocument(environment));
    const { saved, ...read } = readCollection(document, variables, seed);
    const { examples } = validation
      ? await (await import("./sources/postman-validation.ts")).withChecks(
          { ...read, saved },
          document.file,
          validation,
        )
      : read;
    return { kind: COLLECTION, ...read, examples: await withDynamicValues(examples, seed) };
  }
  if (root.examples !== undefined) {
    return { kind: "examples file", examples: await withDynamicValues(readOwnFormat(document), seed), notes: [] };
  }
  throw new NoExamples(
    `${document.file} is neither a Postman collection (info, item), nor an OpenAPI document (openapi, paths), nor a list of ` +
      "examples (examples). To make one of the first two from a data file: standin hosted export --from <data file>.",
    "it is neither a Postman collection, nor an OpenAPI document, nor a list of examples.",
  );
}

/** Fills in names such as `{{$guid}}`. What makes their values is loaded only where one is used. */
async function withDynamicValues(examples: readonly Example[], seed: number): Promise<readonly Example[]> {
  const isUsedIn = ({ body = "", headers }: ExampleResponse): boolean =>
    body.includes("{{$") || headers.some(([, value]) => value.includes("{{$"));
  if (!examples.some(({ response }) => isUsedIn(response))) return examples;
  const { createDynamicValues } = await import("./dynamic-variables.ts");
  const dynamic = createDynamicValues(seed);
  // Several examples may share one response, which tells that they are the same.
  const filled = new Map<ExampleResponse, ExampleResponse>();
  return examples.map((example) => {
    const { response } = example;
    if (!isUsedIn(response)) return example;
    const changed = filled.get(response) ?? { ...response, dynamic };
    filled.set(response, changed);
    return { ...example, response: changed };
  });
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
  if (typeof schema === "string" && /collection\/v(?!2\.)/.test(schema)) {
    throw mistake(document, "#/info/schema", `is ${schema}. Export the collection from Postman as v2.1.`);
  }
  if (isEnvironment(document) || root._postman_variable_scope !== undefined) {
    throw new NoExamples(
      `${document.file}: #/values: this is a Postman environment. Serve a collection, and add --environment <this file>.`,
      "it is a Postman environment. Named <mock>.postman_environment.json, it is used for that mock.",
    );
  }
}

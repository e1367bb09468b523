import { isJsonObject, type Json } from "../../base/json/json.ts";
import { FROM_HEADER } from "../../http/from-header.ts";
import type {
  ApiDocument,
  CodedResponse,
  MediaContent,
  NamedExample,
  Operation,
  ResponseHeader,
} from "../../openapi/read/api-document.ts";
import { mistake } from "../../openapi/read/document.ts";
import { type Body, BodyMaker } from "../../openapi/sample/create-body.ts";
import { createSampler, type Sampler } from "../../openapi/sample/sampler.ts";
import { bareValues, isJsonContent } from "../body-template.ts";
import { type Example, type ExampleCheck, type ExampleResponse, wildcardsOf } from "../example.ts";

interface Reading {
  readonly document: ApiDocument;
  readonly sampler: Sampler;
  readonly bodies: BodyMaker;
  /** How many bodies had to be made. */
  generated: number;
  /** Creates the check of requests; undefined where they are not validated. */
  readonly checkOf: CreateCheck | undefined;
  readonly areExamplesRepaired: boolean;
}

type CreateCheck = (operation: Operation) => ExampleCheck;

/** The response of operations that name none. */
const NO_CONTENT: ExampleResponse = { status: 204, range: undefined, type: undefined, headers: [], body: undefined };

export interface ReadingOptions {
  readonly checkOf?: CreateCheck | undefined;
  /** Completes examples in JSON that break their schema. Without this they are the document's word. */
  readonly areExamplesRepaired?: boolean;
}

/** The examples of an OpenAPI document: those of every response, and a body made from the schema where there is none. */
export function readOpenApi(
  document: ApiDocument,
  seed: number,
  { checkOf, areExamplesRepaired = false }: ReadingOptions = {},
): { examples: Example[]; notes: string[] } {
  const sampler = createSampler(document, seed);
  const bodies = new BodyMaker(document.references, sampler);
  const reading: Reading = { document, sampler, bodies, generated: 0, checkOf, areExamplesRepaired };
  const examples = document.operations.flatMap((operation) => readOperation(reading, operation));
  if (examples.length === 0) throw mistake(document, "#/paths", "contains no operation.");
  const { generated } = reading;
  const notes = generated > 0 ? [`without an example, so made from the schema (--seed ${seed}): ${generated}`] : [];
  return { examples, notes: [...document.notes, ...notes] };
}

/** Where each path has an example of its own, the first one is also that of any other. */
function forAnyPath<T extends Pick<NamedExample, "path">>(read: readonly T[]): readonly T[] {
  const [first] = read;
  return first && read.every(({ path }) => path) ? [{ ...first, path: undefined }, ...read] : read;
}

function readOperation(reading: Reading, operation: Operation): Example[] {
  const { method, path, query, responses } = operation;
  const check = reading.checkOf?.(operation);
  const request = { method, path, query, headers: new Map(), body: undefined, check };
  if (responses.length === 0) return [{ name: "default", id: undefined, request, response: NO_CONTENT }];
  return responses.flatMap((response) =>
    forAnyPath(readResponse(reading, response, wildcardsOf(request))).map(
      ({ name, response: made, query: own = [], path: at = path }): Example => ({
        name,
        id: undefined,
        request: { ...request, path: at, query: [...query, ...own] },
        response: made,
      }),
    ),
  );
}

function readResponse(
  reading: Reading,
  coded: CodedResponse,
  names: readonly string[],
): (Pick<NamedExample, "name" | "query" | "path"> & { response: ExampleResponse })[] {
  // Mistakes in headers stop the start; their values can wait.
  const { contents, headers } = coded;
  const made = { reading, coded, headers };
  if (contents.length === 0) return [{ name: "default", response: new MadeResponse(made) }];
  return contents.flatMap((content) =>
    readBodies(reading, content).map(({ name, make, query, path, isGenerated = false }) => {
      const type = reading.bodies.typeOf(content);
      const body = (): Body | undefined => withNames(make(), type, names);
      return { name, response: new MadeResponse({ ...made, isGenerated }, type, body), query, path };
    }),
  );
}

interface Made {
  readonly reading: Reading;
  readonly coded: CodedResponse;
  readonly headers: readonly ResponseHeader[];
  /** Whether the body is made from the schema; undefined for no body. */
  readonly isGenerated?: boolean;
}

/** Makes its headers and its body when it is sent first: most responses of a document never are. */
class MadeResponse implements ExampleResponse {
  readonly #source: Made;
  readonly #makeBody: () => Body | undefined;
  #headers: ExampleResponse["headers"] | undefined;
  #body: { readonly made: Body | undefined } | undefined;
  readonly type: string | undefined;

  constructor(source: Made, type?: string, makeBody = (): Body | undefined => undefined) {
    this.#source = source;
    this.#makeBody = makeBody;
    this.type = type;
  }

  get status(): number {
    return this.#source.coded.status;
  }

  get range(): ExampleResponse["range"] {
    return this.#source.coded.range;
  }

  get headers(): ExampleResponse["headers"] {
    this.#headers ??= readHeaders(this.#source);
    return this.#headers;
  }

  get body(): Body | undefined {
    this.#body ??= { made: this.#makeBody() };
    return this.#body.made;
  }
}

interface NamedBody extends Pick<NamedExample, "name" | "query" | "path"> {
  readonly isGenerated?: boolean;
  readonly make: () => Body | undefined;
}

/** The examples of the content, then those of the schema, else a body made from it. */
function readBodies(reading: Reading, content: MediaContent): readonly NamedBody[] {
  const { document, bodies } = reading;
  const { schema, examples } = content;
  if (examples.length > 0) {
    // Looked at when it is sent, for the sake of its references.
    return examples.map((example) => ({
      name: example.name,
      query: example.query,
      path: example.path,
      make: () =>
        reading.areExamplesRepaired && schema && isJsonContent(bodies.typeOf(content))
          ? bodies.fromSchema(content, example.value)
          : bodies.fromExample(content, example.value),
    }));
  }
  if (!schema) return [{ name: "default", make: () => bodies.withoutSchema(content) }];
  const { value: found, place } = document.references.resolve(schema);
  if (!isJsonObject(found) && typeof found !== "boolean") throw mistake(document, place, "must be a schema.");
  const inSchema = schemaExamples(found);
  if (inSchema.length > 0) {
    return inSchema.map((example, position) => ({
      name: position === 0 ? "default" : String(position),
      make: () => bodies.fromSchema(content, example),
    }));
  }
  reading.generated++;
  return [{ name: "default", make: () => bodies.fromSchema(content), isGenerated: true }];
}

/** `example` of a schema (3.0), or its `examples` (3.1). */
function schemaExamples(schema: Json | undefined): readonly Json[] {
  if (!isJsonObject(schema)) return [];
  if (schema.example !== undefined) return [schema.example];
  return Array.isArray(schema.examples) ? schema.examples : [];
}

function readHeaders({ reading: { sampler, areExamplesRepaired }, headers, isGenerated }: Made): [string, string][] {
  const own = headers.flatMap(({ name, schema, examples: [example] }): [string, string][] => {
    const value = example ? example.value : schema && sampler.sample(schema);
    return value === undefined || value === null || typeof value === "object" ? [] : [[name, String(value)]];
  });
  // Beside data, clients cannot tell by themselves.
  if (isGenerated === undefined || !areExamplesRepaired) return own;
  return [...own, [FROM_HEADER, isGenerated ? "generated" : "example"]];
}

/** A wildcard alone as a JSON value stands for the value itself. */
function withNames(body: Body | undefined, type: string, names: readonly string[]): Body | undefined {
  return typeof body === "string" && isJsonContent(type) ? bareValues(body, names) : body;
}

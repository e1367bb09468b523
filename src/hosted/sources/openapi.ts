import type { ApiDocument, CodedResponse, MediaContent, Operation } from "../../api-document/api-document.ts";
import { mistake } from "../../api-document/document.ts";
import { isJsonObject, type Json } from "../../json.ts";
import { bareValues, isJsonType } from "../body-template.ts";
import type { Example, ExampleCheck, ExampleResponse } from "../example.ts";
import { BodyGenerator } from "./body-generator.ts";

interface Reading {
  readonly document: ApiDocument;
  readonly generator: BodyGenerator;
  /** How many bodies had to be made. */
  generated: number;
  /** Creates the check of requests; undefined where they are not validated. */
  readonly checkOf: CreateCheck | undefined;
}

type CreateCheck = (operation: Operation) => ExampleCheck;

/** The response of operations that name none. */
const NO_CONTENT: ExampleResponse = { status: 204, range: undefined, type: undefined, headers: [], body: undefined };

/** The examples of an OpenAPI document: those of every response, and a body made from the schema where there is none. */
export function readOpenApi(
  document: ApiDocument,
  seed: number,
  checkOf?: CreateCheck,
): { examples: Example[]; notes: string[] } {
  const generator = new BodyGenerator(document, document.references, seed);
  const reading: Reading = { document, generator, generated: 0, checkOf };
  const examples = document.operations.flatMap((operation) => readOperation(reading, operation));
  if (examples.length === 0) throw mistake(document, "#/paths", "holds no operation.");
  const { generated } = reading;
  const notes = generated > 0 ? [`without an example, so made from the schema (--seed ${seed}): ${generated}`] : [];
  return { examples, notes: [...document.notes, ...notes] };
}

function readOperation(reading: Reading, operation: Operation): Example[] {
  const { method, path, responses } = operation;
  const check = reading.checkOf?.(operation);
  const request = { method, path, query: [], headers: new Map(), body: undefined, check };
  if (responses.length === 0) return [{ name: "default", id: undefined, request, response: NO_CONTENT }];
  return responses.flatMap((response) =>
    readResponse(reading, response, path.names).map((read): Example => ({ ...read, id: undefined, request })),
  );
}

function readResponse(
  reading: Reading,
  coded: CodedResponse,
  names: readonly string[],
): { name: string; response: ExampleResponse }[] {
  if (coded.contents.length === 0) return [{ name: "default", response: new MadeResponse(reading, coded) }];
  return coded.contents.flatMap((content) =>
    readBodies(reading, content).map((body) => {
      const text = (): string | undefined => bodyText(body.value, content.type, names);
      return { name: body.name, response: new MadeResponse(reading, coded, knownType(content.type), text) };
    }),
  );
}

/** Makes its headers and its body when it is sent first: most responses of a document never are. */
class MadeResponse implements ExampleResponse {
  readonly #reading: Reading;
  readonly #coded: CodedResponse;
  readonly #makeBody: () => string | undefined;
  #headers: ExampleResponse["headers"] | undefined;
  #body: { readonly text: string | undefined } | undefined;
  readonly type: string | undefined;

  constructor(reading: Reading, coded: CodedResponse, type?: string, makeBody = (): string | undefined => undefined) {
    this.#reading = reading;
    this.#coded = coded;
    this.#makeBody = makeBody;
    this.type = type;
  }

  get status(): number {
    return this.#coded.status;
  }

  get range(): ExampleResponse["range"] {
    return this.#coded.range;
  }

  get headers(): ExampleResponse["headers"] {
    this.#headers ??= readHeaders(this.#reading, this.#coded);
    return this.#headers;
  }

  get body(): string | undefined {
    this.#body ??= { text: this.#makeBody() };
    return this.#body.text;
  }
}

interface NamedBody {
  readonly name: string;
  readonly value: Json | undefined;
}

/** The examples of the content, then those of the schema, else a body made from it. */
function readBodies(reading: Reading, { type, schema, examples }: MediaContent): readonly NamedBody[] {
  if (examples.length > 0) return examples;
  if (!schema) return [{ name: "default", value: undefined }];
  const { document, generator } = reading;
  const { value: found, place } = document.references.resolve(schema);
  if (!isJsonObject(found) && typeof found !== "boolean") throw mistake(document, place, "must be a schema.");
  const own = schemaExamples(found);
  if (own.length > 0) return own;
  reading.generated++;
  return [
    {
      name: "default",
      get value() {
        return generator.generate(schema, isJsonType(type));
      },
    },
  ];
}

/** `example` of a schema (3.0), or its `examples` (3.1). */
function schemaExamples(schema: Json | undefined): { name: string; value: Json }[] {
  if (!isJsonObject(schema)) return [];
  const list = Array.isArray(schema.examples) ? schema.examples : [];
  const values = schema.example === undefined ? list : [schema.example];
  return values.map((value, position) => ({ name: position === 0 ? "default" : String(position), value }));
}

function readHeaders({ generator }: Reading, { headers }: CodedResponse): [string, string][] {
  return headers.flatMap(({ name, schema, examples: [example] }): [string, string][] => {
    const value = example ? example.value : schema && generator.generate(schema, false);
    return value === undefined || value === null || typeof value === "object" ? [] : [[name, String(value)]];
  });
}

/** Anything goes where the document allows anything. */
function knownType(type: string): string {
  return type.includes("*") ? (type.startsWith("text/") ? "text/plain" : "application/json") : type;
}

function bodyText(value: Json | undefined, type: string, names: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  const isText = typeof value === "string" && !isJsonType(knownType(type));
  return isText ? value : bareValues(JSON.stringify(value), names);
}

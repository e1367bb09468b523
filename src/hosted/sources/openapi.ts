import { isJsonObject, type Json } from "../../json.ts";
import { bareValues, isJsonType } from "../body-template.ts";
import { ANY_STATUS, type Example, type ExampleResponse, isFinalStatus, type StatusRange } from "../example.ts";
import { parsePathTemplate } from "../path-template.ts";
import { BodyGenerator } from "./body-generator.ts";
import { type Document, mistake, within } from "./document.ts";
import { type Placed, References } from "./references.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

interface Reading {
  readonly document: Document;
  readonly references: References;
  readonly generator: BodyGenerator;
  /** How many bodies had to be made. */
  generated: number;
}

/** One response of an operation: its code, or its range of codes. */
interface Coded {
  readonly status: number;
  readonly range: StatusRange | undefined;
  readonly response: Placed;
}

/** Reads an OpenAPI 3 document: every example of every response, and a body made from the schema where there is none. */
export function readOpenApi(document: Document, seed: number): { examples: Example[]; notes: string[] } {
  const references = new References(document);
  const generator = new BodyGenerator(document, references, seed);
  const reading: Reading = { document, references, generator, generated: 0 };
  if (!isJsonObject(document.root.paths)) throw mistake(document, "#/paths", "is missing: there is nothing to serve.");
  const examples = references
    .members({ value: document.root.paths, place: "#/paths" })
    .flatMap(([path, item]) => (path.startsWith("/") ? readPath(reading, path, item) : []));
  if (examples.length === 0) throw mistake(document, "#/paths", "holds no operation with a response.");
  const { generated } = reading;
  const notes = generated > 0 ? [`without an example, so made from the schema (--seed ${seed}): ${generated}`] : [];
  return { examples, notes };
}

function readPath(reading: Reading, path: string, item: Placed): Example[] {
  const { references } = reading;
  const template = parsePathTemplate(path, "single");
  return references.members(item).flatMap(([method, operation]) => {
    if (!METHODS.some((name) => name === method)) return [];
    const found = references.object(operation);
    if (!found) return [];
    const responses = { value: found.value.responses, place: within(found.place, "responses") };
    return inOrder(codedResponses(reading, responses)).flatMap((coded) =>
      readResponses(reading, coded, template.names).map(
        ({ name, response }): Example => ({
          name,
          id: undefined,
          request: { method: method.toUpperCase(), path: template, query: [], headers: new Map(), body: undefined },
          response,
        }),
      ),
    );
  });
}

function codedResponses({ document, references }: Reading, responses: Placed): Coded[] {
  return references.members(responses).flatMap(([code, response]): Coded[] => {
    if (code.startsWith("x-")) return [];
    if (code === "default") return [{ status: 200, range: ANY_STATUS, response }];
    const digit = /^([1-5])XX$/i.exec(code)?.[1];
    const status = Number(digit === undefined ? code : `${digit}00`);
    // Codes below 200 announce another response and are never final.
    if (/^1(\d\d|XX)$/i.test(code)) return [];
    if (!isFinalStatus(status)) {
      throw mistake(
        document,
        within(responses.place, code),
        "is no status code; codes are 200 to 599, 2XX and default.",
      );
    }
    return [{ status, range: digit === undefined ? undefined : { min: status, max: status + 99 }, response }];
  });
}

/** As Prism chooses: the lowest success, then `default`, then the others as they come. */
function inOrder(responses: readonly Coded[]): Coded[] {
  const rank = ({ status, range }: Coded): number => (range === ANY_STATUS ? 300 : status < 300 ? status : 600);
  return [...responses].sort((a, b) => rank(a) - rank(b));
}

function readResponses(
  reading: Reading,
  { status, range, response }: Coded,
  names: readonly string[],
): { name: string; response: ExampleResponse }[] {
  const { references } = reading;
  const found = references.object(response);
  const headers = readHeaders(reading, { value: found?.value.headers, place: within(response.place, "headers") });
  const contents = references.members({ value: found?.value.content, place: within(response.place, "content") });
  if (contents.length === 0) {
    return [{ name: "default", response: { status, range, type: undefined, headers, body: undefined } }];
  }
  return contents.flatMap(([type, media]) =>
    readBodies(reading, type, media).map(({ name, value }) => ({
      name,
      response: { status, range, type: knownType(type), headers, body: bodyText(value, type, names) },
    })),
  );
}

/** `example`, then `examples`, then those of the schema, else a body made from it. */
function readBodies(reading: Reading, type: string, media: Placed): { name: string; value: Json | undefined }[] {
  const { references, document, generator } = reading;
  const found = references.object(media);
  if (!found) return [{ name: "default", value: undefined }];
  const named = references.members({ value: found.value.examples, place: within(found.place, "examples") });
  const bodies = named.flatMap(([name, example]) => {
    const { value = {}, place } = references.object(example) ?? { place: example.place };
    if (value.externalValue !== undefined) {
      throw mistake(document, `${place}/externalValue`, "leads out of the document; put the value itself under value.");
    }
    return value.value === undefined ? [] : [{ name, value: value.value }];
  });
  if (found.value.example !== undefined) bodies.unshift({ name: "default", value: found.value.example });
  if (bodies.length > 0) return bodies;
  const schema = { value: found.value.schema, place: within(found.place, "schema") };
  if (schema.value === undefined) return [{ name: "default", value: undefined }];
  const own = schemaExamples(references.resolve(schema).value);
  if (own.length > 0) return own;
  reading.generated++;
  return [{ name: "default", value: generator.generate(schema, isJsonType(type)) }];
}

/** `example` of a schema (3.0), or its `examples` (3.1). */
function schemaExamples(schema: Json | undefined): { name: string; value: Json }[] {
  if (!isJsonObject(schema)) return [];
  const list = Array.isArray(schema.examples) ? schema.examples : [];
  const values = schema.example === undefined ? list : [schema.example];
  return values.map((value, position) => ({ name: position === 0 ? "default" : String(position), value }));
}

function readHeaders({ references, generator }: Reading, headers: Placed): [string, string][] {
  return references.members(headers).flatMap(([name, placed]): [string, string][] => {
    const header = references.object(placed);
    if (!header) return [];
    const [named] = references.members({ value: header.value.examples, place: within(header.place, "examples") });
    const given = header.value.example ?? (named && isJsonObject(named[1].value) ? named[1].value.value : undefined);
    const schema = { value: header.value.schema, place: within(header.place, "schema") };
    const value = given ?? (schema.value === undefined ? undefined : generator.generate(schema, false));
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

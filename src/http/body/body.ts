import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { type Json, parseJson, stringifyJson } from "../../base/json/json.ts";
import { JsonSyntaxError } from "../../base/json/json-syntax.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import type { BodySource } from "./body-source.ts";
import { type BodyReader, createReader, hasReadableType, UTF_8 } from "./body-type.ts";
import { decompress, tooLarge } from "./decompress-body.ts";
import { MAX_FORM_BYTES, parseFormBody } from "./form-body.ts";

/** Deeper bodies would be a danger to everything that walks them later. */
const MAX_DEPTH = 200;

interface Limit {
  readonly container: string;
  readonly most: number;
  readonly members: string;
}
/** A write is planned and carried out in one turn, so its size decides how long other requests wait. */
const RECORDS: Limit = { container: "An array of records", most: 5_000, members: "records" };
const KEYS: Limit = { container: "An object", most: 10_000, members: "keys" };
/** The garbage collector walks all values of a body in one pause. */
const VALUES: Limit = { container: "All objects and arrays together", most: 500_000, members: "values" };

/** Reads and parses the body of a request; undefined when there is none. Throws a 4xx that says what to change. */
export async function readBody(source: BodySource, maxBytes: number): Promise<Json | undefined> {
  const given = source.keptBytes ?? source.givenBody();
  if (given !== undefined && !isUnparsed(given)) return asJson(given, source);
  const isUnread = given === undefined && source.hasBody && !source.isBodyRead;
  if ((isUnread || given?.length) && !isReadable(source.headers["content-type"])) {
    const other = source.readOther();
    if (other) return other.then((form) => (form === undefined ? form : inspected(form, source)));
  }
  const sent = given ?? (isUnread ? await readSent(source, maxBytes) : "");
  const decoded = sent.length === 0 ? "" : textOf(source, sent, maxBytes);
  const text = typeof decoded === "string" ? decoded : await decoded;
  if (text === "") return undefined;
  source.sentBody = { text, bytes: sent.length };
  const { isForm } = readerFor(source.headers["content-type"]);
  return inspected(isForm ? parseFormBody(text) : parseJsonBody(text), source);
}

/** Refuses a body that is too large, or of a type that cannot be read, before it is read. */
function readSent(source: BodySource, maxBytes: number): Promise<Buffer> {
  if (Number(source.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
  readerFor(source.headers["content-type"]);
  return source.readBytes(maxBytes);
}

/** The body, if it is allowed. */
function inspected(body: Json, source: BodySource): Eventually<Json> {
  const seen: Inspection = { values: 0, namesFiles: false };
  inspect(body, 1, seen);
  return seen.namesFiles ? source.admitFiles(body) : body;
}

/** The text of a body that was sent as bytes, or that a host has already made into text; empty for none. */
function textOf({ headers }: BodySource, sent: Uint8Array | string, maxBytes: number): Eventually<string> {
  if (sent.length > maxBytes) throw tooLarge(maxBytes);
  const reader = readerFor(headers["content-type"]);
  if (typeof sent === "string") return sent;
  const raw = Buffer.isBuffer(sent) ? sent : Buffer.from(sent);
  const encoding = headers["content-encoding"];
  if (encoding === undefined) return decode(raw, reader);
  return decompress(raw, encoding, maxBytes).then((bytes) => decode(bytes, reader));
}

function decode(bytes: Buffer, { decoder, isForm }: BodyReader): string {
  if (isForm && bytes.length > MAX_FORM_BYTES) throw tooLarge(MAX_FORM_BYTES);
  return decodeText(bytes, decoder);
}

/** Whether a body is still what was sent: serverless-http leaves bytes in `req.body`, other hosts text. */
export function isUnparsed(body: unknown): body is Uint8Array | string {
  return typeof body === "string" || body instanceof Uint8Array;
}

/** Through text: what an interceptor made need not be JSON, and must not be shared with it. */
function asJson(body: unknown, source: BodySource): Eventually<Json> {
  const text = stringify(body);
  return inspected(text === undefined ? null : parseJson(text), source);
}

export function stringify(body: unknown): string | undefined {
  try {
    return stringifyJson(body);
  } catch (thrown) {
    throw thrown instanceof RangeError ? tooDeep() : thrown;
  }
}

/** Hot path: clients send the same header again and again. */
function isReadable(header: string | undefined): boolean {
  return header === latest.header || hasReadableType({ "content-type": header });
}

function readerFor(header: string | undefined): BodyReader {
  if (header === latest.header) return latest.reader;
  const reader = createReader(header);
  // Other decoders may remember a text that they could not read.
  if (reader.decoder === UTF_8) latest = { header, reader };
  return reader;
}

let latest = { header: undefined as string | undefined, reader: createReader(undefined) };

function decodeText(bytes: Buffer, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new StandinError("BODY_MALFORMED", `The body is not valid ${decoder.encoding} text.`);
  }
}

function parseJsonBody(text: string): Json {
  try {
    return parseJson(text);
  } catch (thrown) {
    throw malformed(thrown);
  }
}

function malformed(thrown: unknown): unknown {
  if (!(thrown instanceof JsonSyntaxError)) return thrown;
  return new StandinError("BODY_MALFORMED", `The body is not valid JSON: ${thrown.message}.`);
}

function refuseMany(count: number, { most, container, members }: Limit): void {
  if (count <= most) return;
  throw new StandinError("BODY_TOO_LARGE", `${container} in a body may have at most ${most} ${members}.`);
}

/** Refuses a body with more records than one request may have. */
export function expectFewRecords(body: Json): void {
  if (Array.isArray(body)) refuseMany(body.length, RECORDS);
}

/** The findings of one pass over a body. */
interface Inspection {
  values: number;
  /** Whether an object in it may be a stored file. */
  namesFiles: boolean;
}

/** Refuses what JSON allows but a database must not take in: too deep, or `__proto__`. */
function inspect(value: Json, depth: number, seen: Inspection): void {
  refuseMany(++seen.values, VALUES);
  if (typeof value !== "object" || value === null) return;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) {
    if (depth === 1) refuseMany(value.length, RECORDS);
    for (const element of value) inspect(element, depth + 1, seen);
    return;
  }
  const keys = Object.keys(value);
  refuseMany(keys.length, KEYS);
  for (const key of keys) {
    if (key === "__proto__") throw new StandinError("KEY_FORBIDDEN", 'The key "__proto__" is not allowed in a body.');
    if (key === "sha256" || (key === "path" && String(value.path).endsWith("/sha256"))) seen.namesFiles = true;
    inspect(value[key]!, depth + 1, seen);
  }
}

function tooDeep(): StandinError {
  return new StandinError("BODY_TOO_DEEP", `The body is nested deeper than ${MAX_DEPTH} levels.`);
}

import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import type { OperationContext } from "../operation-context.ts";
import { elementSchema, isNullable, keyword, schemaFields, typesOf } from "../schema-fields.ts";
import { spokenPieces } from "./event-kinds.ts";
import type { EventScript } from "./event-script.ts";

type Tools = Pick<OperationContext, "document" | "passes" | "sample">;

/** The field of a chunk that says what is new. */
const DELTA = "delta";

/**
 * Prepares a stream of chunks: each element of a list has a `delta` where the whole body has an object, `message`. The first
 * chunk has its fixed values, the next ones its text, and the last one why it ended. Undefined where chunks are not so.
 */
export function createChunkScript(tools: Tools, schema: Placed, whole: Placed | undefined): EventScript | undefined {
  const { references } = tools.document;
  const chunk = schemaFields(references, schema);
  const body = whole && schemaFields(references, whole);
  if (!chunk || !body) return undefined;
  for (const [list, property] of chunk.properties) {
    const [own, full] = [property, body.properties.get(list)].map((one) => one && elementSchema(references, one));
    const fields = own && schemaFields(references, own);
    const others = full && schemaFields(references, full);
    const delta = fields?.properties.get(DELTA);
    const held = [...(others?.properties.keys() ?? [])].find((name) => !fields?.properties.has(name));
    if (!own || !delta || held === undefined) continue;
    return (value) => chunksOf(tools, { schema, list, element: own, delta, held }, value);
  }
  return undefined;
}

interface Form {
  readonly schema: Placed;
  /** The property with the list, and that of its elements in the whole body. */
  readonly list: string;
  readonly held: string;
  readonly element: Placed;
  readonly delta: Placed;
}

function chunksOf(tools: Tools, { schema, list, held, element, delta }: Form, body: JsonObject): JsonObject[] {
  const { references } = tools.document;
  const around = repeated(tools, schema, body);
  const chunks: JsonObject[] = [];
  for (const one of Array.isArray(body[list]) ? body[list] : []) {
    const message = isJsonObject(one) ? one[held] : undefined;
    if (!isJsonObject(one) || !isJsonObject(message)) continue;
    const last = repeated(tools, element, one);
    const open = Object.fromEntries(
      Object.entries(last).map(([name, value]): [string, Json] => [
        name,
        isReason(tools, element, name) ? null : value,
      ]),
    );
    const add = (fields: JsonObject, change: JsonObject): void => {
      chunks.push({ ...around, [list]: [{ ...fields, [DELTA]: change }] });
    };
    const properties = schemaFields(references, delta)?.properties ?? new Map<string, Placed>();
    const known = [...properties].filter(([name]) => typeof message[name] === "string");
    const texts = known.filter(([, one]) => !isChoice(tools, one));
    const first = known.map(([name, one]): [string, Json] => [
      name,
      isChoice(tools, one) ? (message[name] ?? null) : "",
    ]);
    add(open, Object.fromEntries(first));
    for (const [name] of texts) for (const piece of spokenPieces(String(message[name]))) add(open, { [name]: piece });
    add(last, {});
  }
  return chunks;
}

/** Whether a value has to be known before the end: other than a reason, it may not be null. */
function isReason({ document: { references } }: Tools, element: Placed, name: string): boolean {
  const property = schemaFields(references, element)?.properties.get(name);
  return property !== undefined && isNullable(references, property);
}

function isChoice({ document: { references } }: Tools, schema: Placed): boolean {
  const isFixed = ["enum", "const"].some((name) => keyword(references, schema, name) !== undefined);
  return isFixed || !typesOf(references, schema).includes("string");
}

/** The fields that a chunk must have, with the values of the whole body as far as they fit. */
function repeated({ document, sample, passes }: Tools, schema: Placed, body: JsonObject): JsonObject {
  const fields = schemaFields(document.references, schema);
  const made = sample(schema, schema.place);
  const entries = [...(fields?.properties ?? [])].flatMap(([name, property]): [string, Json][] => {
    const value = body[name];
    if (value !== undefined && typeof value !== "object" && passes(property, value)) return [[name, value]];
    const other = isJsonObject(made) && fields?.required.has(name) ? made[name] : undefined;
    if (other === undefined || name === DELTA) return [];
    return [[name, isNullable(document.references, property) ? null : other]];
  });
  return Object.fromEntries(entries);
}

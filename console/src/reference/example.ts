import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import { listIn, objectIn, textIn } from "./reading.ts";
import { resolve } from "./references.ts";
import { merge, typesOf } from "./schema-facts.ts";

/** Whether a value is sent or received: some fields appear in one of them only. */
export type Direction = "request" | "response";

/** Deeper values are left out. */
const DEEPEST = 6;

const BY_FORMAT: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  email: "ada@example.com",
  uri: "urn:example:1",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  byte: "c3RhbmRpbg==",
};

/** A value that a schema allows, made of its examples, defaults and types; undefined where it would never end. */
export function exampleOf(root: JsonObject, schema: Json | undefined, direction: Direction): Json | undefined {
  return make(root, schema, direction, []);
}

function make(
  root: JsonObject,
  given: Json | undefined,
  direction: Direction,
  within: readonly string[],
): Json | undefined {
  const { value, from } = resolve(root, given);
  if (within.length > DEEPEST || (from !== "" && within.includes(from))) return undefined;
  const inside = [...within, from];
  const schema = merge(root, value, [from]);
  const told = schema.example ?? listIn(schema.examples)[0] ?? schema.default ?? schema.const ?? listIn(schema.enum)[0];
  if (told !== undefined) return told;
  const [choice] = [...listIn(schema.oneOf), ...listIn(schema.anyOf)];
  const [type] = typesOf(schema);
  if (choice !== undefined && type === undefined) return make(root, choice, direction, inside);
  if (type === "array") {
    const element = make(root, schema.items, direction, inside);
    return element === undefined ? [] : [element];
  }
  if (type === "object") return makeObject(root, schema, direction, inside);
  return scalar(schema, type);
}

function makeObject(root: JsonObject, schema: JsonObject, direction: Direction, within: readonly string[]): Json {
  const made: JsonObject = {};
  const hidden = direction === "request" ? "readOnly" : "writeOnly";
  for (const [name, property] of Object.entries(objectIn(schema.properties))) {
    if (resolve(root, property).value[hidden] === true) continue;
    const value = make(root, property, direction, within);
    if (value !== undefined) made[name] = value;
  }
  const others = schema.additionalProperties;
  if (Object.keys(made).length === 0 && isJsonObject(others) && Object.keys(others).length > 0) {
    const value = make(root, others, direction, within);
    if (value !== undefined) made.name = value;
  }
  return made;
}

function scalar(schema: JsonObject, type: string | undefined): Json {
  if (type === "integer" || type === "number") {
    if (typeof schema.minimum === "number") return schema.minimum;
    return typeof schema.maximum === "number" && schema.maximum < 1 ? schema.maximum : 1;
  }
  if (type === "boolean") return true;
  if (type === "null") return null;
  return type === "string" ? (BY_FORMAT[textIn(schema.format)] ?? "string") : {};
}

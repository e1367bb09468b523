import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { maskBody } from "../../../base/secrets/mask-body.ts";
import { MASK } from "../../../base/secrets/masking.ts";
import { findSecretWord } from "../../../base/secrets/secret-name.ts";
import { within } from "../../../schema/pointer.ts";
import { type Placed, partsOf, type References } from "../../../schema/references.ts";
import { VALUES } from "../infer/schemas.ts";
import type { DriftFinding } from "./drift.ts";

type Difference = Omit<DriftFinding, "operation">;

/** More different texts are not named. */
const MAX_NAMED = 3;

/** Compares the shape of values with the schema of what they were. Their values do not count. */
export function compareBodies(
  references: References,
  schema: Placed,
  { values, pointer = "" }: { readonly values: readonly Json[]; readonly pointer?: string },
): Difference[] {
  const was = readSchema(references, schema);
  if (!was || values.length === 0) return [];
  const there = values.filter((value) => value !== null);
  return [
    ...compareTypes(was, values, pointer),
    ...compareTexts(was, there, pointer),
    ...compareFields(references, was, { objects: there.filter(isJsonObject), pointer }),
    ...(was.items
      ? compareBodies(references, was.items, {
          values: there.flatMap((value) => (Array.isArray(value) ? value : [])),
          pointer: `${pointer}/*`,
        })
      : []),
  ];
}

/** A schema as far as it tells shapes. */
interface KnownShape {
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, Placed>;
  readonly required: ReadonlySet<string>;
  readonly items: Placed | undefined;
  /** The schema of other fields; undefined where they are not described. */
  readonly others: Placed | undefined;
  /** The texts that it was met with or may have. */
  readonly texts: ReadonlySet<string> | undefined;
}

/** Undefined where a schema leaves a choice: then nothing is sure. */
function readSchema(references: References, schema: Placed): KnownShape | undefined {
  const parts = partsOf(schema, references);
  const properties = new Map<string, Placed>();
  const required = new Set<string>();
  let [types, texts]: [readonly string[], readonly Json[] | undefined] = [[], undefined];
  let [items, others]: (Placed | undefined)[] = [];
  for (const { value, place } of parts) {
    if (["oneOf", "anyOf", "not", "if"].some((name) => value[name] !== undefined)) return undefined;
    const { type, required: names, enum: choices, [VALUES]: met } = value;
    if (type !== undefined) types = [type].flat().map(String);
    if (value.nullable === true) types = [...types, "null"];
    for (const [name, property] of Object.entries(isJsonObject(value.properties) ? value.properties : {})) {
      properties.set(name, { value: property, place: within(`${place}/properties`, name) });
    }
    if (Array.isArray(names)) for (const name of names) required.add(String(name));
    if (Array.isArray(choices ?? met)) texts = [choices ?? met ?? []].flat();
    if (isJsonObject(value.items)) items = { value: value.items, place: `${place}/items` };
    const rest = value.additionalProperties;
    if (rest === true || isJsonObject(rest))
      others = { value: rest === true ? {} : rest, place: `${place}/additionalProperties` };
  }
  return { types, properties, required, items, others, texts: texts && new Set(texts.map(String)) };
}

function compareTypes({ types }: KnownShape, values: readonly Json[], pointer: string): Difference[] {
  // Of what was always null, nothing is known.
  const known = new Set(types.map(generalType).filter((type) => type !== "null"));
  if (known.size === 0) return [];
  const now = new Set(values.map(typeNow));
  const others = [...now].filter((type) => type !== "null" && !known.has(type));
  const wasNull = types.includes("null");
  return [
    ...(others.length > 0
      ? [
          {
            kind: "type changed" as const,
            pointer,
            message: `was ${[...known].join(" or ")}, is ${others.join(" or ")}`,
          },
        ]
      : []),
    ...(now.has("null") && !wasNull ? [{ kind: "null" as const, pointer, message: "was never null, is null" }] : []),
  ];
}

/** Whole numbers may become others: that is their value, not their shape. */
function generalType(type: string): string {
  return type === "integer" ? "number" : type;
}

function typeNow(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function compareTexts({ texts }: KnownShape, values: readonly Json[], pointer: string): Difference[] {
  const fresh = [...new Set(values.filter((value) => typeof value === "string" && texts?.has(value) === false))];
  if (fresh.length === 0) return [];
  const isSecret = findSecretWord(pointer) !== -1;
  const named = fresh.slice(0, MAX_NAMED).map((value) => (isSecret ? MASK : maskBody(JSON.stringify(value))));
  const more = fresh.length > MAX_NAMED ? ` and ${fresh.length - MAX_NAMED} more` : "";
  return [{ kind: "new value", pointer, message: `has ${named.join(", ")}${more}, which was not there` }];
}

interface Objects {
  readonly objects: readonly JsonObject[];
  readonly pointer: string;
}

function compareFields(references: References, was: KnownShape, { objects, pointer }: Objects): Difference[] {
  if (objects.length === 0 || (was.properties.size === 0 && !was.others)) return [];
  const known = [...was.properties].flatMap(([name, property]): Difference[] => {
    const place = within(pointer, name);
    const having = objects.filter((one) => Object.hasOwn(one, name));
    const inner = compareBodies(references, property, {
      values: having.map((one) => one[name] ?? null),
      pointer: place,
    });
    if (having.length === objects.length || !was.required.has(name)) return inner;
    if (having.length > 0) {
      return [
        { kind: "field sometimes missing", pointer: place, message: "was always there, is missing in some" },
        ...inner,
      ];
    }
    return [{ kind: "field gone", pointer: place, message: "was always there, is in none" }];
  });
  const fresh = new Set(objects.flatMap((one) => Object.keys(one)).filter((name) => !was.properties.has(name)));
  if (!was.others) {
    return [
      ...known,
      ...[...fresh].map(
        (name): Difference => ({ kind: "new field", pointer: within(pointer, name), message: "was not there" }),
      ),
    ];
  }
  const values = objects.flatMap((one) =>
    [...fresh].flatMap((name) => (Object.hasOwn(one, name) ? [one[name] ?? null] : [])),
  );
  return [...known, ...compareBodies(references, was.others, { values, pointer: `${pointer}/*` })];
}

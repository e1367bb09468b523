import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { ApiDocument } from "../../src/openapi/read/api-document.ts";

/** The schemas of a document as an independent validator reads them, for bodies that go in one direction. */
export class PlainSchemas {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction | undefined>();

  constructor({ root, version }: ApiDocument, hidden: "readOnly" | "writeOnly") {
    this.#ajv = new Ajv2020({
      strict: false,
      logger: false,
      // One schema that is none must not keep the others from being read.
      validateSchema: false,
      formats: FORMATS,
      allErrors: false,
      code: { regExp: Object.assign(regExp, { code: "regExp" }) },
    });
    this.#ajv.addSchema(plainSchemas(root, { isOld: version === "3.0", hidden }) as JsonObject, "document");
  }

  /** Undefined where the schema cannot be read. */
  validator(place: string): ValidateFunction | undefined {
    if (!this.#compiled.has(place)) this.#compiled.set(place, this.#compile(place));
    return this.#compiled.get(place);
  }

  /** Whether a value passes; undefined where that leads to a schema that cannot be read. */
  passes(validate: ValidateFunction, value: Json): boolean | undefined {
    try {
      return validate(value) as boolean;
    } catch {
      return undefined;
    }
  }

  #compile(place: string): ValidateFunction | undefined {
    if (!place.startsWith("#")) return undefined;
    try {
      return this.#ajv.compile({ $ref: `document${encodeURI(place)}` });
    } catch {
      return undefined;
    }
  }
}

/** Those that alternatives differ in, and that have one reading; others are not judged. */
const FORMATS = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
  ipv6: /^[\da-f]*:[\da-f:.]*$/i,
};

interface Reading {
  /** Whether the document is of OpenAPI 3.0 or older. */
  readonly isOld: boolean;
  /** Fields of this kind need not be there. */
  readonly hidden: "readOnly" | "writeOnly";
}

/** `\\p{L}` needs the flag `u`, which other patterns do not allow. A literal such as `/^a$/i` is read as what it means. */
function regExp(pattern: string): RegExp {
  const [, source = pattern, flags = ""] = /^\/(\^.*\$)\/([dgimsuvy]*)$/s.exec(pattern) ?? [];
  const ofCase = flags.includes("i") ? "i" : "";
  try {
    return new RegExp(source, `u${ofCase}`);
  } catch {
    return new RegExp(source, ofCase);
  }
}

/** The document with the words of OpenAPI's schemas in those of JSON Schema. */
function plainSchemas(value: Json, reading: Reading): Json {
  if (Array.isArray(value)) return value.map((one) => plainSchemas(one, reading));
  if (!isJsonObject(value)) return value;
  const plain: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "string" ? key === "$id" || key === "id" : isDiscriminator(key, inner)) continue;
    Object.defineProperty(plain, key, {
      value: plainSchemas(inner, reading),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  if (typeof plain.$ref === "string" && plain.$ref.startsWith("#")) plain.$ref = `document${plain.$ref}`;
  if (Array.isArray(value.oneOf) && isJsonObject(value.discriminator))
    tellApart(plain, value.oneOf, value.discriminator);
  if (Array.isArray(plain.required) && isJsonObject(plain.properties)) {
    const { properties } = plain;
    plain.required = plain.required.filter((name) => {
      const property = typeof name === "string" && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return !(isJsonObject(property) && property[reading.hidden] === true);
    });
    if ((plain.required as Json[]).length === 0) delete plain.required;
  }
  if (!reading.isOld) return plain;
  for (const [limit, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof plain[exclusive] !== "boolean") continue;
    const isExclusive = plain[exclusive];
    delete plain[exclusive];
    if (!isExclusive || typeof plain[limit] !== "number") continue;
    plain[exclusive] = plain[limit]!;
    delete plain[limit];
  }
  // Beside a reference, OpenAPI 3.0 ignores everything.
  if (typeof plain.$ref === "string") return { $ref: plain.$ref };
  return plain.nullable === true && plain.type !== undefined ? { anyOf: [plain, { type: "null" }] } : plain;
}

/** Lets the discriminator choose between alternatives: many differ in nothing else. Other values must pass just one. */
function tellApart(plain: JsonObject, branches: readonly Json[], { propertyName, mapping }: JsonObject): void {
  if (typeof propertyName !== "string" || !Array.isArray(plain.oneOf)) return;
  const { oneOf } = plain;
  const targets = Object.entries(isJsonObject(mapping) ? mapping : {});
  const tags = branches.flatMap((branch, position) => {
    const ref = isJsonObject(branch) ? String(branch.$ref) : "";
    const name = ref.split("/").at(-1)!;
    const mapped = targets.filter(([, target]) => target === ref || target === name).map(([tag]) => tag);
    return (mapped.length > 0 ? mapped : [name]).map((tag) => ({ tag, branch: oneOf[position]! }));
  });
  const has = (tag: Json): JsonObject => ({ required: [propertyName], properties: { [propertyName]: tag } });
  delete plain.oneOf;
  const choice = {
    if: has({ enum: tags.map(({ tag }) => tag) }),
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { allOf: tags.map(({ tag, branch }) => ({ if: has({ const: tag }), then: branch })) },
    else: { oneOf },
  };
  plain.allOf = [...(Array.isArray(plain.allOf) ? plain.allOf : []), choice];
}

/** A property may have that name as well. */
function isDiscriminator(key: string, value: Json): boolean {
  return key === "discriminator" && isJsonObject(value) && typeof value.propertyName === "string";
}

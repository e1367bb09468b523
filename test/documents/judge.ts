import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { ApiDocument, CodedResponse, Operation } from "../../src/openapi/read/api-document.ts";

export interface Judgement {
  readonly verdict: "valid" | "invalid" | "not judged";
  /** Empty unless it is invalid. */
  readonly why: string;
  /** Whether the document gives the body as an example: what is wrong with it then is the author's word. */
  readonly isGiven: boolean;
}

export interface SentResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Judges response bodies by the document alone, apart from the code that makes and checks them. */
export class Judge {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction | undefined>();

  constructor(document: ApiDocument) {
    this.#ajv = new Ajv2020({
      strict: false,
      validateFormats: false,
      allErrors: false,
      code: { regExp: Object.assign(regExp, { code: "regExp" }) },
    });
    this.#ajv.addSchema(plainSchemas(document.root, document.version === "3.0") as JsonObject, "document");
  }

  judge(operation: Operation, { status, type, text }: SentResponse): Judgement {
    const response = responseFor(operation, status);
    if (!response) return { verdict: "invalid", why: `status ${status} is not in the document`, isGiven: false };
    const bare = bareType(type);
    const content = response.contents.find((one) => bareType(one.type) === bare);
    const validate = content?.schema && /[/+]json$/.test(bare) ? this.#validate(content.schema.place) : undefined;
    if (!content || !validate) return { verdict: "not judged", why: "", isGiven: false };
    const isGiven = content.examples.length > 0;
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch {
      return { verdict: "invalid", why: "the body is no JSON", isGiven };
    }
    if (validate(value)) return { verdict: "valid", why: "", isGiven };
    const [error] = validate.errors ?? [];
    return { verdict: "invalid", why: `${error?.instancePath || "/"} ${error?.message}`, isGiven };
  }

  #validate(place: string): ValidateFunction | undefined {
    if (!this.#compiled.has(place)) this.#compiled.set(place, this.#compile(place));
    return this.#compiled.get(place);
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

function responseFor({ responses }: Operation, status: number): CodedResponse | undefined {
  const inRange = ({ code, range }: CodedResponse): boolean =>
    code !== "default" && range !== undefined && status >= range.min && status <= range.max;
  return (
    responses.find(({ code }) => code === String(status)) ??
    responses.find(inRange) ??
    responses.find(({ code }) => code === "default")
  );
}

/** `\\p{L}` needs the flag `u`, which other patterns do not allow. */
function regExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

function bareType(type: string): string {
  return type.split(";", 1)[0]!.trim().toLowerCase();
}

/** The document with the words of OpenAPI's schemas in those of JSON Schema. */
function plainSchemas(value: Json, isOld: boolean): Json {
  if (Array.isArray(value)) return value.map((one) => plainSchemas(one, isOld));
  if (!isJsonObject(value)) return value;
  const plain: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$id" || key === "id" ? typeof inner === "string" : key === "discriminator") continue;
    Object.defineProperty(plain, key, {
      value: plainSchemas(inner, isOld),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  if (typeof plain.$ref === "string" && plain.$ref.startsWith("#")) plain.$ref = `document${plain.$ref}`;
  if (Array.isArray(plain.required) && isJsonObject(plain.properties)) {
    const { properties } = plain;
    plain.required = plain.required.filter((name) => {
      const property = typeof name === "string" && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return !(isJsonObject(property) && property.writeOnly === true);
    });
    if ((plain.required as Json[]).length === 0) delete plain.required;
  }
  if (!isOld) return plain;
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

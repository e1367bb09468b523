import { isJsonObject, type Json } from "../../base/json/json.ts";
import { createPasses } from "../../schema/passes-schema.ts";
import type { References } from "../../schema/references.ts";
import type { MediaContent } from "../read/api-document.ts";
import { eventsOf, isEventType } from "./event-stream.ts";
import { givenBytes, isBinaryType, sampleBytes } from "./sample-bytes.ts";
import type { Sampler } from "./sampler.ts";
import { SchemaReader } from "./schema-reader.ts";
import { xmlText } from "./xml.ts";

/** A body as it is sent. */
export type Body = string | Buffer;

/** Makes the bodies of a document's responses, in their media types. */
export class BodyMaker {
  readonly #references: References;
  readonly #sampler: Sampler;
  readonly #reader: SchemaReader;

  constructor(references: References, sampler: Sampler) {
    this.#references = references;
    this.#sampler = sampler;
    this.#reader = new SchemaReader(references, "response");
  }

  /** The type that a body is sent with: one that fits where the document allows any. */
  typeOf({ type, schema }: MediaContent): string {
    if (!type.includes("*")) return type;
    if (type.startsWith("image/")) return "image/png";
    if (type.startsWith("text/")) return "text/plain";
    return this.#isBinarySchema(schema) ? "application/octet-stream" : "application/json";
  }

  /**
   * The body that an example of the content stands for. Valid or not, it is what the document says; only a text where no
   * text can be, such as the address of an example, gives way to a body made from the schema.
   */
  fromExample(content: MediaContent, example: Json): Body | undefined {
    if (typeof example !== "string") return this.#written(content, example);
    if (this.#isBinary(content)) return givenBytes(example);
    if (isEventType(this.typeOf(content))) return eventsOf(example);
    if (!isJsonType(this.typeOf(content))) return example;
    const meant = this.#meant(content, example);
    return meant === undefined ? this.fromSchema(content) : JSON.stringify(meant);
  }

  /** A body made from the schema, or from an example of it that may have to be completed; undefined if it allows none. */
  fromSchema(content: MediaContent, example?: Json): Body | undefined {
    const type = this.typeOf(content);
    if (this.#isBinary(content) || /^image\//i.test(type)) {
      if (typeof example === "string") return this.fromExample(content, example);
      return sampleBytes(type, this.#sampler.seed, content.place);
    }
    const value = this.#sampler.sample(content.schema!, example === undefined ? {} : { example });
    return value === undefined ? undefined : this.#written(content, value);
  }

  /** Of a type that is made of bytes, some of them: OpenAPI 3.1 describes those without a schema. Otherwise none. */
  withoutSchema(content: MediaContent): Body | undefined {
    const type = this.typeOf(content);
    const isBytes = isBinaryType(type) || /^image\//i.test(type);
    return isBytes ? sampleBytes(type, this.#sampler.seed, content.place) : undefined;
  }

  #written(content: MediaContent, value: Json): Body {
    const type = this.typeOf(content);
    if (isEventType(type)) return eventsOf(value);
    const isXml = isXmlType(type) && !(typeof value === "string" && value.startsWith("<"));
    if (!isXml) return typeof value === "string" && !isJsonType(type) ? value : JSON.stringify(value);
    const { schema } = content;
    const node = schema && { schema: schema.value ?? true, at: schema.place };
    return xmlText(value, node, { reader: this.#reader, passes: createPasses(this.#reader) });
  }

  /** JSON text as the example of a schema that allows no such text is the value that it describes. Undefined for other text. */
  #meant({ schema }: MediaContent, example: string): Json | undefined {
    if (schema && this.#sampler.passes(schema, example)) return example;
    try {
      const parsed = JSON.parse(example) as Json;
      const isMeant = typeof parsed === "object" ? parsed !== null : schema && this.#sampler.passes(schema, parsed);
      return isMeant ? parsed : example;
    } catch {
      const usual = schema && this.#sampler.sample(schema);
      return typeof usual === "object" && usual !== null ? undefined : example;
    }
  }

  #isBinary(content: MediaContent): boolean {
    const type = this.typeOf(content);
    const isText = isJsonType(type) || isXmlType(type) || /^text\//i.test(type);
    return isBinaryType(type) || (!isText && this.#isBinarySchema(content.schema));
  }

  #isBinarySchema(schema: MediaContent["schema"]): boolean {
    const found = schema && this.#references.resolve(schema).value;
    return isJsonObject(found) && found.format === "binary";
  }
}

function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(type);
}

function isXmlType(type: string): boolean {
  return /^[^;]*[/+]xml\s*(;|$)/i.test(type);
}

import type { Json, JsonObject } from "../json.ts";
import type { MediaContent, NamedExample } from "./api-document.ts";
import { type Document, mistake, within } from "./document.ts";
import { completeValue } from "./example-value.ts";
import type { Placed, References } from "./references.ts";

/** The media types of a body. */
export function readContents(document: Document, references: References, contents: Placed): MediaContent[] {
  return references
    .members(contents)
    .map(
      ([type, media]) => new ReadContent(document, references, { type, media, place: within(contents.place, type) }),
    );
}

class ReadContent implements MediaContent {
  readonly #document: Document;
  readonly #references: References;
  readonly #media: Placed<JsonObject> | undefined;
  #examples: readonly NamedExample[] | undefined;
  readonly type: string;
  readonly place: string;

  constructor(document: Document, references: References, found: { type: string; media: Placed; place: string }) {
    this.#document = document;
    this.#references = references;
    this.#media = references.object(found.media);
    this.type = found.type;
    this.place = this.#media?.place ?? found.place;
  }

  get schema(): Placed | undefined {
    const schema = this.#media?.value.schema;
    return schema === undefined ? undefined : { value: schema, place: within(this.place, "schema") };
  }

  get examples(): readonly NamedExample[] {
    this.#examples ??= this.#media ? readExamples(this.#document, this.#references, this.#media) : [];
    return this.#examples;
  }
}

/** `example` first, named "default", then `examples` by their names. References in their values are followed. */
export function readExamples(
  document: Document,
  references: References,
  { value, place }: Placed<JsonObject>,
): NamedExample[] {
  const { example, examples } = value;
  const named = references.members({ value: examples, place: within(place, "examples") });
  const read = named.flatMap(([name, placed]): NamedExample[] => {
    const found = references.object(placed);
    if (found?.value.externalValue !== undefined) {
      const at = `${found.place}/externalValue`;
      throw mistake(document, at, "leads out of the document; put the value itself under value.");
    }
    // OpenAPI 3.2 has `dataValue` beside `serializedValue`.
    const key = found?.value.value === undefined ? "dataValue" : "value";
    const inner = found?.value[key];
    if (!found || inner === undefined) return [];
    return [lazyExample(references, name, { value: inner, place: within(found.place, key) })];
  });
  if (example === undefined) return read;
  return [lazyExample(references, "default", { value: example, place: within(place, "example") }), ...read];
}

function lazyExample(references: References, name: string, placed: Placed<Json>): NamedExample {
  let complete: Json | undefined;
  return {
    name,
    get value() {
      complete ??= completeValue(references, placed);
      return complete;
    },
  };
}

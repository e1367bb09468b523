import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import { fileOf, type Placed, type References } from "../../schema/references.ts";
import type { MediaContent, NamedExample } from "./api-document.ts";
import { completeValue } from "./example-value.ts";
import { valueOfText } from "./json-text.ts";
import { splitPathQuery } from "./path-query.ts";
import { parsePathTemplate } from "./path-template.ts";

/** The media types of a body. */
export function readContents(references: References, contents: Placed): MediaContent[] {
  return references
    .members(contents)
    .map(([type, media]) => new ReadContent(references, { type, media, place: within(contents.place, type) }));
}

class ReadContent implements MediaContent {
  readonly #references: References;
  readonly #media: Placed<JsonObject> | undefined;
  #examples: readonly NamedExample[] | undefined;
  readonly type: string;
  readonly place: string;

  constructor(references: References, found: { type: string; media: Placed; place: string }) {
    this.#references = references;
    this.#media = references.object(found.media);
    this.type = found.type;
    this.place = this.#media?.place ?? found.place;
  }

  get schema(): Placed | undefined {
    const schema = this.#media?.value.schema;
    return schema === undefined ? undefined : { value: schema, place: within(this.place, "schema") };
  }

  get encoding(): JsonObject | undefined {
    const encoding = this.#media?.value.encoding;
    return isJsonObject(encoding) ? encoding : undefined;
  }

  get examples(): readonly NamedExample[] {
    this.#examples ??= this.#media ? readExamples(this.#references, this.#media).map((one) => this.#read(one)) : [];
    return this.#examples;
  }

  /** Many documents write an example of JSON as a text. */
  #read(example: NamedExample): NamedExample {
    if (!/[/+]json\b/i.test(this.type)) return example;
    const { schema } = this;
    const references = this.#references;
    let parsed: Json | undefined;
    return {
      ...example,
      get value() {
        parsed ??= valueOfText(schema && references.follow(schema).value, example.value);
        return parsed;
      },
    };
  }
}

/** `example` first, named "default", then `examples` by their names. References in their values are followed. */
export function readExamples(references: References, { value, place }: Placed<JsonObject>): NamedExample[] {
  const { example, examples } = value;
  const named = references.members({ value: examples, place: within(place, "examples") });
  const read = named.flatMap(([name, placed]): NamedExample[] => {
    const found = references.object(placed);
    const given = found && exampleValue(references, found);
    return given ? [lazyExample(references, { name, ...placeOf(found.value) }, given)] : [];
  });
  if (example === undefined) return read;
  return [lazyExample(references, { name: "default" }, { value: example, place: within(place, "example") }), ...read];
}

/** OpenAPI 3.2 has two further names for the value. One in another file counts if it could be loaded. */
function exampleValue(references: References, { value, place }: Placed<JsonObject>): Placed<Json> | undefined {
  for (const key of ["value", "dataValue", "serializedValue"]) {
    if (value[key] !== undefined) return { value: value[key], place: within(place, key) };
  }
  if (typeof value.externalValue !== "string") return undefined;
  const content = references.target(value.externalValue, fileOf(place))?.value;
  return content === undefined ? undefined : { value: content, place: `${place}/externalValue` };
}

/** The query and the path that a recorded example belongs to. */
function placeOf({
  "x-standin-query": query,
  "x-standin-path": path,
}: JsonObject): Pick<NamedExample, "query" | "path"> {
  return {
    query: typeof query === "string" ? splitPathQuery(`?${query}`).query : undefined,
    path: typeof path === "string" ? parsePathTemplate(path, "single") : undefined,
  };
}

function lazyExample(
  references: References,
  named: Pick<NamedExample, "name" | "query" | "path">,
  placed: Placed<Json>,
): NamedExample {
  let complete: Json | undefined;
  return {
    ...named,
    get value() {
      complete ??= completeValue(references, placed);
      return complete;
    },
  };
}

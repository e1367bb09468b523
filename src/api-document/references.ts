import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type Document, kindOf, mistake, within } from "./document.ts";

/** A value of a document and where it stands. */
export interface Placed<T extends Json | undefined = Json | undefined> {
  readonly value: T;
  readonly place: string;
}

/** Follows `$ref` within a document; what leads out of it, nowhere, or round in a circle is a mistake. */
export class References {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  /** The value itself, or what its `$ref` leads to. */
  resolve({ value, place }: Placed): Placed {
    const passed = new Set<string>();
    let [current, at] = [value, place];
    while (isJsonObject(current) && typeof current.$ref === "string") {
      const reference = current.$ref;
      if (passed.has(reference)) throw mistake(this.#document, at, `the reference ${reference} leads back to itself.`);
      passed.add(reference);
      [current, at] = [this.#target(reference, `${at}/$ref`), reference];
    }
    return { value: current, place: at };
  }

  /** The same for what must be an object; undefined where there is nothing. */
  object({ value, place }: Placed): Placed<JsonObject> | undefined {
    const { value: found, place: at } = this.resolve({ value, place });
    if (found === undefined || found === null) return undefined;
    if (isJsonObject(found)) return { value: found, place: at };
    throw mistake(this.#document, at, `must be an object, but is ${kindOf(found)}.`);
  }

  /** The members of an object, each resolved and in its place. */
  members(parent: Placed): [key: string, member: Placed][] {
    const found = this.object(parent);
    if (!found) return [];
    return Object.entries(found.value).map(([key, value]) => [
      key,
      this.resolve({ value, place: within(found.place, key) }),
    ]);
  }

  #target(reference: string, place: string): Json {
    if (!reference.startsWith("#")) {
      throw mistake(
        this.#document,
        place,
        `"${reference}" leads out of the document. Only references within it (#/...) are followed; bundle the document ` +
          "into one file first, for example with npx @redocly/cli bundle.",
      );
    }
    let current: Json | undefined = this.#document.root;
    for (const part of pointerParts(reference)) {
      const isHere: boolean = typeof current === "object" && current !== null && Object.hasOwn(current, part);
      current = isHere ? (current as JsonObject)[part] : undefined;
      if (current === undefined) throw mistake(this.#document, place, `"${reference}" leads nowhere.`);
    }
    return current;
  }
}

function pointerParts(reference: string): string[] {
  const pointer = reference.slice(1).replace(/^\//, "");
  if (pointer === "") return [];
  return pointer.split("/").map((part) => decoded(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { type Document, kindOf, mistake, within } from "./document.ts";
import { fileOf, locate } from "./files/location.ts";
import { valueAt } from "./files/pointer.ts";

/**
 * A value of a document and where it stands: `#/info` in the document itself, `schemas/pet.yaml#/properties` in a file
 * beside it, `https://example.com/pet.yaml#` elsewhere.
 */
export interface Placed<T extends Json | undefined = Json | undefined> {
  readonly value: T;
  readonly place: string;
}

/** The files that a document is made of. */
export interface LoadedFiles {
  /** By their names, as in places; the document itself is "". */
  readonly files: ReadonlyMap<string, Json>;
  /** The files of references that do not stand in the document itself: schemas are merged, and then go by other places. */
  readonly origins: WeakMap<object, string>;
  /** Files that were not read, because they are outside the document's folder. */
  readonly outside: readonly string[];
}

/** Follows `$ref`, also into other files, which are all loaded. What leads nowhere or round in a circle is a mistake. */
export class References {
  readonly #document: Document;
  readonly #files: ReadonlyMap<string, Json>;
  readonly #origins: WeakMap<object, string> | undefined;
  /** By the file that a reference stands in, and its text. */
  readonly #targets = new Map<string, Placed<Json>>();

  constructor(document: Document, loaded?: LoadedFiles) {
    this.#document = document;
    this.#files = new Map([...(loaded?.files ?? []), ["", document.root]]);
    this.#origins = loaded && loaded.files.size > 1 ? loaded.origins : undefined;
  }

  /** The value itself, or what its `$ref` leads to. */
  resolve(placed: Placed): Placed {
    if (!isReference(placed.value)) return placed;
    const passed = new Set<string>();
    let current: Placed = placed;
    while (isReference(current.value)) {
      const { place } = current;
      if (passed.has(place)) {
        throw mistake(this.#document, place, `the reference ${current.value.$ref} leads back to itself.`);
      }
      passed.add(place);
      current = this.#target(current.value.$ref, place, this.#origins?.get(current.value) ?? fileOf(place));
    }
    return current;
  }

  /** Throws where references lead round in a circle, anywhere in the files: requests would meet it only later. */
  refuseLoops(): void {
    const left: Placed[] = [...this.#files].map(([file, value]) => ({ value, place: `${file}#` }));
    for (let placed = left.pop(); placed; placed = left.pop()) {
      const { value, place } = placed;
      if (typeof value !== "object" || value === null) continue;
      if (isReference(value) && this.#isLoop(placed)) this.resolve(placed);
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === "object" && inner !== null) left.push({ value: inner, place: within(place, key) });
      }
    }
  }

  /** A reference that leads nowhere is none: it matters only where it is used. */
  #isLoop(placed: Placed): boolean {
    const passed = new Set<unknown>();
    let current: Placed = placed;
    while (isReference(current.value)) {
      if (passed.has(current.value)) return true;
      passed.add(current.value);
      const from = this.#origins?.get(current.value) ?? fileOf(current.place);
      const { file, pointer } = locate(this.#document.file, from, current.value.$ref);
      const root = this.#files.get(file);
      const value = root === undefined ? undefined : valueAt(root, pointer);
      current = { value, place: `${file}#` };
    }
    return false;
  }

  /** The same for what must be an object; undefined where there is nothing. */
  object(placed: Placed): Placed<JsonObject> | undefined {
    const { value, place } = this.resolve(placed);
    if (value === undefined || value === null) return undefined;
    if (isJsonObject(value)) return { value, place };
    throw mistake(this.#document, place, `must be an object, but is ${kindOf(value)}.`);
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

  /** The content of a file that a value at this place names; undefined where it could not be loaded. */
  content(name: string, place: string): Json | undefined {
    const { file, pointer } = locate(this.#document.file, fileOf(place), name);
    const root = this.#files.get(file);
    return root === undefined ? undefined : valueAt(root, pointer);
  }

  #target(reference: string, place: string, from: string): Placed<Json> {
    const key = `${from} ${reference}`;
    const known = this.#targets.get(key);
    if (known) return known;
    const { file, pointer } = locate(this.#document.file, from, reference);
    const root = this.#files.get(file);
    const value = root === undefined ? undefined : valueAt(root, pointer);
    if (value === undefined) throw mistake(this.#document, `${place}/$ref`, `"${reference}" leads nowhere.`);
    const found = { value, place: pointer.reduce(within, `${file}#`) };
    this.#targets.set(key, found);
    return found;
  }
}

export function isReference(value: Json | undefined): value is { $ref: string } {
  return isJsonObject(value) && typeof value.$ref === "string";
}

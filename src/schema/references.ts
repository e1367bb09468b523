import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { percentDecoded, pointerOf, valueAtPointer, within } from "./pointer.ts";

export type Schema = JsonObject | boolean;

/**
 * A value of a document and where it stands: `#/info` in the document itself, `schemas/pet.yaml#/properties` in a file
 * beside it, `https://example.com/pet.yaml#` elsewhere.
 */
export interface Placed<T extends Json | undefined = Json | undefined> {
  readonly value: T;
  readonly place: string;
}

/** A file by its name in places, and the steps to a value in it. */
export interface Location {
  readonly file: string;
  readonly pointer: readonly string[];
}

interface ReferenceOptions {
  /** By their names, as in places; the document itself is "". */
  readonly files: ReadonlyMap<string, Json>;
  /** Where a reference in a file leads to; undefined for nowhere. */
  locate(from: string, reference: string): Location | undefined;
  /** The files of references that do not stand in the document itself: schemas are merged, and then go by other places. */
  readonly origins?: WeakMap<object, string> | undefined;
  /** The error for a mistake at a place. */
  fail(place: string, problem: string): Error;
}

/** Follows references, also into other files, which are all loaded. */
export class References {
  readonly #options: ReferenceOptions;
  /** By the file that a reference stands in, and its text. */
  readonly #targets = new Map<string, Placed<Json> | undefined>();
  readonly #followed = new WeakMap<object, Placed>();

  constructor(options: ReferenceOptions) {
    this.#options = options;
  }

  /** The value that a reference in a file leads to; undefined for nowhere. */
  target(reference: string, from = ""): Placed<Json> | undefined {
    const key = `${from} ${reference}`;
    const known = this.#targets.get(key);
    if (known) return known;
    const location = this.#options.locate(from, reference);
    const root = location && this.#options.files.get(location.file);
    if (!location || root === undefined) return undefined;
    const value = valueAtPointer(root, location.pointer);
    if (value === undefined) return undefined;
    const found = { value, place: location.pointer.reduce(within, `${location.file}#`) };
    this.#targets.set(key, found);
    return found;
  }

  /** The value itself, or what its `$ref` leads to. A reference to nothing, or to itself in a circle, is a mistake. */
  resolve(placed: Placed): Placed {
    if (!isReference(placed.value)) return placed;
    const passed = new Set<string>();
    let current: Placed = placed;
    while (isReference(current.value)) {
      const { value, place } = current;
      if (passed.has(place)) throw this.#options.fail(place, `the reference ${value.$ref} leads back to itself.`);
      passed.add(place);
      const target = this.#next(current as Placed<{ $ref: string }>);
      if (!target) throw this.#options.fail(`${place}/$ref`, `"${value.$ref}" does not exist.`);
      current = target;
    }
    return current;
  }

  /** The same where mistakes are of no concern: the value is undefined then. */
  follow(placed: Placed): Placed {
    const { value, place } = placed;
    if (!isReference(value)) return placed;
    let found = this.#followed.get(value);
    if (!found) {
      try {
        found = this.resolve(placed);
      } catch {
        found = { value: undefined, place };
      }
      this.#followed.set(value, found);
    }
    return found;
  }

  /** Throws where references lead round in a circle, in files of which these are the places that references lead to. */
  refuseLoops(places: Iterable<Location>): void {
    for (const { file, pointer } of places) {
      const root = this.#options.files.get(file);
      const value = root === undefined ? undefined : valueAtPointer(root, pointer);
      if (root !== undefined && isReference(value) && this.#isLoop({ value, place: `${file}#` })) {
        this.#refuseLoop(file, root);
      }
    }
  }

  #refuseLoop(file: string, root: Json): void {
    const left: Placed[] = [{ value: root, place: `${file}#` }];
    for (let placed = left.pop(); placed; placed = left.pop()) {
      const { value, place } = placed;
      if (typeof value !== "object" || value === null) continue;
      if (isReference(value) && this.#isLoop({ value, place })) this.resolve(placed);
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === "object" && inner !== null) left.push({ value: inner, place: within(place, key) });
      }
    }
  }

  /** The same for what must be an object; undefined where there is nothing. */
  object(placed: Placed): Placed<JsonObject> | undefined {
    const { value, place } = this.resolve(placed);
    if (value === undefined || value === null) return undefined;
    if (isJsonObject(value)) return { value, place };
    const kind = Array.isArray(value) ? "a list" : JSON.stringify(value).slice(0, 40);
    throw this.#options.fail(place, `must be an object, but is ${kind}.`);
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

  /** A reference that leads nowhere is none: it matters only where it is used. */
  #isLoop(placed: Placed<{ $ref: string }>): boolean {
    let current = this.#next(placed);
    if (!current || !isReference(current.value)) return false;
    const passed = new Set<unknown>([placed.value]);
    while (current && isReference(current.value)) {
      if (passed.has(current.value)) return true;
      passed.add(current.value);
      current = this.#next(current as Placed<{ $ref: string }>);
    }
    return false;
  }

  #next({ value, place }: Placed<{ $ref: string }>): Placed | undefined {
    return this.target(value.$ref, this.#options.origins?.get(value) ?? fileOf(place));
  }
}

/** The references inside one schema, by pointers and by anchors. Others lead nowhere. */
export function schemaReferences(root: JsonObject): References {
  let anchors: ReadonlyMap<string, readonly string[]> | undefined;
  return new References({
    files: new Map([["", root]]),
    locate(_, reference) {
      if (leavesSchema(reference, root)) return undefined;
      const fragment = reference.includes("#") ? reference.slice(reference.indexOf("#") + 1) : "";
      if (fragment !== "" && !fragment.startsWith("/")) {
        anchors ??= anchorsIn(root);
        const pointer = anchors.get(percentDecoded(fragment));
        return pointer && { file: "", pointer };
      }
      return { file: "", pointer: pointerOf(fragment) };
    },
    fail: (place, problem) => new Error(`${place}: ${problem}`),
  });
}

/** Whether a reference names another schema. */
export function leavesSchema(reference: string, { $id }: JsonObject): boolean {
  const [address] = reference.split("#", 1);
  return address !== "" && !(typeof $id === "string" && address === $id.replace(/#$/, ""));
}

function anchorsIn(root: Json): ReadonlyMap<string, readonly string[]> {
  const anchors = new Map<string, readonly string[]>();
  const visit = (value: Json, path: readonly string[]): void => {
    if (typeof value !== "object" || value === null) return;
    const { $anchor, $dynamicAnchor } = value as JsonObject;
    for (const name of [$anchor, $dynamicAnchor]) {
      if (typeof name === "string" && !anchors.has(name)) anchors.set(name, path);
    }
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  visit(root, []);
  return anchors;
}

/** The file that a place stands in. */
export function fileOf(place: string): string {
  return place.slice(0, place.indexOf("#"));
}

export function isReference(value: Json | undefined): value is { $ref: string } {
  return isJsonObject(value) && typeof value.$ref === "string";
}

/**
 * The schemas that apply to the same value, each once: one itself, what references lead to, and the parts under these
 * keywords. `allOf` alone gives the parts that hold without a condition.
 */
export function partsOf(
  schema: Placed,
  references: References,
  keywords: readonly ("allOf" | "anyOf" | "oneOf")[] = ["allOf"],
): Placed<JsonObject>[] {
  const found = new Map<JsonObject, Placed<JsonObject>>();
  const visit = (one: Placed): void => {
    const { value, place } = one;
    if (!isJsonObject(value) || found.has(value)) return;
    found.set(value, { value, place });
    if (typeof value.$ref === "string") visit(references.follow(one));
    for (const keyword of keywords) {
      const list = value[keyword];
      if (!Array.isArray(list)) continue;
      for (const [at, part] of list.entries()) visit({ value: part, place: within(`${place}/${keyword}`, at) });
    }
  };
  visit(schema);
  return [...found.values()];
}

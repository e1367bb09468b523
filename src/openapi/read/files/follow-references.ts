import { messageOf } from "../../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { valueAtPointer, within } from "../../../schema/pointer.ts";
import { isReference, type Location } from "../../../schema/references.ts";
import { type Document, mistake } from "../document.ts";
import { hasNames, isValueKey } from "./keywords.ts";
import { locate, sourceOf } from "./location.ts";
import { parseText } from "./parse-text.ts";
import { hostOf, isPrivate } from "./private-host.ts";
import { readInside } from "./read-inside.ts";
import { fetchText, isAddress, OutsideReference, readFile } from "./read-text.ts";

/** A document split over more files than this is not one that somebody wrote. */
const MAX_FILES = 20_000;
const TEXT_FILE = /\.(md|txt|html?|xml|csv)$/i;

/** The files that a document is made of. */
export interface LoadedFiles {
  /** By their names, as in places; the document itself is "". */
  readonly files: ReadonlyMap<string, Json>;
  /** The files of references that do not stand in the document itself. */
  readonly origins: WeakMap<object, string>;
  /** Files and addresses that were not read, because they are outside the document's folder or on a private host. */
  readonly outside: readonly string[];
  /** The places that references lead to. */
  readonly places: Iterable<Location>;
  /** References to shared schemas that the document lacks. */
  readonly missing: ReadonlySet<string>;
}

/** A reference that was met. */
interface Met {
  /** The file that it stands in, and the keys that lead to it there. */
  readonly from: string;
  readonly path: readonly string[];
  readonly reference: string;
  /** Whether an operation needs it: nothing else may be missing without being told. */
  readonly isNeeded: boolean;
  /** The object that has it as its `$ref`. */
  readonly holder?: { $ref: string };
}

/**
 * Loads the files and addresses that a document refers to, and those that they refer to. The files an operation needs must
 * be there.
 */
export async function followReferences(document: Document): Promise<LoadedFiles> {
  const follower = new Follower(document);
  const { paths, ...rest } = document.root;
  await follower.follow("paths", paths, true);
  for (const [key, value] of Object.entries(rest)) await follower.follow(key, value, false);
  return follower;
}

/** Whether a place is that of a schema which the document itself shares. */
export function isSharedSchema({ file, pointer }: Location): boolean {
  const [first, second] = pointer;
  const names = first === "components" && second === "schemas" ? 2 : isOfDefinitions(first) ? 1 : 0;
  return file === "" && names > 0 && pointer.length === names + 1;
}

function isOfDefinitions(name: string | undefined): boolean {
  return name === "definitions" || name === "$defs";
}

class Follower implements LoadedFiles {
  readonly #document: Document;
  readonly files = new Map<string, Json>();
  readonly origins = new WeakMap<object, string>();
  readonly outside: string[] = [];
  readonly missing = new Set<string>();
  /** Why a file could not be loaded. */
  readonly #failed = new Map<string, string>();
  readonly #seen = new WeakSet<object>();
  readonly #locations = new Map<string, Location>();
  #met: Met[] = [];

  constructor(document: Document) {
    this.#document = document;
    this.files.set("", document.root);
  }

  get places(): Iterable<Location> {
    return this.#locations.values();
  }

  async follow(key: string, value: Json | undefined, isNeeded: boolean): Promise<void> {
    this.#walkFrom("", [key], value, isNeeded);
    while (this.#met.length > 0) {
      const met = this.#met;
      this.#met = [];
      await this.#loadAll(met);
      for (const one of met) this.#enter(one);
    }
  }

  #walkFrom(from: string, path: readonly string[], value: Json | undefined, isNeeded: boolean): void {
    const isNamed = path.reduce((isName, key) => hasNames(key, isName), false);
    this.#walk(value, { from, path: [...path] }, isNamed, isNeeded);
  }

  /** Walks a value and notes the references in it. `isNamed`: its members have names that people choose. */
  #walk(value: Json | undefined, at: { from: string; path: string[] }, isNamed: boolean, isNeeded: boolean): void {
    if (typeof value !== "object" || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    if (isReference(value)) {
      this.#met.push({ from: at.from, path: [...at.path], reference: value.$ref, isNeeded, holder: value });
      if (at.from !== "") this.origins.set(value, at.from);
    }
    const { externalValue } = value as JsonObject;
    if (typeof externalValue === "string") {
      this.#met.push({ from: at.from, path: [...at.path], reference: externalValue, isNeeded: false });
    }
    for (const key in value) {
      const inner = (value as JsonObject)[key]!;
      if (typeof inner !== "object" || (!isNamed && key.startsWith("x-"))) continue;
      if (key === "discriminator" && isJsonObject(inner)) this.#noteMapping(inner, at);
      at.path.push(key);
      const isData = !isNamed && isValueKey(key, inner);
      this.#walk(inner, at, hasNames(key, isNamed), isNeeded && !isData);
      at.path.pop();
    }
  }

  /** A discriminator names schemas by references, or by names that are none. */
  #noteMapping({ mapping }: JsonObject, { from, path }: { from: string; path: string[] }): void {
    for (const reference of Object.values(isJsonObject(mapping) ? mapping : {})) {
      if (typeof reference === "string" && /[#/]|\.\w+$/.test(reference)) {
        this.#met.push({ from, path: [...path], reference, isNeeded: false });
      }
    }
  }

  async #loadAll(met: readonly Met[]): Promise<void> {
    const remote: Promise<void>[] = [];
    for (const { from, reference } of met) {
      const { file } = this.#locate(from, reference);
      if (this.files.has(file) || this.#failed.has(file)) continue;
      // Kept from being loaded twice.
      this.#failed.set(file, "");
      if (isAddress(file)) remote.push(this.#load(file, from));
      else await this.#load(file, from);
    }
    await Promise.all(remote);
  }

  #locate(from: string, reference: string): Location {
    const key = `${from} ${reference}`;
    const known = this.#locations.get(key) ?? locate(this.#document.file, from, reference);
    this.#locations.set(key, known);
    return known;
  }

  async #load(file: string, from: string): Promise<void> {
    try {
      if (this.files.size >= MAX_FILES) throw new Error(`more than ${MAX_FILES} files are referred to.`);
      const source = sourceOf(this.#document.file, file);
      if (isAddress(sourceOf(this.#document.file, from)) && !isAddress(source)) {
        throw new Error("a document from the network cannot refer to files.");
      }
      const text = isAddress(source) ? await this.#fetchText(source) : this.#read(source);
      this.files.set(file, TEXT_FILE.test(source) ? text : await parseText(file, text, "any"));
      this.#failed.delete(file);
    } catch (thrown) {
      if (thrown instanceof OutsideReference) this.outside.push(file);
      this.#failed.set(file, messageOf(thrown));
    }
  }

  /** Clients may not reach the hosts that this machine can: their content is not for them. */
  #fetchText(source: string): Promise<string> {
    const { file, allowsOutside } = this.#document;
    if (allowsOutside) return fetchText(source);
    return fetchText(source, async (address) => {
      if ((isAddress(file) && hostOf(file) === hostOf(address)) || !(await isPrivate(address))) return;
      throw new OutsideReference(`${address} is on a private host; --allow-outside-refs allows that.`);
    });
  }

  #read(path: string): string {
    const { file, allowsOutside } = this.#document;
    return allowsOutside || isAddress(file) ? readFile(path) : readInside(file, path);
  }

  /**
   * Where the schema around a reference defines what it names: generators write schemas with `$defs` of their own into
   * documents, whose references were meant for the schema alone.
   */
  #definedAround(from: string, path: readonly string[], [first, name, ...more]: readonly string[]) {
    const root = this.files.get(from);
    if (root === undefined || first === undefined || !isOfDefinitions(first) || name === undefined) return undefined;
    for (let depth = path.length - 1; depth > 0; depth--) {
      const place = [...path.slice(0, depth), first, name, ...more];
      if (valueAtPointer(root, place) !== undefined) return place;
    }
    return undefined;
  }

  #enter({ from, path, reference, isNeeded, holder }: Met): void {
    const { file, pointer } = this.#locate(from, reference);
    const root = this.files.get(file);
    const found = root === undefined ? undefined : valueAtPointer(root, pointer);
    if (found === undefined) {
      const around = holder && file === from ? this.#definedAround(from, path, pointer) : undefined;
      if (holder && around) {
        holder.$ref = around.reduce(within, "#");
        this.#enter({ from, path, reference: holder.$ref, isNeeded });
        return;
      }
      if (!isNeeded) return;
      if (isSharedSchema({ file, pointer })) {
        this.missing.add(reference);
        return;
      }
      const why = this.#failed.get(file);
      const place = path.reduce(within, `${from}#`);
      throw mistake(this.#document, `${place}/$ref`, `"${reference}"${why ? `: ${why}` : " does not exist."}`);
    }
    if (typeof found === "object" && found !== null && !this.#seen.has(found)) {
      this.#walkFrom(file, pointer, found, isNeeded);
    }
  }
}

import { messageOf } from "../../errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { type Document, mistake, within } from "../document.ts";
import { isReference, type LoadedFiles } from "../references.ts";
import { hasNames, isValueKey } from "./keywords.ts";
import { locate, sourceOf } from "./location.ts";
import { parseText } from "./parse-text.ts";
import { valueAt } from "./pointer.ts";
import { isAddress, readAddress, readFile } from "./read-text.ts";

/** A document split over more files than this is not one that somebody wrote. */
const MAX_FILES = 20_000;
const TEXT_FILE = /\.(md|txt|html?)$/i;

/** A reference that was met, and how. */
interface Met {
  readonly from: string;
  readonly reference: string;
  readonly trail: Trail | undefined;
  /** Whether an operation needs it: nothing else may be missing without being told. */
  readonly isNeeded: boolean;
}

/** The keys that lead to a value, the last one first: a place is written only for messages. */
interface Trail {
  readonly key: string;
  readonly above: Trail | undefined;
  /** Whether the members of the value have names of their own. */
  readonly isNamed: boolean;
}

/**
 * Loads the files and addresses that a document refers to, and those that they refer to. What an operation needs must
 * be there.
 */
export async function followReferences(document: Document): Promise<LoadedFiles> {
  const follower = new Follower(document);
  const { paths, ...rest } = document.root;
  await follower.follow(paths, below(undefined, "paths"), true);
  for (const [key, value] of Object.entries(rest)) await follower.follow(value, below(undefined, key), false);
  return follower;
}

class Follower implements LoadedFiles {
  readonly #document: Document;
  readonly files = new Map<string, Json>();
  readonly origins = new WeakMap<object, string>();
  /** Why a file could not be loaded. */
  readonly #failed = new Map<string, string>();
  readonly #seen = new WeakSet<object>();
  #met: Met[] = [];

  constructor(document: Document) {
    this.#document = document;
    this.files.set("", document.root);
  }

  async follow(value: Json | undefined, trail: Trail | undefined, isNeeded: boolean): Promise<void> {
    this.#walk(value, { from: "", trail, isNeeded });
    while (this.#met.length > 0) {
      const met = this.#met;
      this.#met = [];
      await this.#loadAll(met);
      for (const one of met) this.#enter(one);
    }
  }

  /** Walks a value and notes the references in it. */
  #walk(value: Json | undefined, at: Omit<Met, "reference">): void {
    if (typeof value !== "object" || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    const { from, trail, isNeeded } = at;
    if (isReference(value)) {
      this.#met.push({ from, reference: value.$ref, trail, isNeeded });
      if (from !== "") this.origins.set(value, from);
    }
    const { discriminator } = value as JsonObject;
    if (isJsonObject(discriminator)) this.#noteMapping(discriminator, at);
    const isNamed = trail?.isNamed ?? false;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== "object" || (!isNamed && key.startsWith("x-"))) continue;
      const isData = !isNamed && isValueKey(key, inner);
      this.#walk(inner, { from, trail: below(trail, key), isNeeded: isNeeded && !isData });
    }
  }

  /** A discriminator names schemas by references, or by names that are none. */
  #noteMapping({ mapping }: JsonObject, { from, trail }: Omit<Met, "reference">): void {
    for (const reference of Object.values(isJsonObject(mapping) ? mapping : {})) {
      if (typeof reference === "string" && /[#/]|\.\w+$/.test(reference)) {
        this.#met.push({ from, reference, trail, isNeeded: false });
      }
    }
  }

  async #loadAll(met: readonly Met[]): Promise<void> {
    const remote: Promise<void>[] = [];
    for (const { from, reference } of met) {
      const { file } = locate(this.#document.file, from, reference);
      if (this.files.has(file) || this.#failed.has(file)) continue;
      // Kept from being loaded twice.
      this.#failed.set(file, "");
      if (isAddress(file)) remote.push(this.#load(file, from));
      else await this.#load(file, from);
    }
    await Promise.all(remote);
  }

  async #load(file: string, from: string): Promise<void> {
    try {
      if (this.files.size >= MAX_FILES) throw new Error(`more than ${MAX_FILES} files are referred to.`);
      const source = sourceOf(this.#document.file, file);
      if (isAddress(sourceOf(this.#document.file, from)) && !isAddress(source)) {
        throw new Error("a document from the network cannot refer to files.");
      }
      const text = isAddress(source) ? await readAddress(source) : readFile(source);
      this.files.set(file, TEXT_FILE.test(source) ? text : await parseText(file, text, "any"));
      this.#failed.delete(file);
    } catch (thrown) {
      this.#failed.set(file, messageOf(thrown));
    }
  }

  #enter({ from, reference, trail, isNeeded }: Met): void {
    const { file, pointer } = locate(this.#document.file, from, reference);
    const root = this.files.get(file);
    const found = root === undefined ? undefined : valueAt(root, pointer);
    if (found === undefined) {
      if (!isNeeded) return;
      const why = this.#failed.get(file);
      const place = `${placeOf(from, trail)}/$ref`;
      throw mistake(this.#document, place, `"${reference}" leads nowhere${why ? `: ${why}` : "."}`);
    }
    this.#walk(found, { from: file, trail: trailOf(pointer), isNeeded });
  }
}

function below(above: Trail | undefined, key: string): Trail {
  return { key, above, isNamed: hasNames(key, above?.isNamed ?? false) };
}

function trailOf(pointer: readonly string[]): Trail | undefined {
  return pointer.reduce<Trail | undefined>(below, undefined);
}

function placeOf(from: string, trail: Trail | undefined): string {
  const keys: string[] = [];
  for (let at = trail; at; at = at.above) keys.unshift(at.key);
  return keys.reduce(within, `${from}#`);
}

import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, keepDigits, setField, stringifyJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { isTooDeep } from "../../store/nesting.ts";
import type { InnerRequest } from "./read-batch.ts";

/** `{{co.id}}`: the name of a request, and the way to a value in its response. */
const REFERENCE = /\{\{([A-Za-z][\w-]*)\.([^{}]+)\}\}/g;
/** The name alone, which is likely to be a mistake. */
const WHOLE = /\{\{([A-Za-z][\w-]*)\}\}/g;
/** As deep as a body may be. */
const MAX_DEPTH = 200;

/** Letters put in the place of references: without a limit, a few references to each other would fill the memory. */
const MAX_LETTERS = 1_000_000;

/** The places of a request that have references. */
export interface ReferencesIn {
  readonly inPath: boolean;
  readonly inBody: boolean;
}

export const NO_REFERENCES: ReferencesIn = { inPath: false, inBody: false };

/** Finds the references of the next request; throws for those that can never be resolved. */
export type FindReferences = (request: InnerRequest) => ReferencesIn;

/** Looks through the requests of a batch, which must come in order. */
export function createReferenceFinder(requests: readonly InnerRequest[]): FindReferences {
  const all = requests.flatMap(({ as }) => as ?? []);
  const earlier = new Set<string>();
  const check = (text: string): boolean => {
    const whole = [...text.matchAll(WHOLE)].find(([, name = ""]) => earlier.has(name));
    if (whole) throw invalid(`${whole[0]} is a whole response; name one of its fields, as in {{${whole[1]}.id}}.`);
    const names = [...text.matchAll(REFERENCE)].map(([, name = ""]) => name);
    const wrong = names.find((name) => !earlier.has(name));
    if (wrong !== undefined) throw unknownName(wrong, all);
    return names.length > 0;
  };
  return ({ path, body, as }) => {
    const found = { inPath: check(path), inBody: body !== undefined && hasReference(body, check) };
    if (as !== undefined) earlier.add(as);
    return found;
  };
}

function hasReference(value: Json, check: (text: string) => boolean): boolean {
  if (typeof value === "string") return value.includes("{{") && check(value);
  if (typeof value !== "object" || value === null) return false;
  let isFound = false;
  if (!Array.isArray(value)) {
    const key = Object.keys(value).find((name) => name.search(REFERENCE) !== -1);
    if (key !== undefined) throw invalid(`The key ${JSON.stringify(key)} has a reference; only values can.`);
  }
  for (const inner of Object.values(value)) if (hasReference(inner, check)) isFound = true;
  return isFound;
}

function unknownName(name: string, all: readonly string[]): StandinError {
  if (all.includes(name)) return invalid(`"${name}" is not the name of an earlier request: requests run in order.`);
  return invalid(`No request of the batch is named "${name}".${didYouMean(name, all)}`);
}

/** The responses of named requests, and the values in them. */
export class NamedResponses {
  readonly #bodies = new Map<string, Json>();
  #letters = 0;

  set(name: string, body: Json): void {
    this.#bodies.set(name, body);
  }

  /** The path with the values in the place of references, percent-encoded. */
  inPath(path: string): string {
    return path.replace(REFERENCE, (_, name: string, way: string) => encodeURIComponent(this.#text(name, way)));
  }

  /** A copy with the values in the place of references. */
  inBody(body: Json): Json {
    const resolved = this.#resolve(body);
    if (!isTooDeep(resolved, MAX_DEPTH)) return resolved;
    throw new StandinError("BODY_TOO_DEEP", `The body is nested deeper than ${MAX_DEPTH} levels.`);
  }

  #resolve(value: Json): Json {
    if (typeof value === "string") return value.includes("{{") ? this.#inText(value) : value;
    if (Array.isArray(value)) return value.map((inner) => this.#resolve(inner));
    if (!isJsonObject(value)) return value;
    const resolved: JsonObject = {};
    for (const [key, inner] of Object.entries(value)) setField(resolved, key, this.#resolve(inner));
    return keepDigits(resolved, value);
  }

  #inText(text: string): Json {
    const [[whole, name = "", way = ""] = []] = text.matchAll(REFERENCE);
    if (whole === text) {
      const value = this.#valueOf(name, way);
      this.#count(typeof value === "object" ? stringifyJson(value).length : String(value).length);
      return value;
    }
    return text.replace(REFERENCE, (_, name: string, way: string) => this.#text(name, way));
  }

  #text(name: string, way: string): string {
    const value = this.#valueOf(name, way);
    if (typeof value === "object") {
      const kind = value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
      throw invalid(`{{${name}.${way}}} is ${kind}, which cannot be part of a string.`);
    }
    const text = String(value);
    this.#count(text.length);
    return text;
  }

  #valueOf(name: string, way: string): Json {
    let value: Json = this.#bodies.get(name) ?? null;
    for (const key of way.split(".")) {
      const inner = memberOf(value, key);
      if (inner === undefined)
        throw invalid(`{{${name}.${way}}}: the response of "${name}" has no ${JSON.stringify(key)} there.`);
      value = inner;
    }
    return value;
  }

  #count(letters: number): void {
    this.#letters += letters;
    if (this.#letters <= MAX_LETTERS) return;
    throw new StandinError(
      "BODY_TOO_LARGE",
      `The references of a batch stand for more than ${MAX_LETTERS} characters.`,
    );
  }
}

function memberOf(value: Json, key: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) && Object.hasOwn(value, key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function invalid(message: string): StandinError {
  return new StandinError("BATCH_REFERENCE_INVALID", message);
}

import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { didYouMean } from "../base/nearest.ts";

/** The values that a key may have. */
interface Allowed<T extends Json> {
  /** For messages. */
  readonly allowed: string;
  readonly isAllowed: (value: Json) => value is T;
  readonly fallback?: NoInfer<T>;
}

interface IntegerRange {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** Reads the settings of one layer; every problem is a `StartError` that names file, key, the value and what is allowed. */
export class LayerSettings {
  readonly #values: JsonObject;
  readonly #file: string;
  readonly #path: string;
  readonly #known = new Set<string>();

  /** `file` and `path` are where the settings stand, such as `standin.json` and `layers.api-key`. */
  constructor(values: Json | undefined, file: string, path: string) {
    this.#file = file;
    this.#path = path;
    if (values !== undefined && !isJsonObject(values)) throw this.#wrong("", values, "an object");
    this.#values = values ?? {};
  }

  /** The value of a key, checked; the fallback when the key is absent, an error when there is none. */
  read<T extends Json>(name: string, { allowed, isAllowed, fallback }: Allowed<T>): T {
    this.#known.add(name);
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    if (value === undefined) {
      if (fallback !== undefined) return fallback;
      throw this.#missing(name, allowed);
    }
    if (!isAllowed(value)) throw this.#wrong(name, value, allowed);
    return value;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  integer(name: string, { min, max, fallback }: IntegerRange): number {
    const isAllowed = (value: Json): value is number =>
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
    return this.read(name, { allowed: `a whole number from ${min} to ${max}`, isAllowed, fallback });
  }

  texts(name: string, fallback: string[]): string[] {
    const isAllowed = (value: Json): value is string[] =>
      Array.isArray(value) && value.every((element) => typeof element === "string" && element !== "");
    return this.read(name, { allowed: "a list of strings", isAllowed, fallback });
  }

  /** Call after reading: a key that was never read is a typing mistake. */
  refuseUnknown(): void {
    this.refuseOthers(this.#values, "", this.#known);
  }

  /** The same for an object inside the settings, where a mistake could leave open what was meant to be closed. */
  refuseOthers(values: JsonObject, place: string, known: Iterable<string>): void {
    const names = new Set(known);
    const wrong = Object.keys(values).find((name) => !names.has(name));
    if (wrong === undefined) return;
    const path = place === "" ? wrong : `${place}.${wrong}`;
    throw new StartError(`${this.#place(path)} is not a setting of this layer.${didYouMean(wrong, names)}`);
  }

  /** An error in the layer's own words. Never put a secret into it. */
  problem(name: string, text: string): StartError {
    return new StartError(`${this.#place(name)} ${text}`);
  }

  /** There may be no such file yet. */
  #missing(name: string, allowed: string): StartError {
    const [section, layer] = this.#path.split(".");
    return new StartError(
      `The ${layer} layer needs "${name}": ${allowed}. Add "${section}": { "${layer}": { "${name}": ... } } to ${this.#file}.`,
    );
  }

  /** The value is shown only by its kind: it may be a secret. */
  #wrong(name: string, value: Json, allowed: string): StartError {
    return new StartError(`${this.#place(name)} is ${kindOf(value)}; it must be ${allowed}.`);
  }

  #place(name: string): string {
    return `${this.#file}: "${this.#path}${name === "" ? "" : `.${name}`}"`;
  }
}

function kindOf(value: Json): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a string" : "an object";
}

import { isJsonObject, type Json, type JsonObject } from "./json/json.ts";

/** One row of a table of options. The row drives the flag, the config key, `--help`, the reference page and the schema. */
export interface Option {
  /** The name in the config file; the flag is `--` and this, unless `flag` says otherwise. */
  readonly name: string;
  readonly flag?: string;
  /** Other flags for the same option: one letter is `-p`, more are `--fks`. */
  readonly aliases?: readonly string[];
  readonly type:
    | "boolean"
    | "integer"
    | "integer or auto"
    | "string"
    | "strings"
    | "object"
    | "objects"
    | "string or object";
  readonly default?: boolean | number | string;
  /** For `strings`: each flag gives one value. Other lists are split at commas and take the words that follow. */
  readonly isOneEach?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** For `string`: a whole number of the config file counts as its text. */
  readonly takesNumbers?: boolean;
  /** The value of the flag alone. */
  readonly bare?: string;
  /** The value in `--help`: `<port>`. */
  readonly placeholder?: string;
  readonly help: string;
  /** For `object`: its form in JSON Schema. */
  readonly schema?: JsonObject;
  /** For `strings`: `{env:NAME}` in a value stands for that environment variable, so that secrets stay out of files. */
  readonly hasEnvironment?: true;
  /** Restricts the option to the command line or the config file. */
  readonly only?: "flag" | "file";
  /** Programs do not have it, or in another form. */
  readonly inPrograms?: false;
  /** Printed at the start if the command line has the bare flag, which had no effect in 0.17. */
  readonly bareWarning?: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

interface ValueOf {
  boolean: boolean;
  integer: number;
  "integer or auto": number | "auto";
  string: string;
  strings: string[];
  object: JsonObject;
  objects: JsonObject[];
  "string or object": string | JsonObject;
}

/** The resolved values of a table: options with a default are always set. */
export type Values<T extends OptionTable> = {
  [K in keyof T]: ValueOf[T[K]["type"]] | (T[K] extends { default: unknown } ? never : undefined);
};

export type OptionValue = boolean | number | string | readonly string[] | JsonObject | readonly JsonObject[];

/** Compares names without dashes and case: `read-only`, `readOnly` and `readonly` are the same. */
export function sameName(a: string, b: string): boolean {
  return plainName(a) === plainName(b);
}

function plainName(name: string): string {
  return name.replaceAll("-", "").toLowerCase();
}

/** The flag of an option without its dashes; undefined when it has none. */
export function flagOf(option: Option): string | undefined {
  return option.only === "file" ? undefined : (option.flag ?? option.name);
}

/** The allowed values in words, for messages about a wrong value. */
export function allowedValues(option: Option): string {
  switch (option.type) {
    case "boolean":
      return "true or false";
    case "integer":
    case "integer or auto": {
      const range = option.max === undefined ? `${option.min ?? 0}` : `${option.min ?? 0} to ${option.max}`;
      return `a whole number from ${range}${option.type === "integer" ? "" : ", or auto"}`;
    }
    case "strings":
      return "a list of strings";
    case "object":
      return "an object";
    case "objects":
      return "a list of objects";
    case "string or object":
      return "a string or an object";
    case "string":
      return option.choices ? asChoice(option.choices) : "a string";
  }
}

/** Whether a value has the type of the option and is in its range. */
export function isAllowed(option: Option, value: unknown): value is OptionValue {
  switch (option.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "integer or auto":
      if (value === "auto") return option.type === "integer or auto";
      return (
        Number.isSafeInteger(value) &&
        (value as number) >= (option.min ?? 0) &&
        (value as number) <= (option.max ?? Infinity)
      );
    case "strings":
      return Array.isArray(value) && value.every((element) => typeof element === "string");
    case "object":
      return isJsonObject(value);
    case "objects":
      return Array.isArray(value) && value.every(isJsonObject);
    case "string or object":
      return isJsonObject(value) || (typeof value === "string" && value !== "");
    case "string":
      return typeof value === "string" && value !== "" && (option.choices?.includes(value) ?? true);
  }
}

/** Converts a config file value as 0.17 did: strings to numbers and switches, a single string to a list. */
export function converted(option: Option, value: Json): Json {
  if (option.takesNumbers && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string") return value;
  if (/^integer/.test(option.type) && /^\d+$/.test(value)) return Number(value);
  if (option.type === "boolean" && /^(true|false)$/.test(value)) return value === "true";
  return option.type === "strings" && value !== "" ? [value] : value;
}

/** The words as a choice: `api-key, bearer or latency`. */
export function asChoice(words: readonly string[]): string {
  return words.join(", ").replace(/, (?=[^,]*$)/, " or ");
}

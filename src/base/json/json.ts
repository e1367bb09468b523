import { atOnce } from "../slices.ts";
import { findSyntaxError } from "./json-syntax.ts";
import { parseKeepingDigits, stringifyKeepingDigits } from "./kept-digits.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Takes a value of our own types for JSON: TypeScript knows no JSON in interfaces and readonly lists. */
export function toJson(value: unknown): Json {
  return value as Json;
}

/** Sets a field, even one named `__proto__`, which must not reach the setter of that name. */
export function setField(object: JsonObject, name: string, value: Json): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Parses JSON, ignoring a leading byte order mark; throws a `JsonSyntaxError` that names line and column. */
export function parseJson(text: string): Json {
  const source = withoutMark(text);
  try {
    return parseExact(source);
  } catch {
    // JSON.parse reports no position for most mistakes, so an invalid text is read a second time.
    throw atOnce(findSyntaxError(source)) ?? new Error("the text is JSON, but cannot be parsed");
  }
}

/** Removes a leading byte order mark. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The result of `JSON.parse`; what is written again keeps the digits of numbers that no double has. */
export function parseExact<T = Json>(text: string): T {
  return parseKeepingDigits(text) as T;
}

/** The result of `JSON.stringify`, with the digits of numbers that no double has. */
export function stringifyJson(value: unknown, indent?: number): string {
  return stringifyKeepingDigits(value, indent);
}

/** A copy that shares nothing with the value. */
export function cloneJson<T>(value: T): T {
  return value === undefined ? value : parseExact<T>(stringifyJson(value));
}

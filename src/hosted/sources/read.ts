import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { type Document, kindOf, mistake } from "../../openapi/read/document.ts";
import { isFinalStatus } from "../../openapi/read/status.ts";
import { within } from "../../schema/pointer.ts";

/** Readers of parts of a document: each returns the value in its type, or throws a mistake with its place. */
export function readDocumentObject(document: Document, value: Json | undefined, place: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw mistake(document, place, `must be an object, but is ${kindOf(value)}.`);
}

export function readDocumentList(document: Document, value: Json | undefined, place: string): Json[] {
  if (Array.isArray(value)) return value;
  throw mistake(document, place, `must be a list, but is ${kindOf(value)}.`);
}

export function readText(document: Document, value: Json | undefined, place: string): string {
  if (typeof value === "string") return value;
  throw mistake(document, place, `must be a string, but is ${kindOf(value)}.`);
}

export function readStatus(document: Document, value: Json | undefined, place: string): number {
  if (isFinalStatus(value)) return value;
  throw mistake(
    document,
    place,
    `must be a status code from 200 to 599, but is ${JSON.stringify(value) ?? "missing"}.`,
  );
}

interface KnownKeys {
  readonly place: string;
  readonly known: readonly string[];
}

/** Refuses unknown keys, and suggests the one that was probably meant. */
export function refuseOthers(document: Document, value: JsonObject, { place, known }: KnownKeys): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    throw mistake(
      document,
      within(place, key),
      `is unknown.${didYouMean(key, known)} Allowed are ${known.join(", ")}.`,
    );
  }
}

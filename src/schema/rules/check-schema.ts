import { messageOf } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { leavesSchema, type Schema, schemaReferences } from "../references.ts";
import { checkGrowth } from "./check-growth.ts";
import { FORMAT_NAMES } from "./formats.ts";
import { FOREIGN_KEYWORDS, FORMS, KEYWORDS } from "./keywords.ts";
import { compilePattern } from "./pattern.ts";
import type { CollectionRules } from "./rules.ts";

/** Deeper schemas cannot be compiled without a large stack, and larger ones not without a noticeable pause. */
const MAX_LEVELS = 100;
export const MAX_SCHEMAS = 1000;
const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;

/** Creates the error for the keyword at a path below the collection; its path is empty for the schema itself. */
export type FailAt = (path: string, problem: string) => Error;

/** Throws unless this is JSON Schema 2020-12 that judges in bounded time. Returns the measures of that time. */
export function checkSchema(schema: JsonObject, fail: FailAt): Pick<CollectionRules, "size" | "complexity"> {
  const found: Found = { count: 0, schemas: new Set(), anchors: new Map(), references: [] };
  walk(schema, { path: "", level: 0, fail, found });
  const references = schemaReferences(schema);
  for (const { path, ref } of found.references) {
    const target = references.target(ref);
    if (target && found.schemas.has(target.value as Schema)) continue;
    throw fail(path, `${JSON.stringify(ref)} ${leavesSchema(ref, schema) ? OUTSIDE : "does not lead to a schema."}`);
  }
  const complexity = checkGrowth(schema, references, (problem) => fail("", problem));
  return { size: found.count, complexity };
}

const OUTSIDE = "leaves this schema; only references inside it are followed, such as #/$defs/address.";

/** The schemas inside one, and the references from one to another. */
interface Found {
  count: number;
  readonly schemas: Set<Schema>;
  readonly anchors: Map<string, Schema>;
  readonly references: { readonly path: string; readonly ref: string }[];
}

interface Visit {
  readonly path: string;
  readonly level: number;
  readonly fail: FailAt;
  readonly found: Found;
}

function walk(schema: Schema, visit: Visit): void {
  const { path, level, fail, found } = visit;
  if (level > MAX_LEVELS) throw fail(`${path.slice(0, 100)}...`, `is nested deeper than ${MAX_LEVELS} levels.`);
  found.schemas.add(schema);
  if (++found.count > MAX_SCHEMAS) throw fail("", `has more than ${MAX_SCHEMAS} schemas.`);
  if (typeof schema === "boolean") return;
  for (const [keyword, value] of Object.entries(schema)) {
    const failHere = (problem: string, below = ""): Error => fail(join(path, keyword, below), problem);
    const form = KEYWORDS[keyword];
    if (form === undefined || !Object.hasOwn(KEYWORDS, keyword)) {
      checkForeign(keyword, level, failHere);
      continue;
    }
    if (keyword === "items" && Array.isArray(value)) throw failHere("a list of schemas is called prefixItems.");
    const { holds, words } = FORMS[form];
    if (!holds(value)) throw failHere(`must be ${words}; it is ${shown(value)}.`);
    checkValue(keyword, value, { ...visit, schema, failHere });
    const enter = (inner: Json, ...steps: string[]): void =>
      walk(inner as Schema, { ...visit, path: join(path, keyword, ...steps), level: level + 1 });
    if (form === "schema") enter(value);
    else if (form === "schema list") for (const [at, inner] of (value as Json[]).entries()) enter(inner, String(at));
    else if (form === "schema map" || form === "definitions") {
      for (const [name, inner] of Object.entries(value as JsonObject)) enter(inner, name);
    }
  }
}

const OWN_KEYWORDS = ["x-unique", "x-references"];

type FailHere = (problem: string, below?: string) => Error;

function checkForeign(keyword: string, level: number, fail: FailHere): void {
  if (OWN_KEYWORDS.includes(keyword)) {
    if (level > 0) throw fail("belongs at the top of a collection's schema.");
    return;
  }
  if (keyword.startsWith("x-")) {
    const meant = didYouMean(keyword, OWN_KEYWORDS);
    if (meant !== "") throw fail(`is not a rule.${meant}`);
    return;
  }
  const instead = Object.hasOwn(FOREIGN_KEYWORDS, keyword) ? FOREIGN_KEYWORDS[keyword] : undefined;
  if (instead !== undefined) throw fail(`is not a keyword of JSON Schema 2020-12; ${instead}.`);
  const known = [...Object.keys(KEYWORDS), ...OWN_KEYWORDS];
  throw fail(`is not a keyword of JSON Schema 2020-12. Own keywords begin with "x-".${didYouMean(keyword, known)}`);
}

function checkValue(
  keyword: string,
  value: Json,
  { path, level, found, schema, failHere }: Visit & { readonly schema: Schema; readonly failHere: FailHere },
): void {
  switch (keyword) {
    case "$schema":
      if (!DIALECT.test(value as string))
        throw failHere(`${shown(value)} is not supported; rules are JSON Schema 2020-12.`);
      return;
    case "$id":
      if (level > 0) throw failHere("is supported only at the top of a collection's schema.");
      return;
    case "$anchor":
    case "$dynamicAnchor":
      if (!ANCHOR.test(value as string)) throw failHere("must be letters, digits, dots, dashes and underscores.");
      // A schema may repeat its own.
      if ((found.anchors.get(value as string) ?? schema) !== schema) throw failHere(`${shown(value)} is there twice.`);
      found.anchors.set(value as string, schema);
      return;
    case "$ref":
    case "$dynamicRef":
      found.references.push({ path: join(path, keyword), ref: value as string });
      return;
    case "pattern":
      checkPattern(value as string, failHere);
      return;
    case "patternProperties":
      for (const pattern of Object.keys(value as JsonObject))
        checkPattern(pattern, (problem) => failHere(problem, pattern));
      return;
    case "format":
      if (!FORMAT_NAMES.includes(value as string)) {
        const allowed = FORMAT_NAMES.join(", ");
        throw failHere(
          `${shown(value)} is not a format; allowed are ${allowed}.${didYouMean(value as string, FORMAT_NAMES)}`,
        );
      }
  }
}

function checkPattern(source: string, fail: FailHere): void {
  try {
    compilePattern(source);
  } catch (thrown) {
    throw fail(`${shown(source)}: ${messageOf(thrown)}`);
  }
}

function join(...steps: readonly string[]): string {
  return steps.filter((step) => step !== "").join(".");
}

function shown(value: Json): string {
  const text = isJsonObject(value) ? "an object" : Array.isArray(value) ? "a list" : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}

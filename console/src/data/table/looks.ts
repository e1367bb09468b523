import { type Json, type JsonObject, ownValue } from "../../api/json.ts";
import { idKeyOf, type Overview } from "../../api/overview.ts";
import { linksIn, parentOf } from "../../records/relations.ts";
import { isPicture, type StoredFile, storedFilesIn } from "../../records/stored-file.ts";
import type { Column } from "./columns.ts";
import { isColour, isImage, tonesOf } from "./value-looks.ts";

/** How the cells of a column show their values. */
export type Look =
  | { readonly kind: "plain" | "number" | "boolean" | "date" | "date-time" | "image" | "colour" }
  /** Stored files, one or a list in each cell. */
  | { readonly kind: "file"; readonly isPicture: boolean }
  /** With the length of the longest text, and a colour for each. */
  | { readonly kind: "badge"; readonly longest: number; readonly tones: ReadonlyMap<string, number> }
  /** A foreign key. */
  | { readonly kind: "reference"; readonly to: string };

export type Looks = ReadonlyMap<string, Look>;

export const PLAIN: Look = { kind: "plain" };

/** Records that are looked at to tell what a column holds. */
const SAMPLE = 200;
/** A column of texts with at most so many different ones shows badges, if they repeat. */
const MOST_BADGES = 8;
const FEWEST_RECORDS = 6;
const LONGEST_BADGE = 24;

/** The looks of the columns of a collection, from what is known of its fields and from some of its records. */
export function looksOf(
  overview: Overview,
  collection: string,
  columns: readonly Column[],
  records: readonly JsonObject[],
): Looks {
  const idKey = idKeyOf(overview, collection);
  const links = linksIn(overview);
  const choices = choicesIn(overview, collection);
  const sample = records.slice(0, SAMPLE);
  return new Map(
    columns.map((column) => {
      const { name } = column;
      const to = name === idKey ? undefined : parentOf(links, collection, name);
      if (to !== undefined) return [name, { kind: "reference", to }];
      if (name === idKey) return [name, PLAIN];
      return [name, lookOf(column, sample, choices.get(name))];
    }),
  );
}

/** The texts that fields choose from, by the rules or by all records. */
function choicesIn({ fields, recordRules }: Overview, collection: string): ReadonlyMap<string, readonly string[]> {
  const listed = [
    ...(fields[collection] ?? []).map(({ name, values }) => [name, values] as const),
    ...(recordRules?.[collection]?.fields ?? []).map((rule) => [rule.name, rule.enum] as const),
  ];
  return new Map(listed.flatMap(([name, values]) => (values?.every(isShort) ? [[name, values]] : [])));
}

function lookOf({ name, kind }: Column, records: readonly JsonObject[], choices?: readonly string[]): Look {
  if (kind !== "text" && kind !== "object") return { kind };
  const files = filesIn(records, name);
  if (files) return { kind: "file", isPicture: files.some(isPicture) };
  const texts = textsIn(records, name);
  if (texts && texts.length > 0) {
    if (texts.every(isColour)) return { kind: "colour" };
    if (texts.every((text) => isImage(text, name))) return { kind: "image" };
  }
  if (choices) return badge(choices);
  return texts && areFew(texts) ? badge(texts) : PLAIN;
}

/** The files in a field of records; undefined if it holds none, or other values, too. */
function filesIn(records: readonly JsonObject[], name: string): readonly StoredFile[] | undefined {
  const found: StoredFile[] = [];
  for (const record of records) {
    const value = ownValue(record, name);
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    const files = storedFilesIn(value);
    if (!files) return undefined;
    found.push(...files);
  }
  return found.length > 0 ? found : undefined;
}

function badge(texts: readonly string[]): Look {
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  return { kind: "badge", longest, tones: tonesOf(new Set(texts.toSorted())) };
}

/** The texts in a field of records, empty ones left out; undefined if it holds other values, too. */
function textsIn(records: readonly JsonObject[], name: string): string[] | undefined {
  const texts: string[] = [];
  for (const record of records) {
    const value = ownValue(record, name);
    if (value === undefined || value === null || value === "") continue;
    if (typeof value !== "string") return undefined;
    texts.push(value);
  }
  return texts;
}

function areFew(texts: readonly string[]): boolean {
  if (texts.length < FEWEST_RECORDS) return false;
  const distinct = new Set(texts);
  if (distinct.size > Math.min(MOST_BADGES, texts.length / 2)) return false;
  return [...distinct].every(isShort);
}

function isShort(value: Json): value is string {
  return typeof value === "string" && value.length <= LONGEST_BADGE && !value.includes("\n");
}

/** The widths of columns whose look tells more than their type. */
const WIDTHS: Readonly<Partial<Record<Look["kind"], number>>> = {
  reference: 208,
  colour: 128,
  image: 200,
  file: 200,
  date: 136,
  "date-time": 136,
};

/** The columns with widths and alignment that fit their looks. */
export function dressColumns(columns: readonly Column[], looks: Looks): readonly Column[] {
  return columns.map((column) => {
    const look = looks.get(column.name) ?? PLAIN;
    const { kind } = look;
    const width = kind === "badge" ? 48 + look.longest * 8 : WIDTHS[kind];
    if (width === undefined) return column;
    // The name of a column is to be read, too.
    const room = Math.min(320, Math.max(width, 104, 56 + column.name.length * 8));
    return { ...column, width: room, isWide: kind === "reference", isNumber: false };
  });
}

/** Texts up to this length get the room that they need; longer ones share the rest. */
const LONGEST_FITTED = 26;
const FITTED_SAMPLE = 50;

/** Columns of short texts as wide as their texts. */
export function fitColumns(
  columns: readonly Column[],
  looks: Looks,
  records: readonly JsonObject[],
): readonly Column[] {
  const sample = records.slice(0, FITTED_SAMPLE);
  return columns.map((column) => {
    const texts = looks.get(column.name) === PLAIN && column.isWide ? textsIn(sample, column.name) : undefined;
    const longest = Math.max(0, ...(texts ?? []).map(({ length }) => length));
    if (longest === 0 || longest > LONGEST_FITTED) return column;
    const width = Math.max(104, 56 + column.name.length * 8, 32 + longest * 8);
    return width < column.width ? { ...column, width, isWide: false } : column;
  });
}

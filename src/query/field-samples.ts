import type { FieldValues } from "./operator.ts";

/** The texts of a field to try. */
const MAX_TEXTS = 5;

/** All values as texts: texts first, because they read best. */
export function valuesOf({ texts, numbers, booleans }: FieldValues): string[] {
  return [...texts, ...numbers.map(String), ...booleans.map(String)];
}

export function firstSample(field: FieldValues): string[] {
  return valuesOf(field).slice(0, 1);
}

/** A value that no record has. */
export function otherThan(field: FieldValues): string[] {
  return firstSample(field).map((value) => `${value.replaceAll(",", "")}0`);
}

/** The text of a list: a comma within a value is escaped. */
export function listOf(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(",", "\\,")).join(",");
}

/** The word that a text begins with, or any other in it. */
export function word(text: string): string[] {
  return text.match(/^[\p{L}\p{N}]+/u) ?? text.match(/[\p{L}\p{N}]+/u)?.slice(0, 1) ?? [];
}

export function firstWords({ texts }: FieldValues): string[] {
  return texts.slice(0, MAX_TEXTS).flatMap(word);
}

export function lastWords({ texts }: FieldValues): string[] {
  return texts.slice(0, MAX_TEXTS).flatMap((text) => text.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+$/u) ?? []);
}

/** A value in the middle of the others, which some are above and some below. */
export function middleOf({ numbers, texts }: FieldValues): string[] {
  return [numbers.map(String), dates(texts)].flatMap((sorted) => sorted[Math.floor((sorted.length - 1) / 2)] ?? []);
}

/** The greatest value, below which all others are. */
export function greatestOf({ numbers, texts }: FieldValues): string[] {
  return [...numbers.slice(-1).map(String), ...dates(texts).slice(-1)];
}

/** Values below and above all others; a year sorts before and after all dates in it or before it. */
export function belowAll({ numbers, texts }: FieldValues): string[] {
  return [...numbers.slice(0, 1).map((least) => String(least - 1)), ...dates(texts).map((date) => date.slice(0, 4))];
}

export function aboveAll({ numbers, texts }: FieldValues): string[] {
  const years = dates(texts).map((date) => `${Number(date.slice(0, 4)) + 1}`);
  return [...numbers.slice(-1).map((most) => String(most + 1)), ...years];
}

function dates(texts: readonly string[]): string[] {
  return texts.filter((text) => /^\d{4}-\d\d-\d\d/.test(text));
}

import type { Operator } from "../../../query/operators.ts";
import type { FieldSample } from "./samples.ts";

/** The texts of a field to try. */
const MAX_TEXTS = 5;

/** An operator in words, and the values to try with it on a field: the first that finds something is taken. */
interface OperatorExample {
  readonly words: string;
  /** Values of the data. */
  values(field: FieldSample): readonly string[];
  /** Others, for data in which none of those finds anything: every record may have the same value. */
  others?(field: FieldSample): readonly string[];
}

/** One entry for each operator there is: the compiler asks for those of new ones. */
export const OPERATOR_EXAMPLES: Readonly<Record<Operator, OperatorExample>> = {
  eq: { words: "is", values: firstOf },
  ne: { words: "is not", values: firstOf, others: otherThan },
  gt: {
    words: "is more than",
    values: ({ numbers, texts }) => [...middle(numbers), ...middle(dates(texts))],
    others: ({ numbers, texts }) => [
      ...numbers.slice(0, 1).map((least) => String(least - 1)),
      ...dates(texts).map(before),
    ],
  },
  gte: { words: "is at least", values: ({ numbers, texts }) => [...middle(numbers), ...middle(dates(texts))] },
  lt: {
    words: "is less than",
    values: ({ numbers, texts }) => [...numbers.slice(-1).map(String), ...dates(texts).slice(-1)],
    others: ({ numbers, texts }) => [...numbers.slice(-1).map((most) => String(most + 1)), ...dates(texts).map(after)],
  },
  lte: { words: "is at most", values: ({ numbers, texts }) => [...middle(numbers), ...middle(dates(texts))] },
  in: { words: "is one of", values: (field) => [listOf(valuesOf(field).slice(0, 2))] },
  nin: { words: "is none of", values: (field) => firstOf(field).map((one) => listOf([one])), others: otherThan },
  like: { words: "matches the pattern", values: ({ texts }) => firstWords(texts).map((one) => `^${one}`) },
  contains: { words: "contains", values: ({ texts }) => firstWords(texts).map((one) => one.toLowerCase()) },
  startsWith: { words: "starts with", values: ({ texts }) => firstWords(texts) },
  endsWith: {
    words: "ends with",
    values: ({ texts }) => texts.slice(0, MAX_TEXTS).flatMap((text) => text.match(/[\p{L}\p{N}]+$/u) ?? []),
  },
  null: {
    words: "is null or missing",
    values: ({ isSparse }) => (isSparse ? ["true"] : []),
    others: () => ["false"],
  },
};

/** All values as texts: texts first, because they read best. */
export function valuesOf({ texts, numbers, booleans }: FieldSample): string[] {
  return [...texts, ...numbers.map(String), ...booleans.map(String)];
}

/** The word that a text begins with, or any other in it. */
export function word(text: string): string[] {
  return text.match(/^[\p{L}\p{N}]+/u) ?? text.match(/[\p{L}\p{N}]+/u)?.slice(0, 1) ?? [];
}

function firstWords(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_TEXTS).flatMap(word);
}

function firstOf(field: FieldSample): string[] {
  return valuesOf(field).slice(0, 1);
}

/** A value that no record has. */
function otherThan(field: FieldSample): string[] {
  return firstOf(field).map((value) => `${value.replaceAll(",", "")}0`);
}

/** The text of a list: a comma within a value is escaped. */
function listOf(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(",", "\\,")).join(",");
}

function dates(texts: readonly string[]): string[] {
  return texts.filter((text) => /^\d{4}-\d\d-\d\d/.test(text));
}

/** A value in the middle of the others, which some are above and some below. */
function middle(sorted: readonly (number | string)[]): string[] {
  return sorted.length === 0 ? [] : [String(sorted[Math.floor((sorted.length - 1) / 2)])];
}

/** Texts that sort before and after a date, and before and after all dates that are like it. */
function before(date: string): string {
  return date.slice(0, 4);
}

function after(date: string): string {
  return `${Number(date.slice(0, 4)) + 1}`;
}

import { type Json, parseJson } from "../../api/json.ts";
import type { FieldType } from "../../api/overview.ts";
import { keepsDigits } from "../editor/values/exact-number.ts";
import type { CsvCell } from "./csv-read.ts";
import { unmarkFormula } from "./formula-mark.ts";

/** How the cells of a column are read. */
export const COLUMN_TYPES = ["text", "number", "true or false", "JSON", "not imported"] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Not `007` or `+49`: numbers of people, articles and telephones lose digits as numbers. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const BOOLEAN = /^(true|false)$/i;

/** The type of a column: that of the field where the collection has one, else the one that every cell has. */
export function guessType(texts: Iterable<string>, known: readonly FieldType[] = []): ColumnType {
  const [type, ...others] = known.filter((one) => one !== "null");
  if (type !== undefined && others.length === 0) return TYPES[type];
  const guess = { number: true, boolean: true, json: true };
  let isEmpty = true;
  for (const text of texts) {
    if (text === "") continue;
    isEmpty = false;
    guess.number &&= NUMBER.test(text) && Number.isFinite(Number(text)) && keepsDigits(text);
    guess.boolean &&= BOOLEAN.test(text);
    guess.json &&= /^[{[]/.test(text) && parseJson(text) !== undefined;
    if (!guess.number && !guess.boolean && !guess.json) return "text";
  }
  if (isEmpty) return "text";
  return guess.number ? "number" : guess.boolean ? "true or false" : "JSON";
}

/** The names of field types in a file. */
const TYPES: Readonly<Record<FieldType, ColumnType>> = {
  string: "text",
  number: "number",
  boolean: "true or false",
  null: "text",
  object: "JSON",
  array: "JSON",
};

export type CellValue =
  | { readonly kind: "value"; readonly value: Json }
  /** The record does not get the field. */
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly message: string };

const NONE: CellValue = { kind: "none" };

/** The value of a cell. */
export function cellValue({ text, isQuoted }: CsvCell, type: ColumnType): CellValue {
  if (type === "not imported") return NONE;
  if (type === "text") return text === "" && !isQuoted ? NONE : { kind: "value", value: unmarkFormula(text) };
  const typed = text.trim();
  if (typed === "") return NONE;
  if (type === "number") {
    const number = Number(typed);
    if (!keepsDigits(typed)) return problem(typed, "has more digits than a number keeps");
    return Number.isFinite(number) ? { kind: "value", value: number } : problem(typed, "is not a number");
  }
  if (type === "JSON") {
    const value = parseJson(typed);
    return value === undefined ? problem(typed, "is not valid JSON") : { kind: "value", value };
  }
  if (!BOOLEAN.test(typed)) return problem(typed, "is neither true nor false");
  return { kind: "value", value: typed.toLowerCase() === "true" };
}

function problem(text: string, words: string): CellValue {
  return { kind: "problem", message: `${JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)} ${words}` };
}

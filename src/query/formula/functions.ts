import { asNumber, asText, expectShort, joined, kindWords, result, type Value } from "./operations.ts";

/** A function of formulas: how many values it takes, and what it makes of them. Throws an `Error` where it cannot. */
export interface FormulaFunction {
  readonly least: number;
  readonly most: number;
  of(...values: Value[]): Value;
}

const MAX_ARGUMENTS = 50;

/** The functions whose value depends on nothing but their arguments. */
export const FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  round: { least: 1, most: 2, of: (value, digits = 0) => ofNumber(value, (number) => round(number, asNumber(digits))) },
  floor: onNumber(Math.floor),
  ceil: onNumber(Math.ceil),
  abs: onNumber(Math.abs),
  min: several((values) => values.reduce((one, other) => (other < one ? other : one))),
  max: several((values) => values.reduce((one, other) => (other > one ? other : one))),
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  trim: onText((text) => text.trim()),
  concat: { least: 1, most: MAX_ARGUMENTS, of: (...values) => joined(values) },
  length: { least: 1, most: 1, of: (value) => (Array.isArray(value) ? value.length : ofText(value, lengthOf)) },
  replace: {
    least: 3,
    most: 3,
    of: (value, from, to) => ofText(value, (text) => replace(text, asText(from), asText(to))),
  },
  number: { least: 1, most: 1, of: (value) => (typeof value === "string" ? numberIn(value) : ofNumber(value, result)) },
  text: onText((text) => text),
};

function onNumber(of: (value: number) => number): FormulaFunction {
  return { least: 1, most: 1, of: (value) => ofNumber(value, of) };
}

function onText(of: (text: string) => string): FormulaFunction {
  return { least: 1, most: 1, of: (value) => ofText(value, of) };
}

/** Of those values that are there: all numbers, or all texts. */
function several(of: (values: (number | string)[]) => number | string): FormulaFunction {
  return {
    least: 1,
    most: MAX_ARGUMENTS,
    of: (...values) => {
      const there = values.filter((value) => value !== undefined && value !== null);
      if (there.length === 0) return values[0];
      const isText = there.every((value) => typeof value === "string");
      return of(isText ? there.map(asText) : there.map(asNumber));
    },
  };
}

function ofNumber(value: Value, of: (number: number) => number): Value {
  return value === undefined || value === null ? value : result(of(asNumber(value)));
}

function ofText(value: Value, of: (text: string) => Value): Value {
  return value === undefined || value === null ? value : of(asText(value));
}

/** Halves go away from zero, by the decimal digits that people see. */
function round(value: number, digits: number): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15) throw new Error("round takes 0 to 15 digits");
  const shifted = (number: number, by: number): number => {
    const [base, exponent = "0"] = String(number).split("e");
    return Number(`${base}e${Number(exponent) + by}`);
  };
  return Math.sign(value) * shifted(Math.round(shifted(Math.abs(value), digits)), -digits);
}

function lengthOf(text: string): number {
  return [...text].length;
}

function replace(text: string, from: string, to: string): string {
  if (from === "") throw new Error("replace needs a text to look for");
  const parts = text.split(from);
  expectShort(text.length + (parts.length - 1) * (to.length - from.length));
  return parts.join(to);
}

function numberIn(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new Error(`${kindWords(text)} here is not a number`);
}

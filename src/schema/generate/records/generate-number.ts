import { type Constraints, Unsatisfiable } from "../../constraints.ts";
import { numberFormOf } from "../plausible/plausible-number.ts";
import type { Randomness } from "../randomness.ts";
import type { Spot } from "./making.ts";

const MAX_TRIES = 200;
const MAX_DIGITS = 12;

/** A number in the range and of the multiples asked for, and as far as these allow, one that suits the field's name. */
export function generateNumber(constraints: Constraints, spot: Spot, random: Randomness, isWhole: boolean): number {
  const { least, most } = boundsOf(constraints, spot, isWhole);
  const position = isWhole ? positionOf(spot) : undefined;
  if (position !== undefined && position >= least && position <= most && constraints.multiples.length === 0)
    return position;
  const form = numberFormOf(spot.names[0] ?? "");
  const isSuitable = form.least <= most && form.most >= least;
  const span = isSuitable ? Math.max(1, form.most - form.least) : 1000;
  const from = isSuitable ? Math.max(least, form.least) : Number.isFinite(least) ? least : Math.min(most, 0) - span;
  const to = isSuitable ? Math.min(most, form.most) : Math.min(most, from + span);
  const { multiples } = constraints;
  if (multiples.length > 0) return multipleBetween(constraints, { least, most, from, to }, spot, random, isWhole);
  if (isWhole) return random.between(Math.ceil(from), Math.max(Math.ceil(from), Math.floor(to)));
  return fractionBetween(constraints, from, to, form.digits, random);
}

/** The `index` of an object in a list is its place there. */
function positionOf({ pointer, names }: Spot): number | undefined {
  const place = names[0] === "index" ? /\/(\d+)\/index$/.exec(pointer)?.[1] : undefined;
  return place === undefined ? undefined : Number(place);
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function boundsOf(constraints: Constraints, { pointer }: Spot, isWhole: boolean): Bounds {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = constraints;
  const above = isWhole ? Math.floor(exclusiveMinimum) + 1 : exclusiveMinimum;
  const below = isWhole ? Math.ceil(exclusiveMaximum) - 1 : exclusiveMaximum;
  const least = Math.max(isWhole ? Math.ceil(minimum) : minimum, above);
  const most = Math.min(isWhole ? Math.floor(maximum) : maximum, below);
  const isEmpty =
    least > most || (!isWhole && least === most && (least === exclusiveMinimum || most === exclusiveMaximum));
  if (!isEmpty) return { least, most };
  const rule = maximum <= exclusiveMaximum ? "maximum" : "exclusiveMaximum";
  throw new Unsatisfiable(pointer, rule, `no ${isWhole ? "whole number" : "number"} lies between ${least} and ${most}`);
}

function fractionBetween(
  constraints: Constraints,
  from: number,
  to: number,
  digits: number,
  random: Randomness,
): number {
  const { exclusiveMinimum, exclusiveMaximum } = constraints;
  for (let places = digits; places <= MAX_DIGITS; places += 2) {
    const value = Number((from + random.next() * (to - from)).toFixed(places));
    if (value >= from && value <= to && value > exclusiveMinimum && value < exclusiveMaximum) return value;
  }
  const middle = (from + to) / 2;
  return middle > exclusiveMinimum && middle < exclusiveMaximum ? middle : from;
}

/** How far a quotient may be from a whole number, as the rules see it: 0.3 is a multiple of 0.1. */
const TOLERANCE = 1e-9;

/** Prefers multiples whose quotient is whole even as a floating-point number: every validator accepts those. */
function multipleBetween(
  { multiples, exclusiveMinimum, exclusiveMaximum }: Constraints,
  { least, most, from, to }: Bounds & { readonly from: number; readonly to: number },
  { pointer }: Spot,
  random: Randomness,
  isWhole: boolean,
): number {
  const keeps = (value: number, tolerance: number): boolean =>
    value >= least &&
    value <= most &&
    value > exclusiveMinimum &&
    value < exclusiveMaximum &&
    (!isWhole || Number.isInteger(value)) &&
    multiples.every((one) => Math.abs(value / one - Math.round(value / one)) <= tolerance);
  const unit = Math.max(...multiples);
  const first = Math.ceil(Math.max(from, least) / unit - TOLERANCE);
  const last = Math.max(first, Math.floor(Math.min(to, most) / unit + TOLERANCE));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const isRandom = tries < MAX_TRIES / 2;
    const factor = isRandom ? random.between(first, last) : first + tries - MAX_TRIES / 2;
    const exact = factor * unit;
    // Without digits such as those of 23.400000000000002.
    const rounded = Number.isInteger(unit) ? exact : Number(exact.toPrecision(15));
    const found = isRandom
      ? [rounded].find((value) => keeps(value, 0))
      : [rounded, exact].find((value) => keeps(value, TOLERANCE));
    if (found !== undefined) return found;
  }
  // Zero is a multiple of everything.
  if (keeps(0, 0)) return 0;
  throw new Unsatisfiable(pointer, "multipleOf", `no multiple of ${multiples.join(" and ")} was found in its range`);
}

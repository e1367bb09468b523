import type { Json } from "../../../base/json/json.ts";
import { type Constraints, Unsatisfiable } from "../../constraints.ts";
import { ValueSet } from "../../rules/value-set.ts";
import { letters } from "../plausible/plausible-text.ts";
import type { RecordGenerator } from "./record-generator.ts";

/** The ids of the records of a collection, known before the records are. */
export interface Ids {
  readonly count: number;
  at(position: number): string | number;
}

const MAX_TRIES = 2000;
const TEXT_LENGTH = 7;
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export const NO_IDS: Ids = {
  count: 0,
  at: () => {
    throw new Error("There are no ids.");
  },
};

/** Numbers from 1 where the rules allow them, otherwise texts. */
export function planIds(
  generator: RecordGenerator,
  idKey: string,
  { count, purpose = "ids" }: { readonly count: number; readonly purpose?: string },
): Ids {
  generator.begin(purpose);
  const constraints = generator.constraintsOf(idKey);
  const { types, values, patterns, formats, unsure } = constraints;
  const isPlain = !values && patterns.length === 0 && formats.length === 0 && unsure.length === 0;
  if (isPlain && (!types || types.has("integer") || types.has("number"))) return numbersFrom(constraints, idKey, count);
  return textIds(generator, idKey, { count, purpose, plain: isPlain ? constraints : undefined });
}

function numbersFrom(constraints: Constraints, idKey: string, count: number): Ids {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multiples } = constraints;
  const least = Math.max(1, Math.ceil(minimum), Math.floor(exclusiveMinimum) + 1);
  const step = multiples.filter((one) => Number.isInteger(one)).reduce(leastCommonMultiple, 1);
  const first = Math.ceil(least / step) * step;
  const last = first + step * (count - 1);
  if (count > 0 && (last > maximum || last >= exclusiveMaximum)) {
    throw new Unsatisfiable(`/${idKey}`, "maximum", `it leaves no room for ${count} ids`);
  }
  return { count, at: (position) => first + step * position };
}

function leastCommonMultiple(one: number, other: number): number {
  let [large, small] = [one, other];
  while (small > 0) [large, small] = [small, large % small];
  return (one / large) * other;
}

interface TextIds {
  readonly count: number;
  readonly purpose: string;
  /** Set where nothing is asked of a text but its length. */
  readonly plain: Constraints | undefined;
}

function textIds(generator: RecordGenerator, idKey: string, { count, purpose, plain }: TextIds): Ids {
  const isShort = plain !== undefined && plain.minLength <= TEXT_LENGTH && plain.maxLength >= TEXT_LENGTH;
  const taken = new ValueSet();
  const ids: (string | number)[] = [];
  for (let position = 0; position < count; position++) {
    generator.begin(`${purpose}/${position}`);
    ids.push(
      newId(() => (isShort ? letters(LETTERS, TEXT_LENGTH, generator.random) : generator.field(idKey)), taken, idKey),
    );
  }
  return { count, at: (position) => ids[position]! };
}

function newId(make: () => Json, taken: ValueSet, idKey: string): string | number {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const id = make();
    const isId = typeof id === "number" ? id !== 0 : typeof id === "string" && id !== "";
    if (isId && taken.add(String(id))) return id as string | number;
  }
  throw new Unsatisfiable(`/${idKey}`, "x-unique", `no further id was found; ${taken.size} differ`);
}

import { seedFor } from "../../../base/clock-and-random.ts";
import type { Json } from "../../../base/json/json.ts";
import { Randomness } from "../randomness.ts";
import { knownNumberForm, numberFormOf } from "./plausible-number.ts";
import { plausibleText } from "./plausible-text.ts";

/** Makes values by the names of fields, for one record after the other. */
export interface ValueMaker {
  /** Goes on to a record: its values depend on the seed and this text alone. */
  begin(record: string): void;
  /** `like`: a value that the field has, whose type it keeps. The nearest of the names comes first. */
  value(names: readonly string[], like: Json | undefined): Json;
  between(least: number, most: number): number;
}

export function createValueMaker(seed: number): ValueMaker {
  const random = new Randomness(seed);
  return {
    begin: (record) => random.restart(seedFor(seed, record)),
    between: (least, most) => random.between(Math.ceil(Math.min(least, most)), Math.floor(Math.max(least, most))),
    value: (names, like) => plausibleValue(names, like, random),
  };
}

function plausibleValue(names: readonly string[], like: Json | undefined, random: Randomness): Json {
  const [name = ""] = names;
  if (typeof like === "boolean" || (typeof like !== "string" && /^(?:is|has|can)(?:[_A-Z]|$)/.test(name))) {
    return random.chance(0.5);
  }
  const isNumber = typeof like === "number" || (typeof like !== "string" && knownNumberForm(name) !== undefined);
  if (!isNumber) return plausibleText({ names }, random);
  const { least, most, digits } = numberFormOf(name);
  const places = Number.isInteger(like) ? 0 : digits;
  return Number((least + random.next() * (most - least)).toFixed(places));
}

import type { Scalar } from "./query.ts";

/** Tests equality of the text form, without creating the text of every number in a scan. */
export function equalsAny(values: readonly string[]): (value: Scalar) => boolean {
  // Made for the first record that is tested: most equalities are looked up in an index.
  let sets: { readonly texts: ReadonlySet<string>; readonly numbers: ReadonlySet<number> } | undefined;
  return (value) => {
    sets ??= { texts: new Set(values), numbers: new Set(values.filter(isNumberText).map(Number)) };
    return typeof value === "number" ? sets.numbers.has(value) : sets.texts.has(String(value));
  };
}

function isNumberText(text: string): boolean {
  return String(Number(text)) === text;
}

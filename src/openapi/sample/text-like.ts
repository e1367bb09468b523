import { anyTime, FORMAT_MAKERS } from "../../schema/generate/plausible/text-in-format.ts";
import type { Randomness } from "../../schema/generate/randomness.ts";
import { UUID } from "../../schema/rules/formats.ts";

const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const HEX = /^[\da-f]{16,}$/i;
/** Letters and digits that only a machine writes. */
const CODE = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\dA-Za-z]{16,}$/;
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A text in the form of an example; the example itself if its form cannot be varied, undefined for an address. */
export function textLike(example: string, random: Randomness): string | undefined {
  if (/^[a-z]+:\/\//i.test(example)) return undefined;
  if (DATE.test(example)) return FORMAT_MAKERS.date(random);
  const [, seconds = "", fraction = "", zone = ""] = ISO_TIME.exec(example) ?? [];
  if (ISO_TIME.test(example)) return timeLike(example, { seconds, fraction, zone }, random);
  if (UUID.test(example)) {
    const uuid = FORMAT_MAKERS.uuid(random);
    return /[A-F]/.test(example) ? uuid.toUpperCase() : uuid;
  }
  if (HEX.test(example)) {
    const hex = example.replace(/./g, () => random.between(0, 15).toString(16));
    return /[A-F]/.test(example) ? hex.toUpperCase() : hex;
  }
  if (CODE.test(example)) return varied(example, random);
  // The last long number counts things; other digits may be a size, a year or a version.
  return example.replace(/\d{5,}(?=\D*$)/, (digits) => varied(digits, random));
}

function timeLike(
  example: string,
  { seconds, fraction, zone }: { readonly seconds: string; readonly fraction: string; readonly zone: string },
  random: Randomness,
): string {
  const iso = new Date(anyTime(random)).toISOString();
  const to = seconds === "" ? 16 : 19;
  return `${iso.slice(0, 10)}${example[10]}${iso.slice(11, to)}${fraction.replace(/\d/g, "0")}${zone}`;
}

/** Other letters and digits, the first digit not 0. */
function varied(text: string, random: Randomness): string {
  return text.replace(/[\dA-Za-z]/g, (one, at: number) => {
    if (/\d/.test(one)) return String(random.between(at === 0 ? 1 : 0, 9));
    const letter = random.pick([...CAPITALS]);
    return one < "a" ? letter : letter.toLowerCase();
  });
}

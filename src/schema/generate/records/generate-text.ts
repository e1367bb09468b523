import { type Constraints, Unsatisfiable } from "../../constraints.ts";
import { FORMATS } from "../../rules/formats.ts";
import { compilePattern } from "../../rules/pattern.ts";
import { characterCount, textForPattern } from "../pattern/text-for-pattern.ts";
import { letters, plausibleText } from "../plausible/plausible-text.ts";
import { textInFormat } from "../plausible/text-in-format.ts";
import type { Randomness } from "../randomness.ts";
import type { Spot } from "./making.ts";

const MAX_TRIES = 300;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Longer texts are never made, whatever the rules demand. */
const MAX_LENGTH = 1_000_000;

/** A text that keeps length, pattern and format, and as far as these allow, one that suits the field's name. */
export function generateText(constraints: Constraints, spot: Spot, random: Randomness): string {
  const { minLength, maxLength, patterns, formats } = constraints;
  const { pointer } = spot;
  if (minLength > maxLength) {
    throw new Unsatisfiable(pointer, "maxLength", `it is ${maxLength}, but minLength is ${minLength}`);
  }
  if (minLength > MAX_LENGTH) {
    throw new Unsatisfiable(pointer, "minLength", `texts of more than ${MAX_LENGTH} characters are not generated`);
  }
  const known = formats.filter((format) => FORMATS.has(format));
  if (patterns.length === 0 && known.length === 0)
    return fitted(usualText(constraints, spot, random), constraints, random);
  const engines = patterns.map(compilePattern);
  const keeps = (text: string): boolean => {
    const length = characterCount(text);
    return (
      length >= minLength &&
      length <= maxLength &&
      engines.every((engine) => engine.test(text)) &&
      known.every((format) => FORMATS.get(format)?.test(text))
    );
  };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = candidate(constraints, known, spot, random, tries);
    if (text !== undefined && keeps(text)) return text;
  }
  const rule = patterns.length > 0 ? "pattern" : "format";
  const lengths =
    minLength > 0 || maxLength < Number.POSITIVE_INFINITY ? ` of ${minLength} to ${maxLength} characters` : "";
  throw new Unsatisfiable(pointer, rule, `no text${lengths} was found for ${[...patterns, ...known].join(" and ")}`);
}

/** The text of a decimal or of the name may fit by chance; after that, patterns and formats take turns. */
function candidate(
  { minLength, maxLength, patterns, formats: told }: Constraints,
  formats: readonly string[],
  spot: Spot,
  random: Randomness,
  tries: number,
): string | undefined {
  // A pattern may allow fewer digits than a decimal has.
  if (tries < 4 && told.includes("decimal")) return textInFormat("decimal", random)?.replace(/^\d+/, shortened(tries));
  if (tries < 3 && (patterns.length > 0 || formats.length === 0)) return plausibleText(spot, random);
  const count = patterns.length + formats.length;
  const turn = tries % (count > 1 ? count + 1 : 1);
  const lengths = { least: minLength, most: maxLength };
  const pattern = patterns[turn];
  if (pattern !== undefined) return textForPattern(pattern, lengths, random);
  const format = formats[turn - patterns.length];
  if (format !== undefined) return textInFormat(format, random);
  // Several patterns without anchors may all match in one longer text.
  return patterns.map((one) => textForPattern(one, lengths, random) ?? "").join("");
}

function shortened(tries: number): (digits: string) => string {
  return (digits) => digits.slice(0, 3 - tries);
}

const LEAD = "\\b(?:can be|one of|either|(?:possible |allowed |valid )?(?:values?|options?)(?: are| is)?)[: ]+";
const NAMED_TEXTS = [
  /** ``Can be `visa`, `amex` or `jcb`.`` */
  new RegExp(`${LEAD}((?:\`[^\`\\n]{1,40}\`[, ]*(?:(?:or|and) )?){2,})`, "i"),
  /** ``Current status of the payout: `paid`, `pending` or `failed`.`` */
  /\b(?:status|state)\b[^`:.\n]{0,40}: ((?:`[^`\n]{1,40}`[, ]*(?:(?:or|and) )?){2,})/i,
  /** `One of: "Success" or "Failure".` */
  new RegExp(`${LEAD}((?:"[^"\\n]{1,40}"[, ]*(?:(?:or|and) )?){2,})`, "i"),
];
const OF_FIELDS = /^ ?(?:should|must|has to|have to|needs? to|is required|are required)\b/i;
/** `` `active` or `archived` `` */
const ONLY_TEXTS = /^(?:`[^`\n]{1,40}`[, ]*(?:(?:or|and) )?){2,}\.?$/i;
/** `Visibility option: public, limited, private` */
const LISTED_TEXTS =
  /\b(?:one of|values?|options?)(?: are)?: ((?:[a-z][\w-]*, ?){1,8}(?:(?:or|and) )?[a-z][\w-]*)\.?$/i;
/** `Set to "Cryptokey"`, but not ``only sent if `status` is `completed` ``, which tells of another field */
const ONLY_TEXT =
  /(?<!\b(?:if|when|where|while|unless)\b[^.]{0,80})\b(?:always|is|be)(?: set to)? ["`]([\w.-]{2,40})["`]\.?$|^set to ["`]([\w.-]{2,40})["`]\.?$/i;

/** A text of a format that is not checked, else one that the description names, else one that suits the name. */
function usualText({ formats, description }: Constraints, spot: Spot, random: Randomness): string {
  for (const format of formats) {
    const text = textInFormat(format, random);
    if (text !== undefined) return text;
  }
  const named = textsNamedIn(description);
  return named.length === 0 ? plausibleText(spot, random) : random.pick(named);
}

/** The texts that a description says a value can be. */
export function textsNamedIn(description = ""): string[] {
  for (const form of NAMED_TEXTS) {
    const found = form.exec(description);
    // "Either `user` or `group` should be set" names fields.
    if (found && OF_FIELDS.test(description.slice(found.index + found[0].length))) return [];
    const named = found?.[1];
    if (named) return named.split(/[`"]/).filter((_, at) => at % 2 === 1);
  }
  if (ONLY_TEXTS.test(description)) return description.split("`").filter((_, at) => at % 2 === 1);
  const listed = LISTED_TEXTS.exec(description)?.[1];
  if (listed) return listed.split(/[ ,]+/).filter((word) => !/^(?:or|and)$/i.test(word));
  const [, last, only = last] = ONLY_TEXT.exec(description) ?? [];
  return only === undefined ? [] : [only];
}

/** Cuts or extends a text to the length asked for. */
function fitted(text: string, { minLength, maxLength }: Constraints, random: Randomness): string {
  let fitting = text;
  if (characterCount(text) > maxLength) fitting = [...text].slice(0, maxLength).join("").trimEnd();
  const missing = minLength - characterCount(fitting);
  if (missing <= 0) return fitting;
  const words = fitting === "" ? "" : `${fitting} `;
  const extended = words + random.faker.lorem.words(Math.ceil(missing / 2) + 1);
  const cut = [...extended]
    .slice(0, Math.min(maxLength, minLength + 8))
    .join("")
    .trimEnd();
  return characterCount(cut) >= minLength ? cut : cut + letters(LETTERS, minLength - characterCount(cut), random);
}

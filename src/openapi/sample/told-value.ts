import type { Json } from "../../base/json/json.ts";
import type { Constraints, Type } from "../../schema/constraints.ts";
import { knownNumberForm } from "../../schema/generate/plausible/plausible-number.ts";
import { hasKnownName, letters } from "../../schema/generate/plausible/plausible-text.ts";
import { anyTime, FORMAT_MAKERS, isKnownFormat } from "../../schema/generate/plausible/text-in-format.ts";
import type { Randomness } from "../../schema/generate/randomness.ts";
import { textsNamedIn } from "../../schema/generate/records/generate-text.ts";
import type { Spot } from "../../schema/generate/records/making.ts";
import { spacedWords } from "../../schema/inference/field-names.ts";
import { compilePattern } from "../../schema/rules/pattern.ts";
import type { Wanted } from "./complete-example.ts";
import { describedNumber } from "./described-number.ts";
import { textLike } from "./text-like.ts";
import { MILLISECONDS, SECONDS, timeUnitOf } from "./time-unit.ts";

/** A text or number as the document tells it without a rule: by an example, a format or a description. */
export function toldValue(
  type: Type,
  { constraints, spot }: Pick<Wanted, "constraints" | "spot">,
  random: Randomness,
): Json | undefined {
  if (spot.isVaried) return undefined;
  if (type === "array") return toldList(constraints, random);
  if (type === "string") return toldText(constraints, spot, random);
  return type === "integer" || type === "number" ? toldNumber(constraints, spot, random) : undefined;
}

/** A part of the list that an example has: `["Read", "Write"]` are rights. */
function toldList({ examples, minItems }: Constraints, random: Randomness): Json | undefined {
  const example = examples.find((one) => Array.isArray(one));
  if (!example || example.length === 0 || example.some((one) => typeof one === "object")) return undefined;
  return example.slice(0, Math.max(minItems, random.between(1, example.length)));
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ID_LENGTH = 12;
const MOST_COUNTED = 10_000;
const MAX_COUNT = 60;
/** Names of texts that only machines read, so that an example tells more than the name. */
const OPAQUE =
  /(^| )(?:ids?|[us]id|key|token|secret|session|hash|md5|checksum|sha\d*|digest|etag|code|number|no|nr|ref|reference|serial|handle|version|state|status)$/;
/** Names of texts that records have each their own of. */
const OF_NAMES = /(^| )(?:name|title|label)$/;
const OF_BIRTHS = /(^| )(?:birth|birthday|birthdate|dob|born)( |$)|date of birth$/;
const OF_IDS = /(^| )(?:ids?|uid|sid)$/;
const OF_TIMES = /(^| )(?:time|timestamp|date|at|on)$/;
const DESCRIBED_FORMATS = [
  [
    /\bISO[- ]3166|\btwo-letter (?:ISO )?country code\b|\btwo-letter ISO code\b.{0,20}\bcountry\b/i,
    FORMAT_MAKERS["iso-country-code"],
  ],
  [/\bISO[- ]4217|\bISO currency code\b/i, FORMAT_MAKERS.currency],
] as const;
/** "The state the hotel is located in" */
const OF_STATES = /(^| )state$/;
const OF_PLACES = /\blocated\b|\bstate ?(?:or|\/) ?province\b|\bcounty\b/i;
/** Names of texts that are addresses of a kind of their own. */
const OF_IMAGES = /(^| )(?:avatar|image|picture|photo|thumbnail|logo|cover|icon)( |$)/;
const UNIX_TIME = /\b(?:unix|epoch) (?:time(?:stamp)?|seconds|milliseconds)\b/i;
const DESCRIBED_EXAMPLE = /\b(?:for example|e\.g\.|example:)[,:]? *[`"']([^`"'\n]{1,60})[`"']/i;

function toldText(
  { examples, formats, patterns, description }: Constraints,
  spot: Spot,
  random: Randomness,
): string | undefined {
  const [name = ""] = spot.names;
  const words = spacedWords(name);
  if (formats.includes("date") && OF_BIRTHS.test(words)) {
    return FORMAT_MAKERS.date(random).replace(/^\d+/, String(random.between(1950, 2004)));
  }
  if (formats.some(isKnownFormat)) return undefined;
  if (patterns.length > 0 && OF_TIMES.test(words)) {
    const times = [FORMAT_MAKERS["date-time"](random), FORMAT_MAKERS.date(random)];
    const engines = patterns.map(compilePattern);
    const fitting = times.find((text) => engines.every((engine) => engine.test(text)));
    if (fitting !== undefined) return fitting;
  }
  const make = DESCRIBED_FORMATS.find(([form]) => form.test(description ?? ""))?.[1];
  if (make && patterns.length === 0) {
    const made = make(random);
    return /\blower-?case\b/i.test(description ?? "") ? made.toLowerCase() : made;
  }
  // A time since 1970 that is written as a text.
  if (UNIX_TIME.test(description ?? "") && patterns.length === 0 && examples.length === 0) {
    return String(Math.floor(anyTime(random) / (/\bmilli/i.test(description ?? "") ? MILLISECONDS : SECONDS)));
  }
  const named = textsNamedIn(description);
  if (named.length > 0) return random.pick(named);
  if (OF_STATES.test(words) && OF_PLACES.test(description ?? "")) return random.faker.location.state();
  const example = examples.find((one) => typeof one === "string") ?? DESCRIBED_EXAMPLE.exec(description ?? "")?.[1];
  // `octocat/Hello-World` is no name of a person.
  const isOpaque = OPAQUE.test(words) || /^\S*[/_:]\S*$/.test(example ?? "");
  if (/^https?:\/\//.test(example ?? "") && !OF_IMAGES.test(words)) return FORMAT_MAKERS.uri(random);
  const like = example ? textLike(example, random) : undefined;
  const isFree = OF_NAMES.test(words) || hasKnownName(spot.names);
  if (like !== undefined && like !== example) return like;
  // An id, or a text with a pattern, that is always its example would never be new.
  const isRepeatable = patterns.length === 0 && !OF_IDS.test(words);
  if (like !== undefined && isRepeatable && (isOpaque || !isFree)) return like;
  return OF_IDS.test(words) && patterns.length === 0 ? letters(ALPHANUMERIC, ID_LENGTH, random) : undefined;
}

function toldNumber(constraints: Constraints, spot: Spot, random: Randomness): number | undefined {
  const { examples, formats, description, multiples, defaults } = constraints;
  const [name = ""] = spot.names;
  const unit = timeUnitOf({ name, formats, examples, description });
  if (unit) return Math.floor(anyTime(random) / unit);
  // A flag that is written as a number.
  if (defaults.some((one) => typeof one === "boolean")) return random.between(0, 1);
  const example = examples.find((one) => typeof one === "number");
  const described = describedNumber(description, { example, random });
  if (described !== undefined) return described;
  const known = knownNumberForm(name);
  // `months_to_budget` is no budget.
  if (known && known.most > MOST_COUNTED && /^(?:the )?number of\b/i.test(description ?? "")) {
    return random.between(0, MAX_COUNT);
  }
  if (example === undefined || multiples.length > 0 || known) return undefined;
  if (Number.isInteger(example)) {
    const [least, most] = [Math.ceil(Math.abs(example) / 2), Math.floor(Math.abs(example) * 1.5)];
    return Math.sign(example || 1) * random.between(least, Math.max(most, least + 1));
  }
  const digits = Math.min(6, String(example).split(".")[1]?.length ?? 2);
  return Number((example * (0.5 + random.next())).toFixed(digits));
}

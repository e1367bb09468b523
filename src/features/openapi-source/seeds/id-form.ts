import { createRandom, seedFor } from "../../../base/random.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import type { BindOverrides } from "../../../openapi/bind/config/overrides.ts";
import type { References } from "../../../schema/references.ts";
import { UUID } from "../../../schema/rules/formats.ts";
import { LETTERS, randomText } from "../../../store/ids.ts";
import { uuid4 } from "../../../store/text-ids.ts";
import { keyword, recordFieldsOf, typesOf } from "../schema-fields.ts";
import { recordsInExamples } from "./recorded-examples.ts";

/** The form of a collection's new ids, such as `cus_{random:14}`, and where it comes from. */
interface IdForm {
  readonly text: string;
  readonly because: string;
}

/** `cus_NffrFeUfNV2Hib`: a name, and letters that only a machine writes. */
const PREFIXED = /^([A-Za-z][A-Za-z\d]*[_-])(?=[A-Za-z]*\d)([A-Za-z\d]+)$/;
/** Digits alone are numbers. */
const HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]{16,}$/;
const HEX_DIGITS = "0123456789abcdef";
const DIGITS = "0123456789";
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** Letters and digits that only a machine writes. */
const MIXED = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\dA-Za-z]{10,}$/;
const OF_CAPITALS = /^(?=.*\d)(?=.*[A-Z])[\dA-Z]{10,}$/;
/** Enough for ids never to run out, however short the one of the example is. */
const MIN_RANDOM = 8;

/** The form that the config or an example gives the ids of a collection; undefined where nothing does. */
export function idFormOf(
  { references, overrides }: { readonly references: References; readonly overrides: BindOverrides },
  { name, record, idKey, operations }: BoundCollection,
): IdForm | undefined {
  const schema = recordFieldsOf(references, record)?.properties.get(idKey);
  const types = schema ? typesOf(references, schema) : [];
  const isText = types.length === 0 || types.includes("string");
  const given = overrides.collections.get(name);
  if (given && given.idForm !== undefined) {
    if (isText) return { text: given.idForm, because: "the config says so" };
    throw overrides.fail(name, "id", `its ids are of the type ${types.join(", ")}, but "${given.idForm}" is a text.`);
  }
  const says = (key: string) => (schema ? keyword(references, schema, key) : undefined);
  if (!isText || says("pattern") !== undefined || says("format") !== undefined) return undefined;
  const examples = [
    says("example"),
    ...[says("examples") ?? []].flat(),
    ...operations.flatMap((bound) => recordsInExamples(references, bound).map((one) => one[idKey])),
  ];
  for (const example of examples) {
    const text = typeof example === "string" ? formLike(example) : undefined;
    if (text !== undefined) return { text, because: `the example ${String(example)}` };
  }
  return OF_UUIDS.test(idKey) ? { text: "{uuid}", because: `its name: ${idKey}` } : undefined;
}

const OF_UUIDS = /^(?:.*[a-z_-])?(?:uuid|guid|UUID|GUID|Uuid|Guid)$/;

function formLike(example: string): string | undefined {
  if (UUID.test(example)) return "{uuid}";
  if (HEX.test(example)) return `{hex:${example.length}}`;
  if (/^[1-9]\d{4,14}$/.test(example)) return `{digits:${example.length}}`;
  if (OF_CAPITALS.test(example)) return `{capitals:${example.length}}`;
  if (MIXED.test(example)) return `{random:${example.length}}`;
  const [, prefix, rest = ""] = PREFIXED.exec(example) ?? [];
  return prefix === undefined ? undefined : `${prefix}{random:${Math.max(rest.length, MIN_RANDOM)}}`;
}

/** Makes an id; the same one for the same purpose. */
export function idInForm(form: string, seed: number, purpose: string): string {
  const random = createRandom(seedFor(seed, purpose));
  const below = (limit: number): number => Math.floor(random() * limit);
  const letters = (from: string, length: number): string => randomText(from, length, below);
  return form
    .replace(/\{random:(\d+)\}/g, (_, length) => letters(LETTERS, Number(length)))
    .replace(/\{digits:(\d+)\}/g, (_, length) => `${below(9) + 1}${letters(DIGITS, Number(length) - 1)}`)
    .replace(/\{capitals:(\d+)\}/g, (_, length) => letters(CAPITALS, Number(length)))
    .replace(/\{hex:(\d+)\}/g, (_, length) => letters(HEX_DIGITS, Number(length)))
    .replace("{uuid}", () => uuid4(below));
}

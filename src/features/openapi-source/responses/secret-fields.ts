import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import type { References } from "../../../schema/references.ts";
import { keyword, recordFieldsOf } from "../schema-fields.ts";
import { requestFields } from "../writes/record-mapping.ts";

const SECRET = /pass(?:word|wd|phrase|code)$/i;

/** The fields of records that no response shows: those the document calls write-only, and those that only requests have. */
export function unshownFields(references: References, bound: BoundCollection): string[] {
  const held = [...(recordFieldsOf(references, bound.record)?.properties ?? [])];
  const writeOnly = held.filter(([, schema]) => keyword(references, schema, "writeOnly") === true);
  return [...writeOnly.map(([name]) => name), ...secretFields(references, bound)];
}

/** "The endpoint's secret. Only returned at creation." */
const ONCE =
  /\b(?:only|just) (?:\w+ )?(?:returned|shown|visible|displayed|available|present|provided|included|revealed)(?: \w+){0,2} (?:at|on|upon|when|once|during|after|immediately)\b[^.]{0,40}\bcreat|\b(?:returned|shown|visible|displayed|available) only (?:once|(?:at|on|upon|when|during|after)\b[^.]{0,40}\bcreat)/i;

/** Fields that only the response to a create shows. */
export function shownOnceFields(references: References, { record }: BoundCollection): string[] {
  const held = [...(recordFieldsOf(references, record)?.properties ?? [])];
  return held.flatMap(([name, schema]) =>
    ONCE.test(String(keyword(references, schema, "description") ?? "")) ? [name] : [],
  );
}

/** Fields that requests have and records do not, such as passwords: no response shows them. */
export function secretFields(references: References, { operations, record }: BoundCollection): string[] {
  const shown = recordFieldsOf(references, record)?.properties;
  const sent = operations.flatMap((bound) => [...(requestFields(references, bound)?.properties ?? [])]);
  const secret = sent.filter(([name, schema]) => {
    if (shown?.has(name)) return false;
    const isSaid =
      keyword(references, schema, "writeOnly") === true || keyword(references, schema, "format") === "password";
    return isSaid || SECRET.test(name);
  });
  return [...new Set(secret.map(([name]) => name))];
}

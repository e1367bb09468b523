import type { Json } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import type { Placed } from "../../../schema/references.ts";
import type { Completion } from "../../../store/completion.ts";
import { createTextIds, type IdPlace, type TextIds } from "../../../store/text-ids.ts";
import type { OperationContext } from "../operation-context.ts";
import { canName, idParameters } from "../parents/id-parameters.ts";
import { keyword, recordFieldsOf, typesOf } from "../schema-fields.ts";
import { idInForm } from "../seeds/id-form.ts";

/** Tries to make an id by its schema. */
const MAX_SAMPLED = 50;
/** For ids that records are not said to have. */
const ANY_TEXT: Placed = { value: { type: "string" }, place: "#/text" };
/** One may fit by chance, and an example is always the same. */
const TRIALS = [1, 2, 3];
/** For texts that paths take as numbers. */
const WHOLE_NUMBER: Placed = { value: { type: "integer", minimum: 1, maximum: 999_999 }, place: "#/id" };

interface NewIdOptions {
  readonly tools: OperationContext;
  readonly seed: number;
  /** The form that the config or an example gives. */
  readonly form: string | undefined;
}

/** The ids of a collection's new records: in their form, or as its schema and its paths allow. */
export function createNewIds(collection: BoundCollection, { tools, seed, form }: NewIdOptions): Completion["ids"] {
  const { name, record, idKey } = collection;
  if (form !== undefined) {
    const place = ({ slot, attempt }: IdPlace): string => `${name}/${slot}/${attempt}/new`;
    return { next: (one) => idInForm(form, seed, place(one)), areUnique: false };
  }
  const { collections, sample, validator, now } = tools;
  const { references } = tools.document;
  const described = recordFieldsOf(references, record)?.properties.get(idKey);
  const parameters = idParameters(collections, name);
  if (!described && parameters.some((one) => typesOf(references, one).includes("integer"))) return "increment";
  const schema = described ?? ANY_TEXT;
  const types = typesOf(references, schema);
  if (types.includes("integer") || types.includes("number")) return "increment";
  if (!types.includes("string")) return undefined;
  if (keyword(references, schema, "format") === "uuid") return createTextIds("uuid", { now, seed: undefined });
  const isValid = (one: Placed, value: Json): boolean => validator(one)(value).length === 0;
  const fits = (id: string): boolean => isValid(schema, id) && canName(id, parameters, { references, isValid });
  if (fits("aB3dE7k")) return undefined;
  const triesOf = (one: Placed): string[] => TRIALS.map((trial) => String(sample(one, `${seed}/${name}/${trial}`)));
  const sources = [schema, ...parameters, WHOLE_NUMBER].filter((one) => triesOf(one).every(fits));
  const from = sources.find((one) => new Set(triesOf(one)).size > 1) ?? sources[0] ?? schema;
  const sampled: TextIds = {
    next: ({ slot, attempt }) => {
      const id = String(sample(from, `${seed}/${name}/${slot}/${attempt}`));
      // A schema may allow few ids, or make the same one for ever.
      return attempt < MAX_SAMPLED ? id : `${id}-${attempt}`;
    },
    areUnique: false,
  };
  return sampled;
}

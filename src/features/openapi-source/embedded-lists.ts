import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";
import type { EmbeddedList } from "./embedded-list.ts";
import { listObject, listPropertyOf } from "./list-object.ts";
import { hiddenFields } from "./presentation.ts";
import { targetOf } from "./relations.ts";
import { elementSchema, recordFieldsOf } from "./schema-fields.ts";

interface Related {
  readonly references: References;
  readonly collections: readonly BoundCollection[];
}

/** Finds the lists of a document whose elements have the same schema as the records of a collection. */
export function findEmbeddedLists({ references, collections }: Related): EmbeddedList[] {
  const byPlace = new Map(
    collections.flatMap((one) => (one.isSingle ? [] : [[references.follow(one.record).place, one] as const])),
  );
  return collections.flatMap((parent): EmbeddedList[] => {
    if (parent.isSingle) return [];
    return [...(recordFieldsOf(references, parent.record)?.properties ?? [])].flatMap(([field, schema]) => {
      const list = listIn(references, schema);
      const child = list && byPlace.get(references.follow(list.element).place);
      const key = child && child !== parent ? keyOf({ references, collections }, parent, child) : undefined;
      if (!child || key === undefined) return [];
      return [{ parent, child, key, at: [field, ...list.at], schema, references, hidden: hiddenFields(child) }];
    });
  });
}

function listIn(
  references: References,
  schema: Placed,
): { readonly at: string[]; readonly element: Placed } | undefined {
  const element = elementSchema(references, schema);
  if (element) return { at: [], element };
  const around = listPropertyOf(references, schema);
  return around && { at: [around.name], element: around.element };
}

function keyOf(related: Related, { name }: BoundCollection, child: BoundCollection): string | undefined {
  const parents = child.operations.flatMap((one) => one.parents);
  const known = parents.find(({ collection, isOfAll, holder }) => collection === name && !isOfAll && !holder);
  if (known) return known.field;
  const properties = recordFieldsOf(related.references, child.record)?.properties ?? new Map<string, Placed>();
  return [...properties].find(
    ([field, schema]) => field !== child.idKey && targetOf(related, field, schema) === name,
  )?.[0];
}

/** The records in a list; undefined where there is no list. */
export function elementsOf(record: Json, { at }: EmbeddedList): JsonObject[] | undefined {
  const found = valueAtPointer(record, at);
  return Array.isArray(found) ? found.filter((one) => isJsonObject(one)) : undefined;
}

/** A record with other elements in its list. */
export function withElements(record: JsonObject, list: EmbeddedList, elements: readonly JsonObject[]): JsonObject {
  const { at, schema, references, hidden } = list;
  const values = elements.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !hidden.includes(name))),
  );
  const [field, inner] = at;
  const around = record[field];
  if (inner === undefined) return { ...record, [field]: values };
  return { ...record, [field]: listObject(references, schema, { around: isJsonObject(around) ? around : {}, values }) };
}

import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { once } from "../once.ts";
import { hiddenFields } from "../responses/presentation.ts";
import { elementSchema, recordFieldsOf } from "../schema-fields.ts";
import { targetOf } from "../seeds/relations.ts";
import { listObject, listPropertyOf } from "../writes/list-object.ts";
import type { EmbeddedList } from "./embedded-list.ts";

interface Related {
  readonly references: References;
  readonly collections: readonly BoundCollection[];
}

/** Finds the lists of a document whose elements have the same schema as the records of a collection. */
export function findEmbeddedLists({ references, collections }: Related): EmbeddedList[] {
  const placeOf = once(() => new Map(collections.map((one) => [one, references.follow(one.record).place])));
  return collections.flatMap((parent): EmbeddedList[] => {
    if (parent.isSingle) return [];
    return [...(recordFieldsOf(references, parent.record)?.properties ?? [])].flatMap(([field, schema]) => {
      const list = listIn(references, schema);
      const place = list && references.follow(list.element).place;
      const children = collections.flatMap((child) => {
        if (child === parent || child.isSingle || placeOf().get(child) !== place) return [];
        const key = keyOf({ references, collections }, parent, child);
        return key === undefined ? [] : [{ child, key }];
      });
      const found = children.find(({ child }) => isListedAs(child, field)) ?? children.at(-1);
      if (!list || !found) return [];
      const { child, key } = found;
      return [{ parent, child, key, at: [field, ...list.at], schema, references, hidden: hiddenFields(child) }];
    });
  });
}

/** Whether the records of a collection are listed at `/quotes/{quote}/line_items`, for the field `line_items`. */
function isListedAs({ operations }: BoundCollection, field: string): boolean {
  return operations.some(({ action, operation }) => action === "list" && operation.path.text.endsWith(`}/${field}`));
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

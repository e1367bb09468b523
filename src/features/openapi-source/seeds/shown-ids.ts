import type { Json } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { Id } from "../../../store/ids.ts";
import { keyword, recordFieldsOf } from "../schema-fields.ts";
import { examplesOf } from "./recorded-examples.ts";

/**
 * The ids in the document's examples of requests, where no request makes records: a client that sends these examples
 * finds something. Elsewhere they are left free for new records.
 */
export function shownIds(
  references: References,
  { record, idKey, operations }: BoundCollection,
  parameters: readonly Placed[],
): Id[] {
  if (operations.some(({ action }) => action === "create" || action === "add")) return [];
  const own = recordFieldsOf(references, record)?.properties.get(idKey);
  const filters = operations.flatMap((bound) =>
    bound.parameters.flatMap(({ name, field }) => {
      const declared = bound.operation.parameters.find((one) => one.in === "query" && one.name === name);
      return field === idKey && declared?.schema ? [declared.schema] : [];
    }),
  );
  const examples = [...(own ? [own] : []), ...parameters, ...filters].flatMap((schema): Json[] => {
    const shown = keyword(references, schema, "example");
    return typeof shown === "string" ? shown.split(/ ?, ?/) : [shown ?? []].flat();
  });
  return examples.filter(isId);
}

/** The ids in examples of lists that have nothing else. */
export function listedIds(references: References, { operations }: BoundCollection): Id[] {
  const found = operations.flatMap(({ showsIds, content, at }): Json[] => {
    if (!showsIds || !content || at === undefined) return [];
    return examplesOf(references, content).flatMap((body) => valueAtPointer(body, at) ?? []);
  });
  return found.filter(isId);
}

function isId(value: Json | undefined): value is Id {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

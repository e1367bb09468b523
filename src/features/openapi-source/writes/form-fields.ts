import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { formKeywords, type RuledField } from "../../../schema/description/ruled-fields.ts";
import type { References } from "../../../schema/references.ts";
import { keyword, recordFieldsOf, schemaParts } from "../schema-fields.ts";
import { requestFields } from "./record-mapping.ts";

/** The fields of a collection's records with what the document says of them: of a request where it has them, else of a record. */
function formFields(references: References, { record, operations, idKey }: BoundCollection): RuledField[] {
  const created = operations.find(({ action }) => action === "create");
  const sent = created && requestFields(references, created);
  const fields = recordFieldsOf(references, record);
  const properties = new Map([...(fields?.properties ?? []), ...(sent?.properties ?? [])]);
  properties.delete(idKey);
  const required = (sent ?? fields)?.required;
  return [...properties].map(([name, schema]) => {
    const isRequired = required?.has(name) && keyword(references, schema, "readOnly") !== true;
    const { title: _, description: __, ...limits } = formKeywords([...schemaParts(references, schema)]);
    return { name, ...(isRequired && { isRequired: true }), ...limits };
  });
}

/** What the document asks of a collection's records. Its operations judge requests; the data's own routes do not. */
export interface FormRules {
  readonly fields: readonly RuledField[];
  /** Present where requests that break the document are rejected. */
  readonly checkedBy?: "client";
}

/** The rules that forms are to keep, by collection. */
export function rulesForForms(
  references: References,
  collections: readonly BoundCollection[],
  validate: string,
): Readonly<Record<string, FormRules>> {
  const checked = validate === "on" ? ({ checkedBy: "client" } as const) : {};
  return Object.fromEntries(collections.map((one) => [one.name, { fields: formFields(references, one), ...checked }]));
}
